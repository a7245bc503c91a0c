import { Label, RequirementSpec } from '../../model';
import {
  ClaimPrices, launchedNode, Offer, placementsOf, PodGroup, ScheduleInput, solveAgain, templateOf, withoutReplicas, withRoom,
} from '../../scheduling';
import { ClusterPod } from '../cluster';
import { Command, Replacement } from '../command';
import { leavingNode } from '../ground';
import { withSomePool } from './bare-cluster';
import { goingPods, hasGoing, NONE_GOING } from './going-pods';
import { canLaunchStaticNode, launchStaticNode } from './static-pools';
import { World } from './world';
import { WorldPod } from './world-pods';
import { ZoneRoom } from './zone-room';

/**
 * Binds pods that wait to nodes that are up, and launches nodes for the others. Kubernetes may choose another of several nodes that would
 * do: the first that Karpenter would try stands for it. Karpenter launches for pods of nodes that go as well, before they are evicted;
 * Kubernetes binds those that wait wherever there is room as long as the others are where they are.
 */
export function placePods(world: World): void {
  world.unsettled = false;
  const { next } = world;
  const placed = placeAll(world);
  world.nextPass.after(world.now, world.next > next, withoutPlace(placed));
}

function placeAll(world: World): Placed {
  const { scheduling } = world.cluster;
  if (hasGoing(world)) {
    bindWaiting(world, solve(world, waiting(world), scheduling.nodePools));
    const placed = solve(world, waiting(world), scheduling.nodePools, goingPods(world));
    nominate(world, placed);
    launchFor(world, placed);
    return placed;
  }
  const { failedZone } = world;
  if (failedZone !== undefined && !hasNodesIn(world, failedZone)) {
    // Kubernetes counts zones for which there are nodes, Karpenter those for which there could be.
    bindWaiting(world, solve(world, waiting(world), outside(failedZone, scheduling.nodePools)));
  }
  const placed = place(world, waiting(world), scheduling.nodePools);
  if (failedZone === undefined) return placed;
  // Of zones with as few pods Karpenter takes any, and tries again: in the end it comes to one that is there.
  return place(world, withinRoom(world, failedZone), outside(failedZone, scheduling.nodePools));
}

function withoutPlace(placed: Placed): number {
  if (!placed) return 0;
  const { input, filledNodes, nodeClaims } = placed;
  const all = input.pods.reduce((sum, { count }) => sum + count, 0);
  return [...filledNodes, ...nodeClaims].reduce((left, { pods }) => left - pods.length, all);
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
  const room = new ZoneRoom(world, failedZone);
  return waiting(world).map(({ group, pods }) => ({ group: { ...group, count: room.of(group) }, pods }));
}

function place(world: World, groups: readonly Waiting[], nodePools: ScheduleInput['nodePools']): Placed {
  const placed = solve(world, groups, nodePools);
  bindWaiting(world, placed);
  launchFor(world, placed);
  return placed;
}

type Placed = ReturnType<typeof solve>;

function solve(world: World, groups: readonly Waiting[], nodePools: ScheduleInput['nodePools'], going = NONE_GOING) {
  const input = inputOf(world, groups.map(({ group }) => group), nodePools, going);
  if (input.pods.length === 0) return undefined;
  const solved = solveAgain(input, world.cluster.catalog);
  return { groups, first: going.groups.length, input, solved, ...placementsOf(solved) };
}

function bindWaiting(world: World, placed: Placed): void {
  for (const { node, groups: counts } of placed?.filledNodes ?? []) {
    for (const [group, count] of counts) {
      const subjects = placed!.groups[group - placed!.first]?.pods.splice(0, count) ?? [];
      if (world.nodes.get(node)?.phase === 'up') for (const subject of subjects) bind(world, subject, node);
    }
  }
}

function nominate(world: World, placed: Placed): void {
  for (const { node, groups: counts } of placed?.filledNodes ?? []) {
    if ([...counts.keys()].some((group) => !isBuffer(placed!, group))) world.nominate(node);
  }
}

/** Whether a group is one that Karpenter makes up. */
function isBuffer({ input }: Pick<NonNullable<Placed>, 'input'>, group: number): boolean {
  return input.pods[group]?.buffer !== undefined;
}

function launchFor(world: World, placed: Placed): void {
  if (!placed) return;
  const { solved, filledNodes, nodeClaims } = placed;
  world.reserve(filledNodes.filter(({ groups: counts }) => [...counts.keys()].some((group) => isBuffer(placed, group))).map(({ node }) => node));
  for (const claim of nodeClaims) {
    const template = solved.workload.templates.find(({ pool }) => pool.name === claim.nodePool);
    if (!claim.launch || !template || claim.pods.length === 0) continue;
    const { cheapest } = claim.launch;
    world.launch(claim.nodePool, launchedNode(template, cheapest, { ...claim, nth: world.next }), cheapest);
  }
}

/** Whether EC2 has what a command needs before its nodes go. */
export function canLaunchReplacements(world: World, { replacements }: Command): boolean {
  const offers = offersFor(world, replacements);
  return replacements.every(({ nodePool, claim }, at) => claim ? offers[at] !== undefined : canLaunchStaticNode(world, poolOf(world, nodePool)));
}

/** Launches what a command needs before its nodes go. */
export function launchReplacements(world: World, { replacements }: Command): string[] {
  const offers = offersFor(world, replacements);
  return replacements.flatMap(({ nodePool, claim }, at) => {
    const pool = poolOf(world, nodePool);
    if (pool.replicas !== undefined) return launchStaticNode(world, pool);
    const template = templateOf(pool, { ...world.cluster.scheduling, nodes: [] }, world.cluster.catalog);
    const offer = offers[at];
    return claim && offer && template ? [world.launch(nodePool, launchedNode(template, offer, { ...claim, nth: world.next }), offer)] : [];
  });
}

/** One after the other: what one takes of a capacity reservation is not there for the next. */
function offersFor(world: World, replacements: readonly Replacement[]): Array<Offer | undefined> {
  const { scheduling, catalog } = world.cluster;
  let { nodeClasses } = scheduling;
  return replacements.map(({ claim, cheapest, instanceTypes, capacityTypes, nodePool }) => {
    const offer = cheapest ?? claim?.launch?.cheapest;
    if (!claim || offer?.reservation === undefined) return offer;
    const template = templateOf(poolOf(world, nodePool), { ...scheduling, nodeClasses, nodes: [] }, catalog);
    const prices = template && new ClaimPrices(claim, template, scheduling.settings, capacityTypes);
    const [type] = prices?.launchable(instanceTypes) ?? [];
    const left = type === undefined ? undefined : prices!.cheapest(type);
    if (left?.reservation !== undefined) nodeClasses = withRoom(nodeClasses, left.reservation, -1);
    return left;
  });
}

function poolOf({ cluster: { scheduling } }: World, nodePool: string): ScheduleInput['nodePools'][number] {
  return scheduling.nodePools.find(({ name }) => name === nodePool)!;
}

function bind(world: World, subject: WorldPod, node: string): void {
  const pod = { ...subject.pod, startedAt: world.now };
  world.pods.become(subject, { phase: 'starting', pod, node, until: world.after(world.times.podStart) });
  world.touch(node);
}

export interface Waiting {
  readonly group: PodGroup;
  readonly pods: WorldPod[];
}

/** Equal pods together. */
export function waiting({ pods }: World): Waiting[] {
  const groups = new Map<ClusterPod['shape'], Map<string, WorldPod[]>>();
  for (const subject of pods.pending()) {
    const { shape, namespace } = subject.pod;
    const ofShape = groups.get(shape) ?? new Map<string, WorldPod[]>();
    groups.set(shape, ofShape.set(namespace, [...ofShape.get(namespace) ?? [], subject]));
  }
  return [...groups].flatMap(([shape, byNamespace]) => [...byNamespace].map(([namespace, subjects]) =>
    ({ group: { namespace, name: subjects[0].pod.name, count: subjects.length, shape, bare: subjects.length === 1 }, pods: subjects })));
}

/** What the scheduler is asked of these pods, which stand behind those that go. */
export function inputOf(world: World, pods: readonly PodGroup[], nodePools: ScheduleInput['nodePools'], { groups, moved } = NONE_GOING): ScheduleInput {
  const { scheduling } = world.cluster;
  return {
    ...scheduling,
    ...withSomePool({ nodePools: nodePools.map(withoutReplicas), nodeClasses: scheduling.nodeClasses }),
    nodes: world.snapshot().nodes.map((node) => node.deleting ? leavingNode(node, moved.get(node) ?? []) : node),
    pods: [...groups, ...pods, ...scheduling.pods],
  };
}
