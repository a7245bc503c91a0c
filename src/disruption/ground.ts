import { oncePer } from '../model';
import { ExistingNode, PodGroup, ScheduleInput, withoutReplicas } from '../scheduling';
import { Scene } from './candidates';
import { ClusterNode, ClusterPod } from './cluster';
import { isSettling } from './consolidate-after';
import { copyOfNode } from './copies';
import { placesInMotion } from './nodes-in-motion';
import { blockingLimits } from './pdb';
import { hasProtection, isDisruptable, reschedulable } from './pod-eviction';
import { grouped, inOrderOfAge, LeavingPods, leavingPods, Queued, YOUNGEST } from './queued';

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
  /** How many they are. */
  readonly count: number;
}

/** How many pods each simulation places beside those of its candidates. */
export function podsOnTheirWay(scene: Scene): number {
  const { scene: last, settling } = lastLaid(scene.cluster.catalog);
  // One that is laid already will do, which for consolidation is this one.
  return (last === scene && settling ? settling : groundOf(scene, false)).others.count;
}

/** @param settles whether nodes that pods came to or left not long ago are kept from more */
export function groundOf(scene: Scene, settles: boolean): Ground {
  const laid = lastLaid(scene.cluster.catalog);
  if (laid.scene !== scene) {
    laid.scene = scene;
    laid.all = laid.settling = undefined;
  }
  return settles ? laid.settling ??= layGround(scene, true) : laid.all ??= layGround(scene, false);
}

/** Of the last moment alone: what is kept of each for as long as it lasts outlives it, until all memory is gone over. */
const lastLaid = oncePer((_: Scene['cluster']['catalog']): { scene?: Scene; all?: Ground; settling?: Ground } => ({}));

/** Laid thousands of times. */
function layGround(scene: Scene, settles: boolean): Ground {
  const { cluster, now } = scene;
  const nodes: ExistingNode[] = cluster.nodes.slice();
  const moved: Array<readonly ClusterPod[]> = [];
  const unready = new Set<string>();
  for (const at of placesInMotion(cluster.nodes)) {
    const node = cluster.nodes[at];
    if (node.deleting) {
      const own = movable(node, scene, false);
      moved.push(own);
      nodes[at] = leavingNode(node, own);
    } else {
      unready.add(node.name);
    }
  }
  if (settles) {
    cluster.nodes.forEach((node, at) => {
      if (!node.deleting && isSettling(node, cluster, now)) nodes[at] = settlingNode(node);
    });
  }
  return { input: simulatedInput(cluster.scheduling), nodes, unready, others: otherPods(moved, cluster) };
}

/** The same objects as long as nothing of them changes. */
const simulatedInput = oncePer(({ pods, ...input }: Scene['cluster']['scheduling']): Ground['input'] =>
  ({ ...input, settings: simulatedSettings(input.settings), nodePools: input.nodePools.map(withoutReplicas) }));
const simulatedSettings = oncePer((settings: ScheduleInput['settings']): ScheduleInput['settings'] => ({ ...settings, reservedOfferings: 'Fallback' }));

interface Others {
  readonly left: LeavingPods;
  readonly pods: readonly PodGroup[];
  readonly waiting?: readonly PodGroup[];
  readonly others: OtherPods;
}

/** @param moved of the nodes that go already */
function otherPods(moved: ReadonlyArray<readonly ClusterPod[]>, { catalog, scheduling: { pods }, waiting: more }: Scene['cluster']): OtherPods {
  const known = OTHERS.get(catalog);
  const left = leavingPods(moved, catalog);
  if (known?.left === left && known.pods === pods && known.waiting === more) return known.others;
  const waiting = [...pods, ...more ?? []].map((group) => ({ group: asWaiting(group), pods: [], leaving: false, age: group.age ?? YOUNGEST }));
  const queue = inOrderOfAge([...left.queue, ...waiting]);
  const groups = queue.map(({ group }) => group);
  const others = { leaving: left.queue, waiting, queue, groups, count: groups.reduce((sum, { count }) => sum + count, 0) };
  OTHERS.set(catalog, { left, pods, waiting: more, others });
  return others;
}

/** The last of those that launch from the same types. */
const OTHERS = new WeakMap<Scene['cluster']['catalog'], Others>();

/** Pods that Karpenter makes up have no phase: it does not take them for waiting, and keeps them from nodes that are settling, too. */
function asWaiting(group: PodGroup): PodGroup {
  return group.buffer === undefined ? group : { ...group, moving: true };
}

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
  const left = copyOfNode(node);
  left.leaving = true;
  left.pods = moved.length === 0 ? node.pods : node.pods.filter((pod) => !gone.has(pod));
  known.set(node, { moved, left });
  return left;
}

interface Leaving {
  readonly moved: readonly ClusterPod[];
  readonly left: ExistingNode;
}

const LEAVING = new WeakMap<ClusterNode, Leaving>();
const WHOLE = new WeakMap<ClusterNode, Leaving>();

const settlingNode = oncePer((node: ClusterNode): ExistingNode => {
  const settling = copyOfNode(node);
  settling.settling = true;
  return settling;
});

/** Those of one node that would go, in groups. */
export function groupsOf(node: ClusterNode, moved: readonly ClusterPod[]): readonly Queued[] {
  const left = leavingNode(node, moved);
  const known = GROUPS.get(left);
  if (known) return known;
  const found = grouped([moved], false);
  GROUPS.set(left, found);
  return found;
}

const GROUPS = new WeakMap<ExistingNode, readonly Queued[]>();
