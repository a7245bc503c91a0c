import { formatGoDuration } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { drainSeconds, NODE_READY_SECONDS, startSeconds } from './private/pod-times';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { Outcome, Rule, RuleContext } from './rule';

const DAY_SECONDS = 86_400;

/** @see https://karpenter.sh/docs/concepts/disruption/#expiration */
export class ExpireAfterTooShort implements Rule {
  public readonly id = 'KARP-427';
  public readonly name = 'expire-after-too-short';
  public readonly severity = 'error';
  public readonly summary = 'Nodes expire before their pods have started and the nodes before them are drained, or several times a day.';

  public check(context: RuleContext): Outcome[] {
    const workloads = workloadsByPool(context);
    return poolDisruptions(context).flatMap((pool) => {
      if (pool.why !== undefined) return [notEvaluated(pool.object, pool.why)];
      const { disruption } = pool;
      if (disruption.expireAfter === undefined) return [];
      return [this.checkPool(disruption, workloads.get(disruption.name) ?? [])];
    });
  }

  private checkPool(pool: PoolDisruption, workloads: readonly WorkloadManifest[]): Outcome {
    const seconds = pool.expireAfter! / 1000;
    const start = Math.max(0, ...workloads.map(startSeconds));
    const drain = Math.max(0, ...workloads.map(drainSeconds));
    const least = NODE_READY_SECONDS + start + drain;
    if (seconds >= Math.max(least, DAY_SECONDS)) return pass(pool.object);
    const times = `node ready ${NODE_READY_SECONDS} s, slowest pod start ${start} s, longest pod end ${drain} s: ${least} s`;
    return fail({
      object: pool.object,
      path: ['spec', 'template', 'spec', 'expireAfter'],
      message: seconds < least
        ? `its nodes expire after ${pool.expireAfterText}, before one drain is over (${times})`
        : `its nodes expire after ${pool.expireAfterText}: all of its pods move ${Math.ceil(DAY_SECONDS / seconds)} times a day, whatever the disruption budgets say`,
      remedy: `write at least ${formatGoDuration(Math.max(DAY_SECONDS, least))}, and let drift bring new machine images`,
      evidence: { expireAfterSeconds: seconds, nodeReadySeconds: NODE_READY_SECONDS, podStartSeconds: start, podEndSeconds: drain },
      severity: seconds < least ? undefined : 'warning',
    });
  }
}
