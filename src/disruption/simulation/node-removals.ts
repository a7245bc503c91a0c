import { ExistingNode, PodGroup } from '../../scheduling';
import { blockingPdbs, PdbLimits } from '../budgets/pdb-limits';
import { cloneNode } from '../clone';
import { ClusterNode, ClusterPod, Instant } from '../cluster';
import { hasProtection, isDisruptable, reschedulablePods } from '../pods';
import { QueuedPods, queuedPods, sortByAge } from './queued-pods';

/**
 * The pods of a node that a simulation schedules elsewhere. Pods that can never be evicted are left out, because nobody
 * knows when they will leave.
 *
 * @param includesBlockedPods whether those are included all the same
 */
export function currentlyReschedulable(
  node: ClusterNode,
  state: { readonly limits: PdbLimits; readonly now: Instant },
  includesBlockedPods = false,
): readonly ClusterPod[] {
  const pods = reschedulablePods(node.pods);
  if (includesBlockedPods || (!hasProtection(node.pods) && state.limits.allowAll(node.pods, true))) return pods;
  const { limits, now } = state;
  return pods.filter((pod) => isDisruptable(pod, now) && blockingPdbs(limits, pod, now, true).length === 0);
}

/** A node that a simulation treats as deleting. */
export class NodeRemoval {
  private queued?: readonly QueuedPods[];
  private sorted?: { readonly groups: readonly PodGroup[]; readonly ages: readonly string[] };

  /**
   * @param rescheduled the pods that need another node
   * @param remaining the node as it is deleted, with its other pods
   */
  public constructor(
    public readonly rescheduled: readonly ClusterPod[],
    public readonly remaining: ExistingNode,
  ) {}

  /** The rescheduled pods in groups. */
  public get queue(): readonly QueuedPods[] {
    return (this.queued ??= queuedPods([this.rescheduled], false));
  }

  /** The groups of `queue` by age, with the age of each. */
  public get byAge(): { readonly groups: readonly PodGroup[]; readonly ages: readonly string[] } {
    if (this.sorted) return this.sorted;
    const queue = sortByAge(this.queue);
    return (this.sorted = { groups: queue.map(({ group }) => group), ages: queue.map(({ age }) => age) });
  }
}

/** The last removal of each node. Callers alternate between removals with and without pods, so both are kept. */
export class NodeRemovals {
  private readonly withoutPods = new WeakMap<ClusterNode, NodeRemoval>();
  private readonly withPods = new WeakMap<ClusterNode, NodeRemoval>();

  /** @param rescheduled the pods of the node that need another node */
  public of(node: ClusterNode, rescheduled: readonly ClusterPod[]): NodeRemoval {
    const cache = rescheduled.length === 0 ? this.withoutPods : this.withPods;
    const cached = cache.get(node);
    if (
      cached?.rescheduled.length === rescheduled.length &&
      cached.rescheduled.every((pod, index) => pod === rescheduled[index])
    )
      return cached;
    const isRescheduled = new Set(rescheduled);
    const remaining = cloneNode(node);
    remaining.markedForDeletion = true;
    remaining.pods = rescheduled.length === 0 ? node.pods : node.pods.filter((pod) => !isRescheduled.has(pod));
    const removal = new NodeRemoval(rescheduled, remaining);
    cache.set(node, removal);
    return removal;
  }
}
