import { blockedMinutes, blocks, YEAR_MINUTES } from './private/budget-windows';
import { fail, notEvaluated, pass } from './private/outcome';
import { PoolDisruption, poolDisruptions, reasonsOf } from './private/pool-disruption';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** What each reason is for. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['Drifted', 'machine images with security fixes and Kubernetes upgrades never reach its nodes'],
  ['Empty', 'empty nodes stay and are paid for'],
  ['Underutilized', 'nodes are never consolidated'],
]);

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export class BudgetNeverAllows implements Rule {
  public readonly id = 'KARP-417';
  public readonly name = 'budget-never-allows';
  public readonly severity = 'error';
  public readonly summary = 'The disruption budgets of a NodePool let no node go at any time, for one reason or all: no upgrade reaches its nodes, or no saving.';

  public check(context: RuleContext): Outcome[] {
    return poolDisruptions(context).map((pool) => {
      if (pool.why !== undefined) return notEvaluated(pool.object, pool.why);
      const { disruption } = pool;
      const blocked = reasonsOf(disruption).filter((reason) => blockedMinutes(disruption, reason) === YEAR_MINUTES);
      return blocked.length === 0 ? pass(disruption.object) : this.finding(disruption, blocked);
    });
  }

  private finding(disruption: PoolDisruption, blocked: readonly string[]): Outcome {
    const { object, budgets } = disruption;
    const index = budgets.findIndex((budget) => blocks(budget, blocked[0]));
    const all = blocked.length === reasonsOf(disruption).length;
    return fail({
      object,
      path: ['spec', 'disruption', 'budgets', index],
      message: `the budgets let no node go at any time${all ? '' : ` for the ${blocked.length === 1 ? 'reason' : 'reasons'} ${joinNames(blocked)}`}: `
        + joinNames(blocked.map((reason) => REASONS.get(reason)!)),
      remedy: 'limit the budget to the hours that need it by schedule and duration, or leave at least 1 node at a time',
      evidence: { reasons: blocked },
      // Not to save is a choice; not to upgrade is an accident.
      severity: blocked.includes('Drifted') ? undefined : 'warning',
    });
  }
}
