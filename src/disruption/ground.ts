import { ExistingNode, PodGroup, ScheduleInput, withoutReplicas } from '../scheduling';
import { Scene } from './candidates';
import { ClusterNode, ClusterPod } from './cluster';
import { isSettling } from './consolidate-after';
import { blockingLimits } from './pdb';
import { isDisruptable, isReschedulable } from './pod-eviction';

/** Equal pods, in one group: they change places as one could wish. */
export interface Queued {
  readonly group: PodGroup;
  /** None where they wait for a node already. */
  readonly pods: readonly ClusterPod[];
  /** Whether their node goes anyway: a node that is not up yet is good enough for them then, it may well have been launched for them. */
  readonly leaving: boolean;
}

/** What all simulations of one moment have in common. Nodes are the same objects from one to the next, as long as they stay as they are. */
export interface Ground {
  readonly input: Omit<ScheduleInput, 'nodes' | 'pods'>;
  /** Those that go already take no pod, and have none that needs another place. */
  readonly nodes: readonly ExistingNode[];
  /** By name: where it stands among the nodes. */
  readonly places: ReadonlyMap<string, number>;
  /** Names of the nodes that stay, and are not up yet. */
  readonly unready: ReadonlySet<string>;
  /** Pods of the nodes that go already, and those that wait. */
  readonly leaving: readonly Queued[];
  readonly waiting: readonly Queued[];
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
  const leaving = cluster.nodes.filter(({ deleting }) => deleting);
  const moved = leaving.flatMap(({ pods }) => pods).filter((pod) => isReschedulable(pod) && isMovable(pod, scene));
  const { pods, ...input } = cluster.scheduling;
  const settings = SIMULATED.get(input.settings) ?? { ...input.settings, reservedOfferings: 'Fallback' };
  SIMULATED.set(input.settings, settings);
  const movedSet = new Set(moved);
  return {
    input: { ...input, settings, nodePools: input.nodePools.map(withoutReplicas) },
    nodes: cluster.nodes.map((node) => {
      if (node.deleting) return leavingNode(node, node.pods.filter((pod) => !movedSet.has(pod)));
      return settles && isSettling(node, cluster, now) ? settlingNode(node) : node;
    }),
    places: new Map(cluster.nodes.map(({ name }, at) => [name, at])),
    unready: new Set(cluster.nodes.filter(({ deleting, initialized }) => !deleting && !initialized).map(({ name }) => name)),
    leaving: grouped(moved, true),
    waiting: pods.map((group) => ({ group, pods: [], leaving: false })),
  };
}

const SIMULATED = new WeakMap<ScheduleInput['settings'], ScheduleInput['settings']>();

/** Whether anybody looks after it: of pods that nothing can ever evict nobody knows when they will go. */
export function isMovable(pod: ClusterPod, { limits, now }: Scene): boolean {
  return isDisruptable(pod, now) && blockingLimits(limits, pod, now, true).length === 0;
}

/** The node on its way out, with these of its pods. */
export function leavingNode(node: ClusterNode, pods: readonly ClusterPod[]): ExistingNode {
  const known = LEAVING.get(node);
  if (known?.pods.length === pods.length && known.pods.every((pod, at) => pod === pods[at])) return known;
  const made: ExistingNode = { ...node, leaving: true, pods };
  LEAVING.set(node, made);
  return made;
}

const LEAVING = new WeakMap<ClusterNode, ExistingNode>();

function settlingNode(node: ClusterNode): ExistingNode {
  const found = SETTLING.get(node) ?? { ...node, settling: true };
  SETTLING.set(node, found);
  return found;
}

const SETTLING = new WeakMap<ClusterNode, ExistingNode>();

export function grouped(pods: readonly ClusterPod[], leaving: boolean): Queued[] {
  const alike = new Map<string, Map<ClusterPod['shape'], ClusterPod[]>>();
  for (const pod of pods) {
    const shapes = alike.get(pod.namespace) ?? new Map<ClusterPod['shape'], ClusterPod[]>();
    alike.set(pod.namespace, shapes);
    const members = shapes.get(pod.shape);
    if (members) members.push(pod);
    else shapes.set(pod.shape, [pod]);
  }
  return [...alike.values()].flatMap((shapes) => [...shapes.values()]).map((members) => {
    const [{ namespace, name, shape }] = members;
    return { group: { namespace, name, count: members.length, shape, bare: members.length === 1, moving: !leaving }, pods: members, leaving };
  });
}
