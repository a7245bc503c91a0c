import { Instant } from '../cluster';
import { protectedUntil } from '../pod-eviction';
import { DrainList, drainListOf, graceOf } from './drain-list';
import { nextAttempt } from './eviction-backoff';
import { Evictions } from './evictions';
import { World } from './world';
import { WorldNode } from './world-node';
import { WorldPod } from './world-pods';

const SECOND = 1_000;
/** As often Karpenter looks at a node that drains. */
const LOOK = SECOND;
/** So long it drains at the least: pods can still have come to it. */
const LEAST_DRAIN = 5 * SECOND;

/**
 * Evicts what may be evicted from nodes that drain: pods of no importance first, DaemonSets after the others, and the pods of the two
 * priority classes of Kubernetes last, each group when the one before is gone. What would outlast the deadline of its node is ended in time,
 * whatever keeps it. Nodes with nothing left to wait for go.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/node/termination/terminator/terminator.go
 */
export function drainNodes(world: World): void {
  world.nextDrain = Infinity;
  let evictions = new Evictions(world);
  for (const state of world.underway.all) {
    if (state.phase !== 'draining') continue;
    const { name } = state.node;
    const list = drainListOf(name, world);
    if (list.waiting.length > 0) {
      wakeAt(world, look(state, list, world.now));
      evict(state, list, evictions, world);
      continue;
    }
    const over = nextLook(state, Math.max(world.now, state.drain!.since + LEAST_DRAIN));
    wakeAt(world, over);
    if (over > world.now) continue;
    world.removeDrained(name);
    // What goes with it, such as pods of DaemonSets, may count for a budget.
    evictions = new Evictions(world);
  }
}

function wakeAt(world: World, instant: Instant): void {
  if (instant > world.now) world.nextDrain = Math.min(world.nextDrain, instant);
}

/** It looks once at a time: what has changed since it sees the next time. */
function nextLook({ drain, looked }: WorldNode, from: Instant): Instant {
  const { since } = drain!;
  return since + Math.ceil((Math.max(from, (looked?.at ?? since - LOOK) + 1) - since) / LOOK) * LOOK;
}

/** Puts the pods whose turn it is into the eviction queue; when there will be others. */
function look(state: WorldNode, list: DrainList, now: Instant): Instant {
  const { deadline, queued, looked } = state;
  if (deadline === undefined && looked?.list === list) return Infinity;
  const missing = turnOf(list, deadline, now).filter((subject) => !queued.has(subject));
  const at = nextLook(state, now);
  if (at > now && missing.length > 0) return at;
  if (at === now) {
    for (const subject of missing) queued.set(subject, now);
    state.looked = { at, list };
  }
  if (deadline === undefined) return Infinity;
  // Whoever is forced by then makes room for others.
  const forced = list.untold.every((subject) => queued.has(subject)) ? [] : list.untold.map((subject) => forcedFrom(subject, deadline));
  return nextLook(state, Math.min(...forced.filter((instant) => instant > now)));
}

/** The first group, but for those that are forced: they keep nobody, and wait for nobody. */
function turnOf({ waiting, groups, first }: DrainList, deadline: Instant | undefined, now: Instant): readonly WorldPod[] {
  if (deadline === undefined) return first;
  const isForced = waiting.map((subject) => isOverdue(subject, deadline, now));
  if (!isForced.includes(true)) return first;
  const current = Math.min(...groups.filter((_, at) => !isForced[at]));
  return waiting.filter(({ phase }, at) => isForced[at] || (groups[at] === current && phase !== 'ending'));
}

function evict(state: WorldNode, { untold, budgets, waiting }: DrainList, evictions: Evictions, world: World): void {
  const { queued, deadline = Infinity } = state;
  const { now } = world;
  const seconds = Math.max(1, Math.floor((deadline - now) / SECOND));
  if (queued.size === 0) return;
  for (let at = 0; at < untold.length; at++) {
    // Most pods wait for a budget that is used up, and nothing but the budget tells when that is over.
    if (deadline === Infinity && budgets[at] >= 0 && evictions.isUsedUp(budgets[at])) continue;
    const subject = untold[at];
    const since = queued.get(subject);
    if (since === undefined || subject.phase === 'ending') continue;
    const isForced = isOverdue(subject, deadline, now);
    if (!isForced && !evictions.allows(subject, budgets[at])) {
      wakeAt(world, nextAttempt(since, Math.min(forcedFrom(subject, deadline), protectionEnd(subject, now))));
    } else if (nextAttempt(since, now) > now) {
      wakeAt(world, nextAttempt(since, now));
    } else {
      queued.delete(subject);
      evictions.end(subject, isForced ? seconds : undefined);
    }
  }
  if (deadline === Infinity) return;
  for (const subject of waiting) {
    if (subject.phase !== 'ending' || !queued.delete(subject)) continue;
    world.hasten(subject, seconds);
  }
}

/** When its annotation holds no more; infinite where that is not to come. */
function protectionEnd({ pod }: WorldPod, now: Instant): Instant {
  const until = protectedUntil(pod) ?? now;
  return until > now ? until : Infinity;
}

/** From when on it is ended whatever keeps it: its grace period would last beyond the deadline of its node. */
function forcedFrom(subject: WorldPod, deadline: Instant): Instant {
  return deadline - graceOf(subject) + 1;
}

/** One that ends already is told so once more, if it has more time than there is. */
function isOverdue(subject: WorldPod, deadline: Instant, now: Instant): boolean {
  if (subject.phase !== 'ending') return now >= forcedFrom(subject, deadline);
  return (subject.graceEnds ?? 0) > Math.max(deadline, now + SECOND);
}
