import { ExistingNode } from '../schedule-input';
import { NodeTable, TabledNodes, Without } from './node-table';

/**
 * Who places pods: Kubernetes sees those of nodes that go where they are, and Karpenter has them wait with the others. Their questions take
 * turns, and each differs little from the last of its kind.
 */
export type Placer = 'Karpenter' | 'Kubernetes';

/** A table for each placer. */
export class NodeTables {
  private readonly tables: Readonly<Record<Placer, NodeTable>>;

  /** @param make another table of the same problem */
  public constructor(make: () => NodeTable) {
    this.tables = { Karpenter: make(), Kubernetes: make() };
  }

  /** As `NodeTable` has it. */
  public with(offered: BigUint64Array): NodeTables {
    return new NodeTables(() => this.tables.Karpenter.with(offered));
  }

  /** Undefined where there is a node of a kind that was not encoded. */
  public of(nodes: readonly ExistingNode[], placer: Placer): TabledNodes | undefined {
    return this.tables[placer].of(nodes);
  }

  /** For Karpenter, as `NodeTable` has it. */
  public without(was: ExistingNode, left: ExistingNode): Without | undefined {
    return this.tables.Karpenter.without(was, left);
  }
}
