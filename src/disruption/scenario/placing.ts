import { Label, oncePer, RequirementSpec } from '../../model';
import {
  claimsOf, countsOnFilledNodes, ExistingNode, inputWith, launchedNode, PlannedNodeClaim, PodGroup, ScheduleInput, solveAgain, withoutReplicas,
} from '../../scheduling';
import { copyOfPod } from '../copies';
import { leavingNode } from '../ground';
import { anywhere, noneAnywhere } from './anywhere';
import { withSomePool } from './bare-cluster';
import { goingPods, hasGoing, NONE_GOING } from './going-pods';
import { Waiting, waitingOf } from './waiting-pods';
import { World } from './world';
import { WorldPod } from './world-pods';
import { ZoneRoom } from './zone-room';

/**
 * Binds pods that wait to nodes that are up, and launches nodes for the others when Karpenter's provisioner looks. Kubernetes may choose another of
 * several nodes that would do: the first that Karpenter would try stands for it. Karpenter launches for pods of nodes that go as well, before they are
 * evicted; Kubernetes binds those that wait wherever there is room as long as the others are where they are.
 */
export function placePods(world: World): void {
  world.unsettled = false;
  const { now, nominations, nextPass } = world;
  const look = placeAll(world);
  if (look) {
    const { placed, launched } = look;
    const kept = [...destinations(world, placed), ...launched.filter(({ isForPods }) => isForPods).map(({ name }) => name)];
    if (nominations.hold(new Set(kept), now, true)) world.version++;
    nextPass.after(now, launched.length > 0, withoutPlace(placed));
  } else if (world.pods.pending().length > 0 || hasGoing(world)) {
    nextPass.by(nominations.nextLook(now));
  } else if (nominations.hold(new Set(), now, false)) {
    world.version++;
  }
}

interface Look {
  readonly placed: Placed;
  readonly launched: readonly Launched[];
}

interface Launched {
  readonly name: string;
  /** Whether it is for more than what Karpenter makes up. */
  readonly isForPods: boolean;
}

/** Undefined where Kubernetes alone has looked. */
function placeAll(world: World): Look | undefined {
  const { failedZone, cluster: { scheduling } } = world;
  if (hasGoing(world)) {
    bindWaiting(world, solve(world, waitingOf(world.pods.pending()), scheduling.nodePools, NONE_GOING, 'Kubernetes'));
    if (!isLook(world)) return undefined;
    const placed = solve(world, waitingOf(world.pods.pending()), scheduling.nodePools, goingPods(world));
    return { placed, launched: launchFor(world, placed) };
  }
  if (failedZone !== undefined && !hasNodesIn(world, failedZone)) {
    // Kubernetes counts zones for which there are nodes, Karpenter those for which there could be.
    bindWaiting(world, solve(world, waitingOf(world.pods.pending()), outside(failedZone, scheduling.nodePools)));
  }
  const first = place(world, () => waitingOf(world.pods.pending()), scheduling.nodePools);
  // Others that are left lack nothing that another zone would give them.
  const isSpread = world.pods.pending().some(({ pod: { shape } }) => anywhere(shape) !== shape);
  if (failedZone === undefined || !isSpread || withoutPlace(first.placed) === 0) return first.isLook ? first : undefined;
  // Of zones with as few pods Karpenter takes any, and tries again: in the end it comes to one that is there.
  const { placed, launched, isLook: isAlsoLook } = place(world, () => withinRoom(world, failedZone), outside(failedZone, scheduling.nodePools));
  return isAlsoLook ? { placed, launched: [...first.launched, ...launched] } : undefined;
}

/** Whether the provisioner looks now. Pods wake it that Kubernetes has just found no node for. */
function isLook({ now, pods, nominations, nextPass }: World): boolean {
  nominations.wakeFor(pods.pending());
  return nextPass.hasBegun || nominations.nextLook(now) <= now;
}

function withoutPlace(placed: Placed): number {
  if (!placed) return 0;
  const { input, filledNodes, nodeClaims } = placed;
  const all = input.pods.reduce((sum, { count }) => sum + count, 0);
  return [...filledNodes, ...nodeClaims].reduce((left, { groups }) => [...groups.values()].reduce((rest, count) => rest - count, left), all);
}

function hasNodesIn({ nodes }: World, zone: string): boolean {
  return [...nodes.values()].some(({ node: { labels } }) => labels[Label.ZONE] === zone);
}

/** The same pools, with nothing of theirs in the zone: the same objects each time. */
export function outside(zone: string, pools: ScheduleInput['nodePools']): ScheduleInput['nodePools'] {
  const known = OUTSIDE.get(pools) ?? new Map<string, ScheduleInput['nodePools']>();
  OUTSIDE.set(pools, known);
  const requirement: RequirementSpec = { key: Label.ZONE, operator: 'NotIn', values: [zone] };
  const found = known.get(zone) ?? pools.map((pool) => ({ ...pool, requirements: [...pool.requirements, requirement] }));
  known.set(zone, found);
  return found;
}

const OUTSIDE = new WeakMap<ScheduleInput['nodePools'], Map<string, ScheduleInput['nodePools']>>();

/** Of each group only as many are asked for as hard spread lets into the zones that are left. */
export function withinRoom(world: World, failedZone: string): Waiting[] {
  const groups = waitingOf(world.pods.pending());
  if (groups.length === 0) return [];
  const room = new ZoneRoom(world, failedZone);
  return groups.map(({ group, pods }) => ({ group: { ...group, count: room.of(group) }, pods }));
}

/** Where Kubernetes has bound some, Karpenter sees these on their nodes: others may prefer to be elsewhere. */
function place(world: World, groups: () => readonly Waiting[], nodePools: ScheduleInput['nodePools']) {
  const first = solve(world, groups(), nodePools);
  const isAnyBound = bindWaiting(world, first);
  if (!isLook(world)) return { placed: first, launched: [], isLook: false };
  const placed = isAnyBound ? solve(world, groups(), nodePools) : first;
  return { placed, launched: launchFor(world, placed), isLook: true };
}

type Placed = ReturnType<typeof solve>;

function solve(world: World, groups: readonly Waiting[], nodePools: ScheduleInput['nodePools'], going = NONE_GOING, placer?: 'Kubernetes') {
  const asked = groups.map(({ group }) => group);
  const input = inputOf(world, world.failedZone === undefined ? asked : [...asked, ...noneAnywhere(asked)], nodePools, going);
  if (input.pods.length === 0) return undefined;
  const solved = solveAgain(input, world.cluster.catalog, placer);
  return { groups, first: going.groups.length, input, solved, filledNodes: countsOnFilledNodes(solved), nodeClaims: claimsOf(solved) };
}

/** Whether there were any. */
function bindWaiting(world: World, placed: Placed): boolean {
  let isAnyBound = false;
  for (const { node, groups: counts } of placed?.filledNodes ?? []) {
    for (const [group, count] of counts) {
      const subjects = placed!.groups[group - placed!.first]?.pods.splice(0, count) ?? [];
      if (world.nodes.get(node)?.phase !== 'up') continue;
      for (const subject of subjects) bind(world, subject, node);
      isAnyBound ||= subjects.length > 0;
    }
  }
  return isAnyBound;
}

/** Names of the nodes that pods are still to come to. */
function destinations(world: World, placed: Placed): Set<string> {
  const names = new Set<string>();
  if (!placed) return names;
  const isGoing = placed.first > 0;
  for (const { node, groups: counts } of placed.filledNodes) {
    const isUp = world.nodes.get(node)?.phase === 'up';
    if ((isGoing || !isUp) && hasPods(placed, counts)) names.add(node);
  }
  return names;
}

/** Whether any of these groups is of pods that are there. */
function hasPods(placed: NonNullable<Placed>, counts: ReadonlyMap<number, number>): boolean {
  return [...counts.keys()].some((group) => !isBuffer(placed, group));
}

/** Whether a group is one that Karpenter makes up. */
function isBuffer({ input }: Pick<NonNullable<Placed>, 'input'>, group: number): boolean {
  return input.pods[group]?.buffer !== undefined;
}

function launchFor(world: World, placed: Placed): Launched[] {
  if (!placed) return [];
  const { solved, filledNodes } = placed;
  world.reserve(filledNodes.filter(({ groups: counts }) => [...counts.keys()].some((group) => isBuffer(placed, group))).map(({ node }) => node));
  return launches(placed).flatMap((claim) => {
    const template = solved.workload.templates.find(({ pool }) => pool.name === claim.nodePool);
    if (!template) return [];
    const { cheapest } = claim.launch!;
    const name = world.launch(claim.nodePool, launchedNode(template, cheapest, claim, world.next), cheapest);
    return [{ name, isForPods: hasPods(placed, claim.groups) }];
  });
}

/** New nodes that pods come to. */
function launches(placed: Placed): PlannedNodeClaim[] {
  return placed?.nodeClaims.filter(({ launch, pods }) => launch && pods.length > 0) ?? [];
}

function bind(world: World, subject: WorldPod, node: string): void {
  const pod = copyOfPod(subject.pod);
  pod.startedAt = world.now;
  world.pods.become(subject, { phase: 'starting', pod, node, until: world.after(world.times.podStart) });
  world.touch(node);
  world.memory.change(world.now);
  world.version++;
}

/** What the scheduler is asked of these pods, which stand behind those that go. */
export function inputOf(world: World, pods: readonly PodGroup[], nodePools: ScheduleInput['nodePools'], { groups, moved } = NONE_GOING): ScheduleInput {
  const { scheduling } = world.cluster;
  const nodes: ExistingNode[] = world.snapshot().nodes.slice();
  for (const { node, place: at } of world.going()) nodes[at] = leavingNode(node, moved.get(node) ?? []);
  return inputWith(withPools(scheduling, nodePools), nodes, [...groups, ...pods, ...scheduling.pods]);
}

type Scheduling = World['cluster']['scheduling'];

/** The same object each time. */
function withPools(scheduling: Scheduling, nodePools: ScheduleInput['nodePools']): Scheduling {
  const all = allWithPools(scheduling);
  const known = all.get(nodePools);
  if (known) return known;
  const found = { ...scheduling, ...withSomePool({ nodePools: nodePools.map(withoutReplicas), nodeClasses: scheduling.nodeClasses }) };
  all.set(nodePools, found);
  return found;
}

const allWithPools = oncePer((_: Scheduling) => new Map<ScheduleInput['nodePools'], Scheduling>());
