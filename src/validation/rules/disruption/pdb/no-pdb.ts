import { pdbStateOf } from './missing-pdb';
import { countText, durationText, listText } from '../../../../model';
import { disruptionsByName, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { budgetFor } from '../../common/edits/budget-to-add';
import { placementsOf, poolNamesOf } from '../../common/placements';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';
import { hasWrongSpread, isSpread, isStrictlySpread, SPREAD_REMEDY, whyTogether } from '../availability/pod-spread';

/**
 * Also says that nothing spreads the pods, and that nodes expire, so that such a workload is one finding. With pods on
 * several nodes, one removed node does not evict all of them, and the finding is a note.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls
 */
export const noPdb = defineRule({
  id: 'KARP-402',
  name: 'no-pdb',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'A workload with several pods has no PodDisruptionBudget: Karpenter may evict all of its pods at the same time.',
  subjects: longRunningWorkloads(),
  judge(workload, context) {
    const { state, pods = 0, why = '' } = pdbStateOf(context, workload);
    switch (state) {
      case 'not-needed':
        return NOT_APPLICABLE;
      case 'present':
        return undefined;
      case 'unknown':
        return unknown(why);
      case 'missing':
        return finding(context, workload, pods);
    }
  },
});

function finding(context: RuleContext, workload: WorkloadManifest, pods: number): SubjectFinding {
  const placements = placementsOf(context, workload);
  const nodes = placements.length;
  const where = placements.every((placement) => placement.pods === placement.running)
    ? 'they run on'
    : 'the plan puts them on';
  // KARP-428 reports a spread that selects other pods.
  const isCrowded = nodes === 1 && !isSpread(workload) && !hasWrongSpread(workload);
  // With a budget for one pod at a time, KARP-414 asks for a spread as well.
  const needsSpread = isCrowded || (!isSpread(workload) && placements.some((placement) => placement.pods > 1));
  // Without a plan, only a strict constraint tells that the pods are on several nodes.
  const isApart = nodes === 0 && isStrictlySpread(workload);
  const planned =
    nodes === 0 ? '' : `; ${where} ${countText(nodes, 'node')}${isCrowded ? `, ${whyTogether(workload)}` : ''}`;
  return {
    path: ['spec'],
    message: `no PodDisruptionBudget selects its ${pods} pods: one disruption by Karpenter may evict ${isApart ? 'several of them at the same time' : 'all of them'}${planned}${expiryText(context, workload)}`,
    remedy: `add a PodDisruptionBudget with maxUnavailable: 1 and the selector of the ${workload.kind}${isCrowded ? `, and ${SPREAD_REMEDY}` : ''}`,
    evidence: { replicas: pods, nodes },
    severity: nodes > 1 || isApart ? 'info' : undefined,
    adds: needsSpread ? undefined : budgetFor(workload, context.model),
  };
}

/** Expiry ignores the disruption budgets of a NodePool since 1.0, so only a PodDisruptionBudget slows it down. */
function expiryText(context: RuleContext, workload: WorkloadManifest): string {
  const pools = disruptionsByName(context);
  const expiring = poolNamesOf(context, workload)
    .flatMap((name) => pools.get(name) ?? [])
    .filter(({ expireAfter }) => expireAfter !== undefined);
  const periods = expiring.map(
    ({ name, expireAfter }: ManifestDisruption) => `NodePool ${name} after ${durationText(expireAfter! / 1000)}`,
  );
  const limit = context.options.servingVersion === undefined ? ', which disruption budgets do not limit' : '';
  return periods.length === 0 ? '' : `; its nodes expire (${listText(periods)})${limit}`;
}
