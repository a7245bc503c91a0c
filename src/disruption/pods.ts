import { DISRUPTED_TAINT, DO_NOT_DISRUPT, parseDoNotDisrupt } from '../contract';
import { memoizeByIdentity, untolerated } from '../model';
import { runsOnNode } from '../scheduling';
import { ClusterNode, ClusterPod, Instant } from './cluster';

/**
 * Karpenter's rules for the pods of a node that is disrupted.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pod/scheduling.go
 */

export function isActive({ ended, terminating }: ClusterPod): boolean {
  return !ended && !terminating;
}

/**
 * Whether the pod needs another node. A terminating pod of a StatefulSet does, because its replacement is created
 * afterwards.
 */
export function isReschedulable(pod: ClusterPod): boolean {
  const isRecreated = isActive(pod) || (pod.owner?.kind === 'StatefulSet' && pod.terminating === true);
  return isRecreated && !pod.daemon && !isMirror(pod);
}

/** The pods of a node that need another node. */
export const reschedulablePods = memoizeByIdentity((pods: readonly ClusterPod[]): readonly ClusterPod[] =>
  pods.filter(isReschedulable),
);

/** Whether Karpenter evicts the pod when it drains its node. */
export function isEvictable(pod: ClusterPod, now: Instant): boolean {
  return isActive(pod) && isDrainable(pod) && !isProtected(pod, now);
}

/** Whether draining a node waits until the pod has terminated. */
export function isDrainable(pod: ClusterPod): boolean {
  return !toleratesDisruption(pod) && !isMirror(pod);
}

/**
 * Whether the pod lets Karpenter disrupt its node. An active pod with the do-not-disrupt annotation does not, not even
 * a DaemonSet's.
 */
export function isDisruptable(pod: ClusterPod, now: Instant): boolean {
  return !isActive(pod) || !isProtected(pod, now);
}

/** Whether the pod's do-not-disrupt annotation applies now. */
export function isProtected(pod: ClusterPod, now: Instant): boolean {
  const until = protectedUntil(pod);
  return until !== undefined && now < until;
}

/**
 * When the pod's do-not-disrupt annotation expires, or its Job ends: undefined without the annotation, infinite if
 * neither happens.
 */
export function protectedUntil({ annotations, startedAt, jobDeadline = Infinity }: ClusterPod): Instant | undefined {
  const value = annotations?.[DO_NOT_DISRUPT];
  const protection = value === undefined ? undefined : parseDoNotDisrupt(value);
  if (protection === undefined || protection.kind === 'none') return undefined;
  const expires =
    protection.kind === 'always' || startedAt === undefined ? Infinity : startedAt + protection.milliseconds;
  return Math.min(expires, jobDeadline);
}

/** Whether any pod of a node has the do-not-disrupt annotation, which is rare: a cheap check before `isProtected`. */
export const hasProtection = memoizeByIdentity((pods: readonly ClusterPod[]): boolean =>
  pods.some(({ annotations }) => annotations?.[DO_NOT_DISRUPT] !== undefined),
);

export function isMirror({ owner }: ClusterPod): boolean {
  return owner?.kind === 'Node';
}

function toleratesDisruption({ shape: { tolerations } }: ClusterPod): boolean {
  return tolerations.length > 0 && untolerated([DISRUPTED_TAINT], tolerations).length === 0;
}

export function podKey({ namespace, name }: Pick<ClusterPod, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

/**
 * The DaemonSet pods that a node still lacks, named `<daemon>-<node>`.
 *
 * @param daemons one pod of each DaemonSet
 */
export function daemonPods(
  node: Pick<ClusterNode, 'name' | 'labels' | 'taints' | 'pods'>,
  daemons: readonly ClusterPod[],
  startedAt: Instant,
): ClusterPod[] {
  const isPresent = ({ namespace, owner }: ClusterPod) =>
    node.pods.some(
      (pod) =>
        pod.daemon && pod.namespace === namespace && pod.owner?.kind === owner?.kind && pod.owner?.name === owner?.name,
    );
  return daemons
    .filter((daemon) => !isPresent(daemon) && runsOnNode(daemon, node))
    .map((daemon) => ({ ...daemon, name: `${daemon.name}-${node.name}`, startedAt }));
}
