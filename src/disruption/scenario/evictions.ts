import { ClusterPod, Instant } from '../cluster';
import { blockingLimits, PodLimits } from '../pdb';
import { isProtected, podKey } from '../pod-eviction';
import { World } from './world';
import { WorldPod } from './world-pods';

/** Of one moment, one after the other: each counts for what PodDisruptionBudgets allow the next. */
export class Evictions {
  private limits: PodLimits | undefined;

  public constructor(private readonly world: World) {}

  /**
   * Whether a pod may be evicted now.
   *
   * @param budget the position of the PodDisruptionBudget that alone decides, if it is ready; -1 where more than that does
   */
  public allows(subject: WorldPod, budget: number): boolean {
    if (budget >= 0 && this.isUsedUp(budget)) return false;
    return obstacle(this.world.pods.shown(subject), this.known, this.world.now) === undefined;
  }

  /** Whether the PodDisruptionBudget at a position lets no healthy pod go. */
  public isUsedUp(budget: number): boolean {
    return this.known.isUsedUp(budget);
  }

  /** @param grace seconds, in place of the pod's own */
  public end(subject: WorldPod, grace?: number): void {
    if (subject.phase === 'ready') this.limits?.end(subject.pod);
    this.world.end(subject, grace);
  }

  private get known(): PodLimits {
    return this.limits ??= new PodLimits(this.world.snapshot());
  }
}

/**
 * What keeps a pod on its node; undefined where nothing does. A pod that is not ready may go while enough others are.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/#unhealthy-pod-eviction-policy
 */
export function obstacle(pod: ClusterPod, limits: PodLimits, now: Instant): string | undefined {
  if (isProtected(pod, now)) return `pod ${podKey(pod)} has the annotation karpenter.sh/do-not-disrupt`;
  const keys = blockingLimits(limits, pod, now);
  if (keys.length > 1) return `pod ${podKey(pod)} has ${keys.length} PodDisruptionBudgets, ${keys.join(' and ')}: then no eviction is granted`;
  const isSpare = pod.ready === false && limits.of(pod).every(({ healthy, desiredHealthy }) => desiredHealthy > 0 && healthy >= desiredHealthy);
  return keys.length === 1 && !isSpare ? `PodDisruptionBudget ${keys[0]} lets pod ${podKey(pod)} not go` : undefined;
}
