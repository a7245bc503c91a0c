import { ClusterPod, workloadKey } from '../cluster';
import { copyOfPod } from '../copies';

export type PodPhase = 'pending' | 'starting' | 'ready' | 'ending';

/** Pods of DaemonSets and of the kubelet's own count for none. */
export function workloadOf({ namespace, owner, daemon }: ClusterPod): string | undefined {
  return !owner || daemon || owner.kind === 'Node' ? undefined : workloadKey(namespace, owner);
}

/** The pod as Karpenter sees it. */
export function shownAs(pod: ClusterPod, phase: PodPhase): ClusterPod {
  const shown = copyOfPod(pod);
  shown.ready = phase === 'ready';
  if (phase === 'ending') shown.terminating = true;
  return shown;
}

/** All that are not on their way out begin ready. */
export function firstPhase({ terminating }: ClusterPod): PodPhase {
  return terminating ? 'ending' : 'ready';
}
