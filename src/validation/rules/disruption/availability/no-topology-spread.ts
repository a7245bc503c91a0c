import { isSpread, SPREAD_REMEDY, spreadFix, whyTogether } from './pod-spread';
import { WorkloadManifest } from '../../../manifest/model';
import { isPlacedSoInMostFleets, Placement, placementsOf } from '../../common/placements';
import { pdbsSelecting, pdbAllowanceOf, workloadsSelectedBy } from '../../common/pod-disruption-budgets';
import { minimumReplicas } from '../../common/replicas';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';
import { pdbStateOf } from '../pdb/missing-pdb';

/**
 * KARP-402 reports a workload that also has no PodDisruptionBudget.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#topology-spread
 */
export const noTopologySpread = defineRule({
  id: 'KARP-414',
  name: 'no-topology-spread',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'Nothing spreads the pods of a workload, and the plan puts more of them on one node than the workload can lose.',
  subjects: longRunningWorkloads(),
  judge(workload, context) {
    const { pods, unknown: why } = minimumReplicas(context.model, workload);
    if (why === undefined && pods < 2) return NOT_APPLICABLE;
    if (isSpread(workload)) return undefined;
    if (pdbStateOf(context, workload).state === 'missing') return NOT_APPLICABLE;
    if (why !== undefined) return unknown(why);
    const placements = placementsOf(context, workload);
    if (placements.length === 0) return unknown('the plan has no node for its pods');
    const fullest = fullestOf(placements);
    const planned = placements.reduce((sum, placement) => sum + placement.pods, 0);
    const tolerable = tolerableLoss(context, workload, planned);
    const isTooFull = (of: readonly Placement[]) => of.length > 0 && fullestOf(of).pods > tolerable;
    if (!isTooFull(placements) || !isPlacedSoInMostFleets(context, workload, isTooFull)) return undefined;
    return finding(workload, fullest, planned);
  },
});

function fullestOf(placements: readonly Placement[]): Placement {
  return placements.reduce((most, placement) => (placement.pods > most.pods ? placement : most));
}

function finding(
  workload: WorkloadManifest,
  { pods, running, claim, node }: Placement,
  planned: number,
): SubjectFinding {
  const where = claim?.cheapest ? `one node (${claim.cheapest.instanceType})` : `node ${node}`;
  const packed =
    pods === running
      ? `${pods} of ${planned} pods run on ${where}`
      : `the plan puts ${pods} of ${planned} pods on ${where}`;
  return {
    path: [...workload.podPath, 'topologySpreadConstraints'],
    message: `${packed}, ${whyTogether(workload)}: if that node fails, ${Math.round((100 * pods) / planned)}% of them are lost`,
    remedy: `add ${SPREAD_REMEDY}`,
    fix: spreadFix(workload),
    evidence: { podsOnFullestNode: pods, pods: planned },
  };
}

/**
 * Evictions that the PodDisruptionBudget allows for all pods that it selects; without a budget, all pods except
 * one.
 */
function tolerableLoss({ model }: RuleContext, workload: WorkloadManifest, planned: number): number {
  const [pdb] = pdbsSelecting(model, workload);
  const others = pdb ? workloadsSelectedBy(model, pdb).filter((selected) => selected !== workload) : [];
  const total = others.reduce((sum, { replicas }) => sum + replicas, planned);
  const allowed =
    pdb && (pdb.minAvailable ?? pdb.maxUnavailable) !== undefined ? pdbAllowanceOf(pdb, total)?.allowed : undefined;
  return Math.max(1, allowed ?? planned - 1);
}
