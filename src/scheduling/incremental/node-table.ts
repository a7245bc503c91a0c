import { ColumnWidths, NodeColumns, QueryNodes } from './node-columns';
import { NodeRow, NodeRowEncoder } from './node-rows';
import { ExistingNode } from '../input/schedule-input';
import { comesBefore, inTrialOrder, NodeView } from '../nodes/existing-nodes';

/** The nodes of one query. */
export interface NodeTableState {
  /** In the order in which Karpenter tries them. */
  readonly views: readonly NodeView[];
  /** Valid until the next update of the table. */
  readonly queryNodes: QueryNodes;
  /** Changes whenever `queryNodes` does. */
  readonly version: number;
}

/** The difference that removing a node makes. */
export interface RemovalDelta {
  /** The position of the node in the table. */
  readonly index: number;
  /** The pods that no longer count: triples (topology group, domain or host, pods). */
  readonly uncounted: Int32Array;
}

/**
 * The nodes of the latest query, row by row. An update only touches the nodes that changed since the query before,
 * which most often are few.
 */
export class NodeTable {
  private nodes: readonly ExistingNode[] = [];
  private views: NodeView[] = [];
  /** A copy of `views` that callers may keep. It is reused until a view changes. */
  private sharedViews?: readonly NodeView[];
  private rows: NodeRow[] = [];
  private columns: NodeColumns;
  private version = 0;
  private readonly removals = new WeakMap<NodeRow, RemovalDelta & { readonly row: NodeRow }>();

  /** @param offered bit set of the domains that the pools offer */
  public constructor(
    private readonly encoder: NodeRowEncoder,
    private readonly widths: ColumnWidths,
    private readonly offered: BigUint64Array,
  ) {
    this.columns = new NodeColumns(widths, offered);
  }

  /** An empty table that shares the encoded rows, for pools that offer other domains. */
  public withOfferedDomains(offered: BigUint64Array): NodeTable {
    return new NodeTable(this.encoder, this.widths, offered);
  }

  /** Undefined if there is a node that cannot be encoded. The table is unchanged then. */
  public update(nodes: readonly ExistingNode[]): NodeTableState | undefined {
    const changes = nodeChanges(this.nodes, nodes);
    if (!changes.every(({ current }) => current === undefined || this.encoder.encode(current) !== undefined))
      return undefined;
    if (changes.length > 0) this.sharedViews = undefined;
    if (2 * changes.length > nodes.length) this.rebuild(nodes);
    else for (const { previous, current } of changes) this.apply(previous, current);
    this.nodes = nodes;
    this.sharedViews ??= this.views.slice();
    return { views: this.sharedViews, queryNodes: this.columns.queryNodes(), version: this.version };
  }

  /**
   * The difference that it makes if a node of the latest update is replaced by what remains of it, which takes no pods.
   * Undefined if a topology domain may disappear with the node.
   */
  public removalDelta(node: ExistingNode, remains: ExistingNode): RemovalDelta | undefined {
    const [before, after] = [this.encoder.encode(node), this.encoder.encode(remains)];
    if (!before || !after || after.isUsable || !this.columns.keepsDomainsWithout(before)) return undefined;
    const cached = this.removals.get(after);
    // Most often the node is still at the same position.
    if (cached?.row === before && this.views[cached.index]?.node === node) return cached;
    const index = this.indexOf(node);
    const uncounted =
      cached?.row === before
        ? this.encoder.withHost(cached.uncounted, index)
        : this.encoder.countDifference(before, after, index);
    const delta = { row: before, index, uncounted };
    this.removals.set(after, delta);
    return delta;
  }

  private rebuild(nodes: readonly ExistingNode[]): void {
    this.columns = new NodeColumns(this.widths, this.offered);
    this.version++;
    [this.views, this.rows] = [[], []];
    for (const index of inTrialOrder(nodes)) this.insert(this.views.length, nodes[index]);
  }

  private apply(previous: ExistingNode | undefined, current: ExistingNode | undefined): void {
    if (previous && current && previous.initialized === current.initialized) {
      const [index, row] = [this.indexOf(previous), this.encoder.encode(current)!];
      this.views[index] = this.encoder.view(current);
      if (row === this.rows[index]) return;
      this.columns.replace(index, this.rows[index], row);
      this.rows[index] = row;
      this.version++;
      return;
    }
    if (previous) this.remove(this.indexOf(previous));
    if (current) this.insert(this.insertionIndex(current), current);
  }

  private insert(index: number, node: ExistingNode): void {
    this.version++;
    const row = this.encoder.encode(node)!;
    this.columns.insert(index, row);
    this.views.splice(index, 0, this.encoder.view(node));
    this.rows.splice(index, 0, row);
  }

  private remove(index: number): void {
    this.version++;
    this.columns.remove(index, this.rows[index]);
    this.views.splice(index, 1);
    this.rows.splice(index, 1);
  }

  private indexOf(node: ExistingNode): number {
    let index = this.insertionIndex(node);
    while (this.views[index].node !== node) index++;
    return index;
  }

  /** The index of the first node that does not come before this one. */
  private insertionIndex(node: ExistingNode): number {
    let [low, high] = [0, this.views.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (comesBefore(this.views[middle].node, node)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * The scheduler that a query stands for. kube-scheduler sees the pods of deleting nodes where they run; Karpenter
 * schedules them again together with the pending pods. Their queries alternate, so each has its own node table, and
 * differs little from the last query of the same scheduler.
 */
export type SchedulerName = 'Karpenter' | 'Kubernetes';

/** One node table for each scheduler. */
export type NodeTables = Readonly<Record<SchedulerName, NodeTable>>;

export function nodeTables(create: (scheduler: SchedulerName) => NodeTable): NodeTables {
  return { Karpenter: create('Karpenter'), Kubernetes: create('Kubernetes') };
}

/**
 * One difference between two lists of nodes: a node was removed, added, or replaced by a new object of the same name.
 */
interface NodeChange<Node> {
  /** Absent for an added node. */
  readonly previous?: Node;
  /** Absent for a removed node. */
  readonly current?: Node;
}

interface Named {
  readonly name: string;
}

/**
 * The changes that lead from one list of nodes to another. Objects are compared by identity.
 *
 * Nodes that stay are expected to keep their relative order. If they do not, the result is still correct, but longer
 * than necessary.
 */
export function nodeChanges<Node extends Named>(
  before: readonly Node[],
  after: readonly Node[],
): Array<NodeChange<Node>> {
  const changes: Array<NodeChange<Node>> = [];
  const isAdded = isMissingFrom(before);
  const isRemoved = isMissingFrom(after);
  let position = 0;
  // Fast path: most lists share a long prefix.
  while (position < before.length && before[position] === after[position]) position++;
  for (let index = position; index < before.length; index++) {
    const previous = before[index];
    if (after[position] === previous) {
      position++;
      continue;
    }
    // Fast path: if only this node was removed, the next one matches again, and no name has to be looked up.
    const isNextSame = position >= after.length || after[position] === before[index + 1];
    if (
      !isNextSame &&
      after[position].name !== previous.name &&
      (after[position + 1] === previous || !isRemoved(previous))
    ) {
      while (position < after.length && after[position] !== previous && isAdded(after[position]))
        changes.push({ current: after[position++] });
    }
    const current = after[position];
    if (current?.name !== previous.name) {
      changes.push({ previous });
      continue;
    }
    position++;
    if (current !== previous) changes.push({ previous, current });
  }
  for (; position < after.length; position++) changes.push({ current: after[position] });
  return changes;
}

/**
 * Tests whether no node of the list has a node's name. The names are collected on the first call, which most
 * comparisons never make.
 */
function isMissingFrom(nodes: readonly Named[]): (node: Named) => boolean {
  let names: ReadonlySet<string> | undefined;
  return ({ name }) => !(names ??= new Set(nodes.map((node) => node.name))).has(name);
}
