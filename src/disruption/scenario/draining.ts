import { Instant } from '../cluster';
import { blockingLimits, PodLimits, podLimits } from '../pdb';
import { isDrained, isProtected, podKey } from '../pod-eviction';
import { World, WorldNode, WorldPod } from './world';

/**
 * Evicts what may be evicted from nodes that drain: pods of no importance first, DaemonSets after the others, and the pods of the two
 * priority classes of Kubernetes last, each group when the one before is gone. Nodes with nothing left to wait for go.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/terminator.go
 */
export function drainNodes(world: World): void {
  for (const [name, state] of world.nodes) {
    if (state.phase !== 'draining') continue;
    const waiting = world.podsOn(name).filter(({ pod }) => isDrained(pod));
    if (waiting.length === 0) {
      world.remove(name, 'is gone');
      continue;
    }
    for (const subject of waiting.filter(({ phase }) => phase !== 'ending')) if (isOverdue(subject, state, world.now)) world.end(subject);
    for (const subject of firstGroup(waiting)) if (subject.phase !== 'ending') evict(world, subject);
  }
}

/** What keeps a pod on its node; undefined where nothing does. */
export function obstacle({ pod }: WorldPod, limits: PodLimits, now: Instant): string | undefined {
  if (isProtected(pod, now)) return `pod ${podKey(pod)} has the annotation karpenter.sh/do-not-disrupt`;
  const keys = blockingLimits(limits, pod, now);
  if (keys.length > 1) return `pod ${podKey(pod)} has ${keys.length} PodDisruptionBudgets, ${keys.join(' and ')}: then no eviction is granted`;
  return keys.length === 1 ? `PodDisruptionBudget ${keys[0]} lets pod ${podKey(pod)} not go` : undefined;
}

/** When the next pod has to go whatever keeps it. */
export function nextForced({ deadline }: WorldNode, pods: readonly WorldPod[]): Instant | undefined {
  if (deadline === undefined) return undefined;
  const times = pods.filter(({ phase, pod }) => phase !== 'ending' && isDrained(pod)).map((subject) => deadline - graceOf(subject));
  return times.length === 0 ? undefined : Math.min(...times);
}

function evict(world: World, subject: WorldPod): void {
  if (obstacle(subject, podLimits(world.snapshot()), world.now) !== undefined) return;
  world.end(subject);
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
