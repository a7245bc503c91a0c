import { allowsNone, blockedMinutes, YEAR_MINUTES } from './private/budget-windows';
import { fail, notEvaluated, pass } from './private/outcome';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { Outcome, Rule, RuleContext } from './rule';

const REASONS = ['Drifted', 'Empty', 'Underutilized'];

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export class BudgetWindowAssumedToCoverExpiry implements Rule {
  public readonly id = 'KARP-405';
  public readonly name = 'budget-window-assumed-to-cover-expiry';
  public readonly severity = 'warning';
  public readonly summary = 'A disruption budget forbids disruption at times, but nodes expire then as well: no budget is about expiry.';

  public check(context: RuleContext): Outcome[] {
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const index = pool.disruption.budgets.findIndex((budget) => allowsNone(budget) && budget.schedule !== undefined);
      if (index < 0) return [];
      return [pool.disruption.expireAfter === undefined ? pass(pool.disruption.object) : this.finding(pool.disruption, index)];
    });
  }

  private finding(disruption: PoolDisruption, index: number): Outcome {
    const { object, expireAfterText, budgets } = disruption;
    const blocked = Math.max(...REASONS.map((reason) => blockedMinutes(disruption, reason)));
    const percent = Math.round(100 * blocked / YEAR_MINUTES);
    return fail({
      object,
      path: ['spec', 'disruption', 'budgets', index],
      message: `forbids disruption at "${budgets[index].schedule}" for ${budgets[index].duration}, but nodes expire after ${expireAfterText} whatever budgets say: `
        + `${percent}% of the time is in such windows, and as large a share of the expiries`,
      remedy: 'write expireAfter: Never and let nodes drift, which budgets govern, or guard the pods by PodDisruptionBudgets',
      evidence: { expireAfter: expireAfterText, blockedPercent: percent },
    });
  }
}
