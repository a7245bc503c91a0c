import { PodGroup } from '../../scheduling';
import { Cluster, ClusterPod } from '../cluster';
import { QueuedPods, queuedPods, sortByAge, YOUNGEST } from './queued-pods';

/** Pods that every simulation of one state schedules, whichever candidates it removes. */
export interface BasePods {
  readonly deleting: readonly QueuedPods[];
  readonly pending: readonly QueuedPods[];
  /** All of them, by age. */
  readonly queue: readonly QueuedPods[];
  /** The groups of `queue`. */
  readonly groups: readonly PodGroup[];
  /** The number of pods. */
  readonly count: number;
}

/** Reschedulable pods of deleting nodes. */
export interface DeletingNodePods {
  readonly queue: readonly QueuedPods[];
  /** By age. */
  readonly groups: readonly PodGroup[];
}

/**
 * Keeps the last result, because most events leave these pods as they are. Equal groups are the same objects then,
 * which the solver has encoded.
 */
export class DeletingNodePodsCache {
  private last?: { readonly podsByNode: ReadonlyArray<readonly ClusterPod[]>; readonly result: DeletingNodePods };

  /** @param podsByNode the reschedulable pods of each deleting node */
  public of(podsByNode: ReadonlyArray<readonly ClusterPod[]>): DeletingNodePods {
    const { last } = this;
    if (
      last?.podsByNode.length === podsByNode.length &&
      last.podsByNode.every((pods, index) => areSame(pods, podsByNode[index]))
    )
      return last.result;
    const queue = queuedPods(podsByNode, true);
    const result = { queue, groups: sortByAge(queue).map(({ group }) => group) };
    this.last = { podsByNode, result };
    return result;
  }
}

function areSame(left: readonly ClusterPod[], right: readonly ClusterPod[]): boolean {
  return left === right || (left.length === right.length && left.every((pod, index) => pod === right[index]));
}

/** Keeps the last result, for the reason that `DeletingNodePodsCache` has. */
export class BasePodsCache {
  private last?: {
    readonly deleting: DeletingNodePods;
    readonly pods: readonly PodGroup[];
    readonly pendingPods?: readonly PodGroup[];
    readonly result: BasePods;
  };

  public constructor(private readonly deletingNodePods: DeletingNodePodsCache) {}

  /** @param podsByNode the reschedulable pods of each deleting node */
  public of(
    podsByNode: ReadonlyArray<readonly ClusterPod[]>,
    { scheduling: { pods }, pendingPods }: Pick<Cluster, 'scheduling' | 'pendingPods'>,
  ): BasePods {
    const deleting = this.deletingNodePods.of(podsByNode);
    const { last } = this;
    if (last?.deleting === deleting && last.pods === pods && last.pendingPods === pendingPods) return last.result;
    const pending = [...pods, ...(pendingPods ?? [])].map((group) => ({
      group: asPending(group),
      pods: [],
      onDeletingNode: false,
      age: group.age ?? YOUNGEST,
    }));
    const queue = sortByAge([...deleting.queue, ...pending]);
    const groups = queue.map(({ group }) => group);
    const result = {
      deleting: deleting.queue,
      pending,
      queue,
      groups,
      count: groups.reduce((sum, { count }) => sum + count, 0),
    };
    this.last = { deleting, pods, pendingPods, result };
    return result;
  }
}

/**
 * Virtual pods of CapacityBuffers have no phase, so Karpenter does not treat them as pending, and keeps them from
 * settling nodes too.
 */
function asPending(group: PodGroup): PodGroup {
  return group.buffer === undefined ? group : { ...group, notPending: true };
}
