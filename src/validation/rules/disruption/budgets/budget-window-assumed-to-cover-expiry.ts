import { allowsNoNode, blockedMinutesPerYear, MINUTES_PER_YEAR } from './disruption-budgets';
import { PoolDisruption, poolDisruptions } from '../../common/pool-disruption';
import { durationText } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

const REASONS = ['Drifted', 'Empty', 'Underutilized'];

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetWindowAssumedToCoverExpiry: Rule = {
  id: 'KARP-405',
  name: 'budget-window-assumed-to-cover-expiry',
  severity: 'warning',
  summary: 'A disruption budget forbids disruption at certain times, but it does not apply to nodes that expire then.',
  check(context: RuleContext): Outcome[] {
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const index = pool.disruption.budgets.findIndex(
        (budget) => allowsNoNode(budget) && budget.schedule !== undefined,
      );
      if (index < 0) return [];
      return [
        pool.disruption.expireAfter === undefined ? pass(pool.disruption.object) : finding(pool.disruption, index),
      ];
    });
  },
};

function finding(disruption: PoolDisruption, index: number): Outcome {
  const { object, expireAfter, expireAfterText, budgets, isAutoMode } = disruption;
  const blocked = Math.max(...REASONS.map((reason) => blockedMinutesPerYear(disruption, reason)));
  const percent = Math.round((100 * blocked) / MINUTES_PER_YEAR);
  return fail({
    object,
    path: ['spec', 'disruption', 'budgets', index],
    message:
      `forbids disruption at "${budgets[index].schedule}" for ${budgets[index].duration}, but budgets do not apply to expiry after ` +
      `${durationText(expireAfter! / 1000)}: about ${percent}% of nodes expire in such a window`,
    remedy: `${isAutoMode ? '' : 'write expireAfter: Never and let nodes drift, which budgets limit, or '}protect the pods with PodDisruptionBudgets`,
    evidence: { expireAfter: expireAfterText, blockedPercent: percent },
  });
}
