import { memoizeByIdentity } from '../../model';
import { PodGroup } from '../../scheduling';
import { ClusterPod } from '../cluster';

/** Equal pods that a simulation schedules as one group: they are interchangeable. */
export interface QueuedPods {
  readonly group: PodGroup;
  /** The running pods of the group; empty for pending pods. */
  readonly pods: readonly ClusterPod[];
  /**
   * Whether the pods run on deleting nodes. A simulation may place such pods on an uninitialized node, which was
   * probably launched for them.
   */
  readonly onDeletingNode: boolean;
  /** Creation time and uid of the oldest pod. Karpenter schedules pods of one size by age. */
  readonly age: string;
}

/** The age of pods that do not exist yet: they sort after all others. */
export const YOUNGEST = '~';

/** Oldest first. Stable, so that groups of the same age keep their order. */
export function sortByAge(queue: readonly QueuedPods[]): QueuedPods[] {
  return [...queue].sort((left, right) => (left.age === right.age ? 0 : left.age < right.age ? -1 : 1));
}

/** Groups equal pods, across nodes. @param podsByNode a list of pods for each node */
export function queuedPods(podsByNode: ReadonlyArray<readonly ClusterPod[]>, onDeletingNode: boolean): QueuedPods[] {
  const kinds = new Map<string, Map<ClusterPod['shape'], EqualPods[]>>();
  for (const pods of podsByNode) {
    for (const equal of equalPods(pods)) {
      const {
        kind,
        pods: [{ shape }],
      } = equal;
      const shapes = kinds.get(kind) ?? new Map<ClusterPod['shape'], EqualPods[]>();
      kinds.set(kind, shapes);
      const sameShape = shapes.get(shape);
      if (sameShape) sameShape.push(equal);
      else shapes.set(shape, [equal]);
    }
  }
  return [...kinds.values()]
    .flatMap((shapes) => [...shapes.values()])
    .map((equals) => {
      const pods = equals.length === 1 ? equals[0].pods : equals.flatMap((equal) => equal.pods);
      const [{ namespace, name, shape, starting }] = pods;
      const notPending = !onDeletingNode && !starting;
      const group = {
        namespace,
        name,
        count: pods.length,
        shape,
        bare: pods.length === 1,
        notPending,
        rescheduled: true,
      };
      return {
        group,
        pods,
        onDeletingNode,
        age: equals.reduce((oldest, { age }) => (age < oldest ? age : oldest), YOUNGEST),
      };
    });
}

/** Pods of one node with the same namespace, shape and phase. */
interface EqualPods {
  /** The namespace, and whether the pods are starting. */
  readonly kind: string;
  readonly pods: readonly ClusterPod[];
  readonly age: string;
}

/** By kind, in the order of the first pod of each. */
const equalPods = memoizeByIdentity((pods: readonly ClusterPod[]): readonly EqualPods[] => {
  const kinds = new Map<string, Map<ClusterPod['shape'], ClusterPod[]>>();
  for (const pod of pods) {
    const kind = pod.starting ? `${pod.namespace} starting` : pod.namespace;
    const shapes = kinds.get(kind) ?? new Map<ClusterPod['shape'], ClusterPod[]>();
    kinds.set(kind, shapes);
    const members = shapes.get(pod.shape);
    if (members) members.push(pod);
    else shapes.set(pod.shape, [pod]);
  }
  return [...kinds].flatMap(([kind, shapes]) =>
    [...shapes.values()].map((members) => ({ kind, pods: members, age: oldestAge(members) })),
  );
});

/** The least age. A pod without an age counts by the time at which it started. */
function oldestAge(pods: readonly ClusterPod[]): string {
  let started = Infinity;
  let oldest = YOUNGEST;
  for (const { age, startedAt = Infinity } of pods) {
    if (age === undefined) started = Math.min(started, startedAt);
    else if (age < oldest) oldest = age;
  }
  if (started === Infinity) return oldest;
  const age = new Date(started).toISOString();
  return age < oldest ? age : oldest;
}
