import { Taint, tolerates } from '../../../model';
import { ClusterNode, ClusterPod, Instant } from '../../cluster';
import { isMirror } from '../../pods';
import { ScheduledEvent } from '../cluster/event-queue';
import { SimulatedCluster } from '../cluster/simulated-cluster';

/** Seconds until Kubernetes marks a node as unreachable: `--node-monitor-grace-period`. */
const MONITOR_GRACE_PERIOD = 50;
/** Seconds between the evictions from two unreachable nodes of a zone: `--node-eviction-rate`. */
const NODE_EVICTION_INTERVAL = 10;
/**
 * Seconds for which a pod tolerates an unreachable node, by the toleration that Kubernetes adds to pods without one.
 */
const DEFAULT_TOLERATION_SECONDS = 300;
/** Seconds until Kubernetes deletes pods without a toleration of their own. */
export const UNREACHABLE_SECONDS = MONITOR_GRACE_PERIOD + DEFAULT_TOLERATION_SECONDS;

const UNREACHABLE_KEY = 'node.kubernetes.io/unreachable';
export const UNREACHABLE_TAINT: Taint = { key: UNREACHABLE_KEY, effect: 'NoSchedule' };
const EVICTING_TAINT: Taint = { key: UNREACHABLE_KEY, effect: 'NoExecute' };

/**
 * When Kubernetes deletes the pods of unreachable nodes. A pod remains until its node is removed, but its controller,
 * except a StatefulSet, creates the next pod at once.
 *
 * @param nodes of one zone
 * @param start when the nodes stop responding
 * @param before seconds after which the nodes themselves are removed
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions
 */
export function podLossEvents(nodes: readonly ClusterNode[], start: Instant, before = Infinity): ScheduledEvent[] {
  const losses = nodes.flatMap(({ name, pods }, index) => {
    const tolerationTimes = new Set(pods.map(tolerationSeconds));
    return [...tolerationTimes].map((seconds) => ({
      name,
      seconds,
      after: MONITOR_GRACE_PERIOD + index * NODE_EVICTION_INTERVAL + seconds,
    }));
  });
  return losses
    .filter(({ after }) => after < before)
    .map(({ name, seconds, after }) => ({
      at: start + after * 1_000,
      apply: (cluster) => deletePods(cluster, name, seconds),
    }));
}

/** Deletes the pods that tolerate the node no longer than this many seconds. */
function deletePods(cluster: SimulatedCluster, node: string, seconds: number): void {
  for (const subject of cluster.pods.onNode(node)) {
    if (subject.phase !== 'terminating' && tolerationSeconds(subject.pod) <= seconds)
      cluster.podLifecycle.startTermination(subject);
  }
  cluster.decisionVersion++;
}

/**
 * Seconds; infinite for a pod that stays. If several tolerations match, Kubernetes uses the first one, even if another
 * one is shorter (`GetMatchingTolerations`).
 */
function tolerationSeconds(pod: ClusterPod): number {
  if (pod.daemon || isMirror(pod)) return Infinity;
  const toleration = (pod.shape.tolerations ?? []).find((candidate) => tolerates(candidate, EVICTING_TAINT));
  return toleration ? (toleration.tolerationSeconds ?? Infinity) : DEFAULT_TOLERATION_SECONDS;
}
