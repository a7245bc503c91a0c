import { ClusterPod, Instant } from '../cluster';
import { blockingLimits, PodLimits } from '../pdb';
import { isDrained, isProtected, podKey } from '../pod-eviction';
import { World, WorldNode } from './world';
import { WorldPod } from './world-pods';

/**
 * Evicts what may be evicted from nodes that drain: pods of no importance first, DaemonSets after the others, and the pods of the two
 * priority classes of Kubernetes last, each group when the one before is gone. Nodes with nothing left to wait for go.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/terminator.go
 */
export function drainNodes(world: World): void {
  let evictions = new Evictions(world);
  for (const [name, state] of world.nodes) {
    if (state.phase !== 'draining') continue;
    const waiting = world.pods.on(name).filter((subject) => isDrained(subject.pod) && !isAbandoned(subject));
    if (waiting.length === 0) {
      world.removeDrained(name);
      // What goes with it, such as pods of DaemonSets, may count for a budget.
      evictions = new Evictions(world);
      continue;
    }
    for (const subject of waiting.filter(({ phase }) => phase !== 'ending')) if (isOverdue(subject, state, world.now)) evictions.force(subject);
    for (const subject of firstGroup(waiting)) if (subject.phase !== 'ending') evictions.ask(subject);
  }
}

/** Told to end where nobody hears: for one that should have ended long ago nobody waits. */
function isAbandoned({ phase, until }: WorldPod): boolean {
  return phase === 'ending' && until === undefined;
}

/** One after the other: each counts for what PodDisruptionBudgets allow the next. */
class Evictions {
  private limits: PodLimits | undefined;

  public constructor(private readonly world: World) {}

  /** The pod goes, whatever keeps it. */
  public force(subject: WorldPod): void {
    if (subject.phase === 'ready') this.limits?.end(subject.pod);
    this.world.end(subject);
  }

  public ask(subject: WorldPod): void {
    const { world } = this;
    this.limits ??= new PodLimits(world.snapshot());
    if (obstacle(world.pods.shown(subject), this.limits, world.now) === undefined) this.force(subject);
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

/** When the next pod has to go whatever keeps it. */
export function nextForced({ deadline }: WorldNode, pods: readonly WorldPod[]): Instant | undefined {
  if (deadline === undefined) return undefined;
  const times = pods.filter(({ phase, pod }) => phase !== 'ending' && isDrained(pod)).map((subject) => deadline - graceOf(subject));
  return times.length === 0 ? undefined : Math.min(...times);
}

function firstGroup(waiting: readonly WorldPod[]): WorldPod[] {
  const rank = ({ pod }: WorldPod) => (pod.critical ? 2 : 0) + (pod.daemon ? 1 : 0);
  const first = Math.min(...waiting.map(rank));
  return waiting.filter((subject) => rank(subject) === first);
}

/** It is ended in time for its grace period to be over at the deadline of the node. */
function isOverdue(subject: WorldPod, { deadline }: WorldNode, now: Instant): boolean {
  return deadline !== undefined && now >= deadline - graceOf(subject);
}

function graceOf({ pod: { terminationGraceSeconds = 30 } }: WorldPod): number {
  return terminationGraceSeconds * 1_000;
}
