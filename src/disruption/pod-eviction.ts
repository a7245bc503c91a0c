import { DISRUPTED_TAINT, DO_NOT_DISRUPT, protectionOf } from '../contract';
import { oncePer, untolerated } from '../model';
import { ClusterPod, Instant } from './cluster';

/**
 * What Karpenter asks of a pod whose node is to go.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pod/scheduling.go
 */

export function isActive({ ended, terminating }: ClusterPod): boolean {
  return !ended && !terminating;
}

/** Whether it needs another place: a pod of a StatefulSet does even while it ends, since the next one comes after it. */
export function isReschedulable(pod: ClusterPod): boolean {
  const comesAgain = isActive(pod) || (pod.owner?.kind === 'StatefulSet' && pod.terminating === true);
  return comesAgain && !pod.daemon && !isMirror(pod);
}

/** Those of the pods of a node that do: the same list for as long as the pods stay. */
export const reschedulable = oncePer((pods: readonly ClusterPod[]): readonly ClusterPod[] => pods.filter(isReschedulable));

/** Whether Karpenter ends it to drain a node. */
export function isEvictable(pod: ClusterPod, now: Instant): boolean {
  return isActive(pod) && isDrained(pod) && !isProtected(pod, now);
}

/** Whether a node waits for it to be gone. */
export function isDrained(pod: ClusterPod): boolean {
  return !toleratesDisruption(pod) && !isMirror(pod);
}

/** Whether it lets its node be disrupted: one that runs, and is protected, does not, even of a DaemonSet. */
export function isDisruptable(pod: ClusterPod, now: Instant): boolean {
  return !isActive(pod) || !isProtected(pod, now);
}

/** Whether its annotation holds now. */
export function isProtected(pod: ClusterPod, now: Instant): boolean {
  const until = protectedUntil(pod);
  return until !== undefined && now < until;
}

/** When its annotation holds no more; undefined without one, and infinite where it holds for ever. */
export function protectedUntil({ annotations, startedAt }: ClusterPod): Instant | undefined {
  const written = annotations?.[DO_NOT_DISRUPT];
  const protection = written === undefined ? undefined : protectionOf(written);
  if (protection === undefined || protection.kind === 'none') return undefined;
  return protection.kind === 'always' || startedAt === undefined ? Infinity : startedAt + protection.milliseconds;
}

/** Whether one of the pods of a node has the annotation at all: few have. Found once for as long as the list stays. */
export const hasProtection = oncePer((pods: readonly ClusterPod[]): boolean =>
  pods.some(({ annotations }) => annotations?.[DO_NOT_DISRUPT] !== undefined));

export function isMirror({ owner }: ClusterPod): boolean {
  return owner?.kind === 'Node';
}

function toleratesDisruption({ shape: { tolerations } }: ClusterPod): boolean {
  return tolerations.length > 0 && untolerated([DISRUPTED_TAINT], tolerations).length === 0;
}

export function podKey({ namespace, name }: Pick<ClusterPod, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
