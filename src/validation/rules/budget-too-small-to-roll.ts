import { WorkloadManifest } from '../manifest/model';
import { alwaysAllowed } from './private/allowed-nodes';
import { blockedMinutes, YEAR_MINUTES } from './private/budget-windows';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { drainSeconds, NODE_READY_SECONDS, startSeconds } from './private/pod-times';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { Outcome, Rule, RuleContext } from './rule';

const DAY_SECONDS = 86_400;
/** Within which new machine images follow each other. */
const MONTH_SECONDS = 30 * DAY_SECONDS;

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export class BudgetTooSmallToRoll implements Rule {
  public readonly id = 'KARP-418';
  public readonly name = 'budget-too-small-to-roll';
  public readonly severity = 'warning';
  public readonly summary = 'The disruption budgets let nodes go so slowly that a new machine image has not reached all of them when they expire, or the next one comes.';

  public check(context: RuleContext): Outcome[] {
    const workloads = workloadsByPool(context);
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      const nodes = context.plan.nodeClaims.filter(({ nodePool }) => nodePool === disruption.name).length;
      return nodes === 0 ? [] : [this.checkPool(disruption, nodes, workloads.get(disruption.name) ?? [])];
    });
  }

  private checkPool(pool: PoolDisruption, nodes: number, workloads: readonly WorkloadManifest[]): Outcome {
    const allowed = Math.min(nodes, alwaysAllowed(pool.budgets, 'Drifted', nodes));
    const open = 1 - blockedMinutes(pool, 'Drifted') / YEAR_MINUTES;
    // Where none ever goes there is no pace to judge: that is another rule's.
    if (allowed === 0 || open === 0) return pass(pool.object);
    // Nor where the budgets hold none up, however soon nodes expire.
    if (allowed === nodes && open === 1) return pass(pool.object);
    const perNode = NODE_READY_SECONDS + Math.max(0, ...workloads.map(startSeconds)) + Math.max(0, ...workloads.map(drainSeconds));
    const roll = Math.ceil(nodes / allowed) * perNode / open;
    const most = Math.min(MONTH_SECONDS, (pool.expireAfter ?? Infinity) / 1000);
    if (roll <= most) return pass(pool.object);
    return this.finding(pool, { nodes, allowed, perNode, open, roll, most });
  }

  private finding({ object }: PoolDisruption, { nodes, allowed, perNode, open, roll, most }: Pace): Outcome {
    const [rollDays, mostDays] = [roll, most].map((seconds) => Math.round(10 * seconds / DAY_SECONDS) / 10);
    return fail({
      object,
      path: ['spec', 'disruption', 'budgets'],
      message: `${nodes} nodes, ${allowed} at a time, take ${perNode} s each, and the budgets are open for ${Math.round(1000 * open) / 10}% of the time: `
        + `a new machine image needs ${rollDays} days to reach them all, and has ${mostDays}`,
      remedy: 'let more nodes go at a time, or open the budgets for longer',
      evidence: { nodes, allowedAtATime: allowed, secondsPerNode: perNode, openPercent: Math.round(1000 * open) / 10, days: rollDays },
    });
  }
}

interface Pace {
  readonly nodes: number;
  readonly allowed: number;
  readonly perNode: number;
  /** Share of the time. */
  readonly open: number;
  /** Seconds. */
  readonly roll: number;
  /** Seconds. */
  readonly most: number;
}
