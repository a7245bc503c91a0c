import { oncePer } from '../model';
import { changesBetween } from '../scheduling';
import { Cluster, ClusterNode } from './cluster';
import { reschedulable } from './pod-eviction';

/**
 * Drifted nodes in the order in which they are tried: those without pods first, then those that have drifted for longest. From one pass to
 * the next few nodes are others, and only these are put in their place.
 */
class DriftOrder {
  private nodes: readonly ClusterNode[] = [];
  private readonly empty: ClusterNode[] = [];
  private readonly others: ClusterNode[] = [];

  public of(nodes: readonly ClusterNode[]): readonly ClusterNode[] {
    for (const { was, is } of nodes === this.nodes ? [] : changesBetween(this.nodes, nodes)) {
      if (was?.claim?.drifted) this.remove(was);
      if (is?.claim?.drifted) this.insert(is);
    }
    this.nodes = nodes;
    return [...this.empty, ...this.others];
  }

  private remove(node: ClusterNode): void {
    const list = this.listOf(node);
    list.splice(placeIn(list, node), 1);
  }

  private insert(node: ClusterNode): void {
    const list = this.listOf(node);
    list.splice(placeIn(list, node), 0, node);
  }

  private listOf({ pods }: ClusterNode): ClusterNode[] {
    return reschedulable(pods).length > 0 ? this.others : this.empty;
  }
}

/** The place of the first that it does not come behind. */
function placeIn(list: readonly ClusterNode[], node: ClusterNode): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (comesBefore(list[middle], node)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function comesBefore(node: ClusterNode, other: ClusterNode): boolean {
  const [since, otherSince] = [node.claim!.drifted!.since, other.claim!.drifted!.since];
  return since === otherSince ? node.name < other.name : since < otherSince;
}

/** All that have drifted. */
export function inDriftOrder({ nodes, pools }: Pick<Cluster, 'nodes' | 'pools'>): readonly ClusterNode[] {
  return orderOf(pools).of(nodes);
}

const orderOf = oncePer((_: Cluster['pools']) => new DriftOrder());
