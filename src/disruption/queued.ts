import { PodGroup } from '../scheduling';
import { Cluster, ClusterPod } from './cluster';

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

/** Pods of one size are placed by age. */
export function inOrderOfAge(queue: readonly Queued[]): Queued[] {
  return [...queue].sort((left, right) => left.age === right.age ? 0 : left.age < right.age ? -1 : 1);
}

/** Pods of nodes that go already. */
export interface LeavingPods {
  readonly queue: readonly Queued[];
  /** In the order of their age. */
  readonly groups: readonly PodGroup[];
}

/**
 * The same object as long as these are the same pods: between two moments nothing else may have happened than that others are ready, or gone.
 *
 * @param moved of each node
 * @param catalog whoever launches from the same types asks about the same cluster, most often
 */
export function leavingPods(moved: ReadonlyArray<readonly ClusterPod[]>, catalog: Cluster['catalog']): LeavingPods {
  const known = LEFT.get(catalog);
  if (known?.moved.length === moved.length && known.moved.every((own, at) => isSame(own, moved[at]))) return known.pods;
  const queue = grouped(moved, true);
  const pods = { queue, groups: inOrderOfAge(queue).map(({ group }) => group) };
  LEFT.set(catalog, { moved, pods });
  return pods;
}

const LEFT = new WeakMap<Cluster['catalog'], { readonly moved: ReadonlyArray<readonly ClusterPod[]>; readonly pods: LeavingPods }>();

function isSame(pods: readonly ClusterPod[], others: readonly ClusterPod[]): boolean {
  return pods === others || (pods.length === others.length && pods.every((pod, at) => pod === others[at]));
}

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
export const YOUNGEST = '~';

function oldest(pods: readonly ClusterPod[]): string {
  let started = Infinity;
  let least = YOUNGEST;
  for (const { age, startedAt = Infinity } of pods) {
    if (age === undefined) started = Math.min(started, startedAt);
    else if (age < least) least = age;
  }
  if (started === Infinity) return least;
  const age = new Date(started).toISOString();
  return age < least ? age : least;
}
