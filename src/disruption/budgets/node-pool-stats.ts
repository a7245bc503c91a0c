import { Label } from '../../model';
import { nodeChanges } from '../../scheduling';
import { ClusterNode } from '../cluster';

/** Nodes of a NodePool, as its budgets count them. */
export interface NodePoolCounts {
  readonly nodes: number;
  readonly deleting: number;
  /** Nodes that are not ready and not deleting. */
  readonly unready: number;
}

const ZERO: NodePoolCounts = { nodes: 0, deleting: 0, unready: 0 };

/** Counts nodes by NodePool. Few nodes change between passes, so the counts are updated by the difference. */
export class NodePoolStats {
  private nodes: readonly ClusterNode[] = [];
  private readonly counts = new Map<string, NodePoolCounts>();

  /** By NodePool. The map is reused: read it before the next call. */
  public of(nodes: readonly ClusterNode[]): ReadonlyMap<string, NodePoolCounts> {
    for (const { previous, current } of nodes === this.nodes ? [] : nodeChanges(this.nodes, nodes)) {
      if (previous) this.add(previous, -1);
      if (current) this.add(current, 1);
    }
    this.nodes = nodes;
    return this.counts;
  }

  private add(node: ClusterNode, sign: 1 | -1): void {
    const pool = node.labels[Label.NODE_POOL];
    if (pool === undefined || !countsTowardBudgets(node)) return;
    const { nodes, deleting, unready } = this.counts.get(pool) ?? ZERO;
    const isDeleting = node.deleting === true;
    this.counts.set(pool, {
      nodes: nodes + sign,
      deleting: deleting + (isDeleting ? sign : 0),
      unready: unready + (!isDeleting && node.ready === false ? sign : 0),
    });
  }
}

/** Nodes that are not initialized yet, or whose instance is terminating, do not count. */
export function countsTowardBudgets({ claim, initialized }: ClusterNode): boolean {
  return claim !== undefined && initialized && !claim.instanceTerminating;
}
