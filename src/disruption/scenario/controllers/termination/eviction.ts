import { countText, listText } from '../../../../model';
import { blockingPdbs, PdbLimits } from '../../../budgets/pdb-limits';
import { ClusterPod, Instant } from '../../../cluster';
import { isProtected, podKey } from '../../../pods';
import { SimulatedCluster } from '../../cluster/simulated-cluster';
import { SimulatedPod } from '../../cluster/simulated-pod';

/** Milliseconds, as in Karpenter's eviction queue. */
const FIRST_RETRY = 100;
const MAX_RETRY = 10_000;

/** The eviction API during one tick. Each eviction counts for what PodDisruptionBudgets allow afterwards. */
export class EvictionApi {
  private currentLimits: PdbLimits | undefined;

  public constructor(private readonly cluster: SimulatedCluster) {}

  /** @param onlyPdb the index of the pod's PDB if that alone decides about a ready pod, otherwise -1 */
  public allows(subject: SimulatedPod, onlyPdb: number): boolean {
    if (onlyPdb >= 0 && this.isExhausted(onlyPdb)) return false;
    return evictionObstacle(this.cluster.pods.snapshotOf(subject), this.limits, this.cluster.now) === undefined;
  }

  /** Whether the PDB at an index allows no eviction of a healthy pod. */
  public isExhausted(pdb: number): boolean {
    return this.limits.isExhausted(pdb);
  }

  /** @param grace seconds; @default - the grace period of the pod */
  public evict(subject: SimulatedPod, grace?: number): void {
    if (subject.phase === 'ready') this.currentLimits?.recordEviction(subject.pod);
    this.cluster.podLifecycle.startTermination(subject, grace);
  }

  private get limits(): PdbLimits {
    return (this.currentLimits ??= new PdbLimits(this.cluster.snapshot(), this.cluster.session.pdbs));
  }
}

/**
 * Why a pod cannot be evicted; undefined if it can. A pod that is not ready can be evicted while enough other pods are
 * healthy.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy
 */
export function evictionObstacle(pod: ClusterPod, limits: PdbLimits, now: Instant): string | undefined {
  if (isProtected(pod, now)) return `pod ${podKey(pod)} has the annotation karpenter.sh/do-not-disrupt`;
  const keys = blockingPdbs(limits, pod, now);
  if (keys.length > 1)
    return `pod ${podKey(pod)} has ${countText(keys.length, 'PodDisruptionBudget')}, ${listText(keys)}, so it cannot be evicted`;
  const hasEnoughHealthyPods = limits
    .limitsOf(pod)
    .every(({ currentHealthy, desiredHealthy }) => desiredHealthy > 0 && currentHealthy >= desiredHealthy);
  if (keys.length === 0 || (pod.ready === false && hasEnoughHealthyPods)) return undefined;
  return `PodDisruptionBudget ${keys[0]} blocks the eviction of pod ${podKey(pod)}`;
}

/**
 * When the eviction queue next tries a pod that it could not evict. The delay doubles with each attempt, up to ten
 * seconds.
 *
 * @param queuedAt the first attempt
 * @param from the earliest time that is of interest
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/eviction.go
 */
export function nextEvictionAttempt(queuedAt: Instant, from: Instant): Instant {
  if (from === Infinity) return Infinity;
  let attempt = queuedAt;
  let delay = FIRST_RETRY;
  for (; attempt < from && delay < MAX_RETRY; delay *= 2) attempt += delay;
  return attempt >= from ? attempt : attempt + Math.ceil((from - attempt) / MAX_RETRY) * MAX_RETRY;
}
