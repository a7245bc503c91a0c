import { SimulatedNode } from './simulated-node';
import { ClusterNode } from '../../cluster';

/** A node that is being deleted, and its index in the list of all nodes. */
export interface DeletingNode {
  readonly node: ClusterNode;
  readonly index: number;
}

/**
 * Nodes that are launched or deleted, or whose instance is about to end. Hot path: few of hundreds of nodes are, in
 * thousands of ticks.
 */
export class NodesInTransition {
  private readonly nodes = new Set<SimulatedNode>();
  private ordered?: readonly SimulatedNode[];
  private deleting?: { readonly all: readonly ClusterNode[]; readonly nodes: readonly DeletingNode[] };

  /** In launch order. The list is not changed while it is iterated. */
  public get all(): readonly SimulatedNode[] {
    return (this.ordered ??= [...this.nodes].sort((left, right) => left.ordinal - right.ordinal));
  }

  /** @param all snapshots of all nodes, as they are now */
  public deletingIn(all: readonly ClusterNode[]): readonly DeletingNode[] {
    if (this.deleting?.all === all) return this.deleting.nodes;
    const nodes: DeletingNode[] = [];
    for (const { isDeleting, index } of this.all) if (isDeleting) nodes.push({ node: all[index!], index: index! });
    this.deleting = { all, nodes };
    return nodes;
  }

  /** Adds or removes a node that has changed. */
  public update(node: SimulatedNode): void {
    const isInTransition = node.phase !== 'initialized' || node.instanceEndsAt !== undefined;
    if (isInTransition === this.nodes.has(node)) return;
    if (isInTransition) this.nodes.add(node);
    else this.nodes.delete(node);
    this.ordered = undefined;
  }

  public remove(node: SimulatedNode): void {
    if (this.nodes.delete(node)) this.ordered = undefined;
  }
}
