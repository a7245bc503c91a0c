import { ExistingNode, PodGroup, ScheduleInput, withoutReplicas } from '../scheduling';
import { Scene } from './candidates';
import { ClusterNode, ClusterPod } from './cluster';
import { isSettling } from './consolidate-after';
import { blockingLimits } from './pdb';
import { hasProtection, isDisruptable, reschedulable } from './pod-eviction';

/** Equal pods, in one group: they change places as one could wish. */
export interface Queued {
  readonly group: PodGroup;
  /** None where they wait for a node already. */
  readonly pods: readonly ClusterPod[];
  /** Whether their node goes anyway: a node that is not up yet is good enough for them then, it may well have been launched for them. */
  readonly leaving: boolean;
  /** By it pods of one size are placed. */
  readonly age: string;
}

/** What all simulations of one moment have in common. Nodes are the same objects from one to the next, as long as they stay as they are. */
export interface Ground {
  readonly input: Omit<ScheduleInput, 'nodes' | 'pods'>;
  /** In the order of the cluster's. Those that go already take no pod, and have none that needs another place. */
  readonly nodes: readonly ExistingNode[];
  /** Names of the nodes that stay, and are not up yet. */
  readonly unready: ReadonlySet<string>;
  readonly others: OtherPods;
}

/** Pods that need a place whoever else goes: the same object as long as these are the same. */
export interface OtherPods {
  /** Of the nodes that go already. */
  readonly leaving: readonly Queued[];
  readonly waiting: readonly Queued[];
  /** All of them in the order of their age. */
  readonly queue: readonly Queued[];
  readonly groups: readonly PodGroup[];
}

/** @param settles whether nodes that pods came to or left not long ago are kept from more */
export function groundOf(scene: Scene, settles: boolean): Ground {
  const known = GROUNDS.get(scene) ?? new Map<boolean, Ground>();
  GROUNDS.set(scene, known);
  const found = known.get(settles) ?? layGround(scene, settles);
  known.set(settles, found);
  return found;
}

const GROUNDS = new WeakMap<Scene, Map<boolean, Ground>>();

function layGround(scene: Scene, settles: boolean): Ground {
  const { cluster, now } = scene;
  const { pods: _, ...input } = cluster.scheduling;
  const settings = SIMULATED.get(input.settings) ?? { ...input.settings, reservedOfferings: 'Fallback' };
  SIMULATED.set(input.settings, settings);
  const nodes: ExistingNode[] = cluster.nodes.slice();
  const moved: Array<readonly ClusterPod[]> = [];
  const unready = new Set<string>();
  // Laid thousands of times.
  cluster.nodes.forEach((node, at) => {
    if (node.deleting) {
      const own = movable(node, scene, false);
      moved.push(own);
      nodes[at] = leavingNode(node, own);
    } else {
      if (!node.initialized) unready.add(node.name);
      if (settles && isSettling(node, cluster, now)) nodes[at] = settlingNode(node);
    }
  });
  return { input: { ...input, settings, nodePools: input.nodePools.map(withoutReplicas) }, nodes, unready, others: otherPods(moved, cluster) };
}

interface Others {
  readonly moved: ReadonlyArray<readonly ClusterPod[]>;
  readonly pods: readonly PodGroup[];
  readonly waiting?: readonly PodGroup[];
  readonly others: OtherPods;
}

/** @param moved of the nodes that go already */
function otherPods(moved: ReadonlyArray<readonly ClusterPod[]>, { catalog, scheduling: { pods }, waiting: more }: Scene['cluster']): OtherPods {
  const known = OTHERS.get(catalog);
  const isKnown = known?.pods === pods && known.waiting === more && known.moved.length === moved.length;
  if (isKnown && known.moved.every((own, at) => isSame(own, moved[at]))) return known.others;
  const leaving = grouped(moved, true);
  const waiting = [...pods, ...more ?? []].map((group) => ({ group: asWaiting(group), pods: [], leaving: false, age: group.age ?? YOUNGEST }));
  const queue = inOrderOfAge([...leaving, ...waiting]);
  const others = { leaving, waiting, queue, groups: queue.map(({ group }) => group) };
  OTHERS.set(catalog, { moved, pods, waiting: more, others });
  return others;
}

/** The last of those that launch from the same types: between two moments nothing else may have happened than that pods are ready, or gone. */
const OTHERS = new WeakMap<Scene['cluster']['catalog'], Others>();

function isSame(pods: readonly ClusterPod[], others: readonly ClusterPod[]): boolean {
  return pods === others || (pods.length === others.length && pods.every((pod, at) => pod === others[at]));
}

/** Pods of one size are placed by age. */
export function inOrderOfAge(queue: readonly Queued[]): Queued[] {
  return [...queue].sort((left, right) => left.age === right.age ? 0 : left.age < right.age ? -1 : 1);
}

/** Pods that Karpenter makes up have no phase: it does not take them for waiting, and keeps them from nodes that are settling, too. */
function asWaiting(group: PodGroup): PodGroup {
  return group.buffer === undefined ? group : { ...group, moving: true };
}

const SIMULATED = new WeakMap<ScheduleInput['settings'], ScheduleInput['settings']>();

/** Pods of a node that go with it and that somebody looks after, whether anything can evict them or not. */
export function movable(node: ClusterNode, scene: Pick<Scene, 'limits' | 'now'>, includesKept: boolean): readonly ClusterPod[] {
  const pods = reschedulable(node.pods);
  if (includesKept || (!hasProtection(node.pods) && scene.limits.areFree(node.pods, true))) return pods;
  return pods.filter((pod) => isMovable(pod, scene));
}

/** Whether anybody looks after it: of pods that nothing can ever evict nobody knows when they will go. */
function isMovable(pod: ClusterPod, { limits, now }: Pick<Scene, 'limits' | 'now'>): boolean {
  return isDisruptable(pod, now) && blockingLimits(limits, pod, now, true).length === 0;
}

/** The node on its way out, without the pods that need another place. */
export function leavingNode(node: ClusterNode, moved: readonly ClusterPod[]): ExistingNode {
  // With all of its pods it is asked about in turn with that.
  const known = moved.length === 0 ? WHOLE : LEAVING;
  const found = known.get(node);
  if (found?.moved.length === moved.length && found.moved.every((pod, at) => pod === moved[at])) return found.left;
  const gone = new Set(moved);
  const left: ExistingNode = { ...node, leaving: true, pods: moved.length === 0 ? node.pods : node.pods.filter((pod) => !gone.has(pod)) };
  known.set(node, { moved, left });
  return left;
}

interface Leaving {
  readonly moved: readonly ClusterPod[];
  readonly left: ExistingNode;
}

const LEAVING = new WeakMap<ClusterNode, Leaving>();
const WHOLE = new WeakMap<ClusterNode, Leaving>();

function settlingNode(node: ClusterNode): ExistingNode {
  const found = SETTLING.get(node) ?? { ...node, settling: true };
  SETTLING.set(node, found);
  return found;
}

const SETTLING = new WeakMap<ClusterNode, ExistingNode>();

/** Those of one node that would go, in groups. */
export function groupsOf(node: ClusterNode, moved: readonly ClusterPod[]): readonly Queued[] {
  const left = leavingNode(node, moved);
  const found = GROUPS.get(left) ?? grouped([moved], false);
  GROUPS.set(left, found);
  return found;
}

const GROUPS = new WeakMap<ExistingNode, readonly Queued[]>();

/** @param pods those of each node */
export function grouped(pods: ReadonlyArray<readonly ClusterPod[]>, leaving: boolean): Queued[] {
  const kinds = new Map<string, Map<ClusterPod['shape'], EqualPods[]>>();
  for (const own of pods) {
    for (const equal of equalPods(own)) {
      const { kind, pods: [{ shape }] } = equal;
      const shapes = kinds.get(kind) ?? new Map<ClusterPod['shape'], EqualPods[]>();
      kinds.set(kind, shapes);
      const known = shapes.get(shape);
      if (known) known.push(equal);
      else shapes.set(shape, [equal]);
    }
  }
  return [...kinds.values()].flatMap((shapes) => [...shapes.values()]).map((all) => {
    const members = all.length === 1 ? all[0].pods : all.flatMap((equal) => equal.pods);
    const [{ namespace, name, shape, starting }] = members;
    const group = { namespace, name, count: members.length, shape, bare: members.length === 1, moving: !leaving && !starting };
    return { group, pods: members, leaving, age: all.reduce((least, { age }) => age < least ? age : least, YOUNGEST) };
  });
}

interface EqualPods {
  /** Of one shape, those of one kind are equal. */
  readonly kind: string;
  readonly pods: readonly ClusterPod[];
  readonly age: string;
}

/** Those of one node: kind by kind, and found once for as long as the list stays. */
function equalPods(pods: readonly ClusterPod[]): readonly EqualPods[] {
  const known = EQUAL.get(pods);
  if (known) return known;
  const kinds = new Map<string, Map<ClusterPod['shape'], ClusterPod[]>>();
  for (const pod of pods) {
    const kind = pod.starting ? `${pod.namespace} starting` : pod.namespace;
    const shapes = kinds.get(kind) ?? new Map<ClusterPod['shape'], ClusterPod[]>();
    kinds.set(kind, shapes);
    const members = shapes.get(pod.shape);
    if (members) members.push(pod);
    else shapes.set(pod.shape, [pod]);
  }
  const found = [...kinds].flatMap(([kind, shapes]) => [...shapes.values()].map((members) => ({ kind, pods: members, age: oldest(members) })));
  EQUAL.set(pods, found);
  return found;
}

const EQUAL = new WeakMap<readonly ClusterPod[], readonly EqualPods[]>();

/** Of pods that are still to be made: nothing is known of their age. */
const YOUNGEST = '~';

function oldest(pods: readonly ClusterPod[]): string {
  const started = pods.reduce((least, { age, startedAt = Infinity }) => age === undefined ? Math.min(least, startedAt) : least, Infinity);
  const ages = pods.flatMap(({ age }) => age ?? []);
  if (started < Infinity) ages.push(new Date(started).toISOString());
  return ages.reduce((least, age) => age < least ? age : least, YOUNGEST);
}
