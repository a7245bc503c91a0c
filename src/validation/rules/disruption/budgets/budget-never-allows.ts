import { blockedMinutesPerYear, blocksReason, MINUTES_PER_YEAR } from './disruption-budgets';
import { PoolDisruption, poolDisruptions, disruptionReasonsOf } from '../../common/pool-disruption';
import { joinNames } from '../../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** Consequence of never disrupting nodes for a reason. */
const CONSEQUENCES: ReadonlyMap<string, string> = new Map([
  ['Drifted', 'AMIs with security fixes and Kubernetes upgrades never reach its nodes'],
  ['Empty', 'empty nodes go on costing money'],
  ['Underutilized', 'nodes are never consolidated'],
]);

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetNeverAllows: Rule = {
  id: 'KARP-417',
  name: 'budget-never-allows',
  severity: 'error',
  summary: 'The disruption budgets of a NodePool never allow a disruption, for one reason or for all.',
  check(context: RuleContext): Outcome[] {
    return poolDisruptions(context).map((pool) => {
      if (pool.why !== undefined) return notEvaluated(pool.object, pool.why);
      const { disruption } = pool;
      const blocked = disruptionReasonsOf(disruption).filter(
        (reason) => blockedMinutesPerYear(disruption, reason) === MINUTES_PER_YEAR,
      );
      return blocked.length === 0 ? pass(disruption.object) : finding(disruption, blocked);
    });
  },
};

function finding(disruption: PoolDisruption, blocked: readonly string[]): Outcome {
  const { object, budgets } = disruption;
  const index = budgets.findIndex((budget) => blocksReason(budget, blocked[0]));
  const all = blocked.length === disruptionReasonsOf(disruption).length;
  return fail({
    object,
    path: ['spec', 'disruption', 'budgets', index],
    message:
      `the budgets never allow a disruption${all ? '' : ` for the ${blocked.length === 1 ? 'reason' : 'reasons'} ${joinNames(blocked)}`}: ` +
      joinNames(blocked.map((reason) => CONSEQUENCES.get(reason)!)),
    remedy: 'limit the budget to certain hours with schedule and duration, or allow at least 1 node',
    evidence: { reasons: blocked },
    // To give up savings is a choice; to give up upgrades is a mistake.
    severity: blocked.includes('Drifted') ? undefined : 'warning',
  });
}
