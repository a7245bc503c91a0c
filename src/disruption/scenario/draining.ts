import { ClusterPod, Instant } from '../cluster';
import { blockingLimits, PodLimits } from '../pdb';
import { isProtected, podKey, protectedUntil } from '../pod-eviction';
import { drainListOf, graceOf } from './drain-list';
import { World } from './world';
import { WorldNode } from './world-node';
import { WorldPod } from './world-pods';

/** Seconds that a pod has at the least where its node's are over: with none Kubernetes would not wait for it at all. */
const LEAST_GRACE = 1;

/**
 * Evicts what may be evicted from nodes that drain: pods of no importance first, DaemonSets after the others, and the pods of the two
 * priority classes of Kubernetes last, each group when the one before is gone. Nodes with nothing left to wait for go.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/terminator.go
 */
export function drainNodes(world: World): void {
  let evictions = new Evictions(world);
  for (const [name, { phase, deadline = Infinity }] of world.nodes) {
    if (phase !== 'draining') continue;
    const { waiting, next, budgets, longestGrace = 0 } = drainListOf(name, world);
    if (waiting.length === 0) {
      world.removeDrained(name);
      // What goes with it, such as pods of DaemonSets, may count for a budget.
      evictions = new Evictions(world);
      continue;
    }
    const left = Math.max(LEAST_GRACE, Math.floor((deadline - world.now) / 1_000));
    const overdue = world.now >= deadline - longestGrace ? waiting.filter((subject) => isOverdue(subject, deadline, world.now)) : [];
    for (const subject of overdue) evictions.force(subject, left);
    next.forEach((subject, at) => {
      if (subject.phase !== 'ending' && (budgets[at] < 0 || !evictions.areUsedUp(budgets[at]))) evictions.ask(subject);
    });
  }
}

/** One after the other: each counts for what PodDisruptionBudgets allow the next. */
class Evictions {
  private limits: PodLimits | undefined;

  public constructor(private readonly world: World) {}

  /** Whether the budget at a position lets no pod go that is ready. */
  public areUsedUp(budget: number): boolean {
    return this.current().isUsedUp(budget);
  }

  /**
   * The pod goes, whatever keeps it.
   *
   * @param most seconds that it has for it
   */
  public force(subject: WorldPod, most?: number): void {
    if (subject.phase === 'ready') this.limits?.end(subject.pod);
    this.world.end(subject, most);
  }

  public ask(subject: WorldPod): void {
    const { world } = this;
    if (obstacle(world.pods.shown(subject), this.current(), world.now) === undefined) this.force(subject);
  }

  private current(): PodLimits {
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

/** When the next pod has to go whatever keeps it, or nothing of its own keeps the next whose turn it is. */
export function nextToGo(name: string, { phase, deadline = Infinity }: WorldNode, world: World): Instant {
  if (phase !== 'draining') return Infinity;
  const { next, longestGrace = -Infinity } = drainListOf(name, world);
  const unprotected = next.map(({ pod }) => protectedUntil(pod) ?? Infinity).filter((instant) => instant > world.now);
  return Math.min(deadline - longestGrace, ...unprotected);
}

/** It is ended in time for its grace period to be over at the deadline of the node. */
function isOverdue(subject: WorldPod, deadline: Instant, now: Instant): boolean {
  return subject.phase !== 'ending' && now >= deadline - graceOf(subject);
}
