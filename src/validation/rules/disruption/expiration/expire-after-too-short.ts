import { setField, unsafeFix } from '../../../../contract';
import { NodeDrain } from '../../../../disruption';
import { countText, durationText, formatGoDuration } from '../../../../model';
import { workloadsByPool } from '../../common/placements';
import { podTerminationSeconds, NODE_READY_SECONDS, podStartSeconds } from '../../common/pod-times';
import { defineRule } from '../../define-rule';
import { disruptedPools } from '../../subjects';
import { longestDrain } from '../simulations';

const DAY_SECONDS = 86_400;
const PATH = ['spec', 'template', 'spec', 'expireAfter'];

/** @see https://karpenter.sh/docs/concepts/disruption/#expiration */
export const expireAfterTooShort = defineRule({
  id: 'KARP-427',
  name: 'expire-after-too-short',
  severity: 'error',
  summary: 'Nodes expire before their pods have started and the previous nodes are drained, or several times a day.',
  subjects: disruptedPools({ where: ({ expireAfter }) => expireAfter !== undefined }),
  judge(pool, context) {
    const seconds = pool.expireAfter! / 1000;
    const workloads = workloadsByPool(context).get(pool.name) ?? [];
    const start = Math.max(0, ...workloads.map(podStartSeconds));
    const termination = Math.max(0, ...workloads.map(podTerminationSeconds));
    if (seconds >= Math.max(NODE_READY_SECONDS + start + termination, DAY_SECONDS)) return undefined;
    const drain = drainOf(termination, longestDrain(context, pool.name));
    const least = NODE_READY_SECONDS + start + drain.seconds;
    const times = `${NODE_READY_SECONDS} s until the node is ready + ${start} s slowest pod start + ${drain.text} = ${least} s`;
    const longEnough = formatGoDuration(Math.max(DAY_SECONDS, least));
    return {
      path: PATH,
      message:
        seconds < least
          ? `its nodes expire after ${durationText(seconds)}, before one replacement is finished (${times})`
          : `its nodes expire after ${durationText(seconds)}: all pods are evicted ${Math.ceil(DAY_SECONDS / seconds)} times a day${context.options.servingVersion === undefined ? ', and disruption budgets do not limit that' : ''}`,
      remedy: `write at least ${longEnough}, and let drift bring new AMIs`,
      fix: unsafeFix(setField(PATH, longEnough)),
      evidence: {
        expireAfterSeconds: seconds,
        nodeReadySeconds: NODE_READY_SECONDS,
        podStartSeconds: start,
        podEndSeconds: termination,
        simulatedDrain: drain.simulated ?? null,
      },
      severity: seconds < least ? undefined : 'warning',
    };
  },
});

interface Drain {
  readonly seconds: number;
  readonly text: string;
  readonly simulated?: NodeDrain;
}

/**
 * The longer of the longest pod termination and the simulated drain of a whole node. The simulation assumes that
 * pods terminate soon.
 */
function drainOf(termination: number, simulated: NodeDrain | undefined): Drain {
  if (!simulated || simulated.seconds < termination)
    return { seconds: termination, text: `${termination} s longest pod termination`, simulated };
  return {
    seconds: simulated.seconds,
    text: `${simulated.seconds} s to drain ${countText(simulated.pods, 'pod')} from ${simulated.node} (simulated)`,
    simulated,
  };
}
