import { nodeChanges } from '../../scheduling';
import { ClusterNode } from '../cluster';
import { reschedulablePods } from '../pods';

/**
 * Drifted nodes in the order in which Karpenter tries them: nodes without pods first, then by how long they have
 * drifted. Few nodes change between passes, so the order is updated by the difference.
 */
export class DriftOrder {
  private nodes: readonly ClusterNode[] = [];
  private readonly withoutPods: ClusterNode[] = [];
  private readonly withPods: ClusterNode[] = [];

  public of(nodes: readonly ClusterNode[]): readonly ClusterNode[] {
    for (const { previous, current } of nodes === this.nodes ? [] : nodeChanges(this.nodes, nodes)) {
      if (previous?.claim?.drifted) this.remove(previous);
      if (current?.claim?.drifted) this.insert(current);
    }
    this.nodes = nodes;
    return [...this.withoutPods, ...this.withPods];
  }

  private remove(node: ClusterNode): void {
    const list = this.listOf(node);
    list.splice(insertionIndex(list, node), 1);
  }

  private insert(node: ClusterNode): void {
    const list = this.listOf(node);
    list.splice(insertionIndex(list, node), 0, node);
  }

  private listOf({ pods }: ClusterNode): ClusterNode[] {
    return reschedulablePods(pods).length > 0 ? this.withPods : this.withoutPods;
  }
}

/** The index of the first node in the sorted list that does not come before this node. */
function insertionIndex(list: readonly ClusterNode[], node: ClusterNode): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (comesBefore(list[middle], node)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function comesBefore(left: ClusterNode, right: ClusterNode): boolean {
  const [leftSince, rightSince] = [left.claim!.drifted!.since, right.claim!.drifted!.since];
  return leftSince === rightSince ? left.name < right.name : leftSince < rightSince;
}
