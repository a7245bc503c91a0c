import { poolDisruptions } from '../../common/pool-disruption';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#reasons */
export const budgetWithoutReasons: Rule = {
  id: 'KARP-429',
  name: 'budget-without-reasons',
  severity: 'warning',
  summary:
    'A disruption budget has an empty list of reasons, so it limits nothing; only without the field it limits every reason.',
  check(context: RuleContext): Outcome[] {
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { object, budgets } = pool.disruption;
      const without = budgets.flatMap(({ reasons }, index) => (reasons?.length === 0 ? [index] : []));
      if (without.length === 0) return budgets.length === 0 ? [] : [pass(object)];
      return without.map((index) =>
        fail({
          object,
          path: ['spec', 'disruption', 'budgets', index, 'reasons'],
          message: `the budget with nodes: "${budgets[index].nodes}" has an empty list of reasons, so Karpenter applies it to no disruption`,
          remedy: 'remove reasons if the budget is for every reason, or list them: Drifted, Empty, Underutilized',
          evidence: { nodes: budgets[index].nodes },
        }),
      );
    });
  },
};
