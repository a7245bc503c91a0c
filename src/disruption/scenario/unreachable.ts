import { Taint, tolerates } from '../../model';
import { ClusterNode, ClusterPod, Instant } from '../cluster';
import { isMirror } from '../pod-eviction';
import { World } from './world';

/** Until Kubernetes misses a node that it no longer hears of, in seconds: `--node-monitor-grace-period`. */
const MISSED_AFTER = 50;
/** For which it lets the pods be that say nothing else: the tolerations that it gives them when they are made. */
const TOLERATED_FOR = 300;
/** Until it takes pods that say nothing else for lost. */
export const UNREACHABLE_SECONDS = MISSED_AFTER + TOLERATED_FOR;

const UNREACHABLE: Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

/** When pods of nodes that fall silent are taken for lost, and what becomes of them then. */
export interface Loss {
  readonly at: Instant;
  readonly happen: (world: World) => void;
}

/**
 * The losses on nodes that fall silent. Nobody there hears of them: a pod is gone with its node, but its controller, unless it is a
 * StatefulSet, makes the next one.
 *
 * @param start when they fall silent
 * @param before seconds after which the nodes themselves are not there
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions
 */
export function lossesOn(nodes: readonly ClusterNode[], start: Instant, before = Infinity): Loss[] {
  const times = new Set(nodes.flatMap(({ pods }) => pods.map(lostAfter)).filter((seconds) => seconds < before));
  return [...times].sort((left, right) => left - right).map((seconds) => ({
    at: start + seconds * 1_000,
    happen: (world) => {
      for (const { name } of nodes) giveUp(world, name, seconds);
    },
  }));
}

function giveUp(world: World, node: string, seconds: number): void {
  for (const subject of world.pods.on(node)) {
    if (subject.phase !== 'ending' && lostAfter(subject.pod) <= seconds) world.end(subject);
  }
  world.version++;
}

/** Seconds; infinite for one that stays whatever becomes of its node. */
function lostAfter(pod: ClusterPod): number {
  if (pod.daemon || isMirror(pod)) return Infinity;
  const own = (pod.shape.tolerations ?? []).filter((toleration) => tolerates(toleration, UNREACHABLE));
  if (own.length === 0) return UNREACHABLE_SECONDS;
  return MISSED_AFTER + Math.min(...own.map(({ tolerationSeconds = Infinity }) => tolerationSeconds));
}
