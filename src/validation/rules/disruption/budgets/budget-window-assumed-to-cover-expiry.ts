import { allowsNoNode, blockedMinutesPerYear, MINUTES_PER_YEAR } from './disruption-budgets';
import { setField, unsafeFix } from '../../../../contract';
import { CronSchedule, durationText } from '../../../../model';
import { ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { placementsOf } from '../../common/placements';
import { pdbsSelecting } from '../../common/pod-disruption-budgets';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { disruptedPools } from '../../subjects';

/** In shorter windows, too few nodes expire to give regular renewal up for. */
const LEAST_PERCENT = 10;
const REASONS = ['Drifted', 'Empty', 'Underutilized'];

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetWindowAssumedToCoverExpiry = defineRule({
  id: 'KARP-405',
  name: 'budget-window-assumed-to-cover-expiry',
  severity: 'warning',
  summary: 'A disruption budget forbids disruption at certain times, but it does not apply to nodes that expire then.',
  subjects: disruptedPools(),
  judge(disruption, context) {
    // Before 1.0, budgets apply to expiry, too.
    if (context.options.servingVersion !== undefined) return NOT_APPLICABLE;
    const index = disruption.budgets.findIndex(
      ({ schedule, ...budget }) =>
        schedule !== undefined && CronSchedule.tryParse(schedule) && allowsNoNode(budget) && isMeantForExpiry(budget),
    );
    if (index < 0) return NOT_APPLICABLE;
    return disruption.expireAfter === undefined || blockedPercent(disruption) < LEAST_PERCENT
      ? undefined
      : finding(disruption, index, hasBudgetForAll(context, disruption.name));
  },
});

/** A budget for consolidation only is not meant for nodes that get too old. */
function isMeantForExpiry({ reasons }: Pick<ManifestDisruption['budgets'][number], 'reasons'>): boolean {
  return reasons === undefined || reasons.length === 0 || reasons.includes('Drifted');
}

/** Whether a PodDisruptionBudget protects each workload of several pods on planned nodes of the NodePool. */
function hasBudgetForAll(context: RuleContext, nodePool: string): boolean {
  const there = context.model.workloads.filter(
    (workload) =>
      workload.kind !== 'DaemonSet' &&
      workload.replicas > 1 &&
      placementsOf(context, workload).some((placement) => placement.nodePool === nodePool),
  );
  return there.length > 0 && there.every((workload) => pdbsSelecting(context.model, workload).length > 0);
}

/** The share of the time without disruption, and so of the nodes that expire then. */
function blockedPercent(disruption: ManifestDisruption): number {
  const blocked = Math.max(...REASONS.map((reason) => blockedMinutesPerYear(disruption, reason)));
  return Math.round((100 * blocked) / MINUTES_PER_YEAR);
}

function finding(disruption: ManifestDisruption, index: number, isProtected: boolean): SubjectFinding {
  const { expireAfter, expireAfterText, budgets, isAutoMode } = disruption;
  const percent = blockedPercent(disruption);
  return {
    path: ['spec', 'disruption', 'budgets', index],
    message:
      `forbids disruption at "${budgets[index].schedule}" for ${budgets[index].duration}, but budgets do not apply to expiry after ` +
      `${durationText(expireAfter! / 1000)}: about ${percent}% of nodes expire in such a window`,
    remedy: isAutoMode
      ? 'protect the pods with PodDisruptionBudgets'
      : `write expireAfter: Never and let nodes drift, which budgets limit${isProtected ? '' : ', or protect the pods with PodDisruptionBudgets'}`,
    evidence: { expireAfter: expireAfterText, blockedPercent: percent },
    fix: isAutoMode ? undefined : unsafeFix(setField(['spec', 'template', 'spec', 'expireAfter'], 'Never')),
  };
}
