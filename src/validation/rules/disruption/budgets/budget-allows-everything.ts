import { allowedWithoutSchedule, blockedMinutesPerYear, MINUTES_PER_YEAR } from './disruption-budgets';
import { shortListText } from '../../../../model';
import { ManifestDisruption, disruptionReasonsOf } from '../../../manifest/karpenter/pool-disruption';
import { workloadsByPool } from '../../common/placements';
import { pdbsSelecting } from '../../common/pod-disruption-budgets';
import { servingWorkloads, optOutReason } from '../../common/serving-workloads';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { disruptedPools } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetAllowsEverything = defineRule({
  id: 'KARP-419',
  name: 'budget-allows-everything',
  severity: 'warning',
  summary:
    'The disruption budgets allow all planned nodes to be disrupted at once, and some workload on them has no PodDisruptionBudget.',
  subjects: disruptedPools(),
  judge(disruption, context) {
    const nodes = context.plan.nodeClaims.filter(({ nodePool }) => nodePool === disruption.name).length;
    const serving = new Set(servingWorkloads(context.model));
    // A percentage of one node is rounded up to that node.
    if (nodes < 2) return NOT_APPLICABLE;
    const onNodes = (workloadsByPool(context).get(disruption.name) ?? []).filter((workload) => serving.has(workload));
    const unprotected = onNodes.filter(
      (workload) =>
        pdbsSelecting(context.model, workload).length === 0 &&
        optOutReason(workload, 'pod-disruption-budget') === undefined,
    );
    const allowed = Math.max(
      0,
      ...reasonsWithPods(disruption).map((reason) => allowedWithoutSchedule(disruption.budgets, reason, nodes)),
    );
    if (unprotected.length === 0 || allowed < nodes) return undefined;
    return finding(nodes, unprotected.map(({ kind, name }) => `${kind} ${name}`).sort());
  },
});

function finding(nodes: number, names: readonly string[]): SubjectFinding {
  return {
    path: ['spec', 'disruption', 'budgets'],
    message:
      `the budgets allow all ${nodes} planned nodes to be disrupted at once: ` +
      `${shortListText(names)} ${names.length === 1 ? 'has' : 'have'} no PodDisruptionBudget and can lose all pods`,
    remedy:
      'lower the budget, for example to nodes: "10%", and add a PodDisruptionBudget with maxUnavailable: 1 for each workload',
    evidence: { nodes, workloads: names },
  };
}

/**
 * Reasons for which Karpenter at some time disrupts nodes that hold pods. `Empty` is left out, because such nodes
 * hold no pods to evict.
 */
function reasonsWithPods(disruption: ManifestDisruption): string[] {
  return disruptionReasonsOf(disruption).filter(
    (reason) => reason !== 'Empty' && blockedMinutesPerYear(disruption, reason) < MINUTES_PER_YEAR,
  );
}
