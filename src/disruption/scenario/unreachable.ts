import { Taint, tolerates } from '../../model';
import { ClusterNode, ClusterPod, Instant } from '../cluster';
import { isMirror } from '../pod-eviction';
import { World } from './world';

/** Until Kubernetes misses a node that it no longer hears of, in seconds: `--node-monitor-grace-period`. */
const MISSED_AFTER = 50;
/** Between two nodes of a zone that it missed together, until it tells their pods: `--node-eviction-rate`. */
const BETWEEN_NODES = 10;
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
 * @param nodes of one zone
 * @param start when they fall silent
 * @param before seconds after which the nodes themselves are not there
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions
 */
export function lossesOn(nodes: readonly ClusterNode[], start: Instant, before = Infinity): Loss[] {
  const losses = nodes.flatMap(({ name, pods }, nth) => {
    const tolerated = new Set(pods.map(toleratedFor));
    return [...tolerated].map((seconds) => ({ name, tolerated: seconds, after: MISSED_AFTER + nth * BETWEEN_NODES + seconds }));
  });
  return losses.filter(({ after }) => after < before).map(({ name, tolerated, after }) => ({
    at: start + after * 1_000,
    happen: (world) => giveUp(world, name, tolerated),
  }));
}

function giveUp(world: World, node: string, tolerated: number): void {
  for (const subject of world.pods.on(node)) {
    if (subject.phase !== 'ending' && toleratedFor(subject.pod) <= tolerated) world.end(subject);
  }
  world.version++;
}

/**
 * Seconds; infinite for one that stays whatever becomes of its node. Of several tolerations Kubernetes takes the first that is for the
 * taint, be another one shorter (`GetMatchingTolerations`).
 */
function toleratedFor(pod: ClusterPod): number {
  if (pod.daemon || isMirror(pod)) return Infinity;
  const own = (pod.shape.tolerations ?? []).find((toleration) => tolerates(toleration, UNREACHABLE));
  return own ? own.tolerationSeconds ?? Infinity : TOLERATED_FOR;
}
