import { NodeDrain } from '../../disruption';
import { formatGoDuration } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { fail, notEvaluated, pass } from './private/outcome';
import { workloadsByPool } from './private/placements';
import { drainSeconds, NODE_READY_SECONDS, startSeconds } from './private/pod-times';
import { PoolDisruption, poolDisruptions } from './private/pool-disruption';
import { longestDrain } from './private/simulated';
import { count } from './private/wording';
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
      return [this.checkPool(context, disruption, workloads.get(disruption.name) ?? [])];
    });
  }

  private checkPool(context: RuleContext, pool: PoolDisruption, workloads: readonly WorkloadManifest[]): Outcome {
    const seconds = pool.expireAfter! / 1000;
    const start = Math.max(0, ...workloads.map(startSeconds));
    const written = Math.max(0, ...workloads.map(drainSeconds));
    if (seconds >= Math.max(NODE_READY_SECONDS + start + written, DAY_SECONDS)) return pass(pool.object);
    const drain = drainOf(written, longestDrain(context, pool.name));
    const least = NODE_READY_SECONDS + start + drain.seconds;
    const times = `node ready ${NODE_READY_SECONDS} s + slowest pod start ${start} s + ${drain.text} = ${least} s`;
    return fail({
      object: pool.object,
      path: ['spec', 'template', 'spec', 'expireAfter'],
      message: seconds < least
        ? `its nodes expire after ${pool.expireAfterText}, before one drain is over (${times})`
        : `its nodes expire after ${pool.expireAfterText}: all of its pods move ${Math.ceil(DAY_SECONDS / seconds)} times a day, whatever the disruption budgets say`,
      remedy: `write at least ${formatGoDuration(Math.max(DAY_SECONDS, least))}, and let drift bring new machine images`,
      evidence: {
        expireAfterSeconds: seconds,
        nodeReadySeconds: NODE_READY_SECONDS,
        podStartSeconds: start,
        podEndSeconds: written,
        simulatedDrain: drain.simulated ?? null,
      },
      severity: seconds < least ? undefined : 'warning',
    });
  }
}

interface Drain {
  readonly seconds: number;
  readonly text: string;
  readonly simulated?: NodeDrain;
}

/** The longer of what a single pod may take to end, and what the scenario shows of a whole node: that takes pods to end soon. */
function drainOf(written: number, simulated: NodeDrain | undefined): Drain {
  if (!simulated || simulated.seconds < written) return { seconds: written, text: `longest pod end ${written} s`, simulated };
  return { seconds: simulated.seconds, text: `drain of the ${count(simulated.pods, 'pod')} of ${simulated.node} ${simulated.seconds} s (simulated)`, simulated };
}
