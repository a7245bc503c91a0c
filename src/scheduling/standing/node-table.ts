import { comesBefore, inTrialOrder, NodeView } from '../existing-nodes';
import { ExistingNode } from '../schedule-input';
import { changesBetween } from './node-changes';
import { NodeColumns, NodePart, Widths } from './node-columns';
import { NodeRow, NodeRows } from './node-rows';

export interface TabledNodes {
  /** In the order in which Karpenter tries them. */
  readonly views: readonly NodeView[];
  /** Until the next question. */
  readonly part: NodePart;
  /** The same for as long as `part` is. */
  readonly version: number;
}

/** What no longer counts where a node is another. */
export interface Without {
  readonly place: number;
  /** Triples (topology group, domain or host, pods). */
  readonly uncounted: Int32Array;
}

/** All nodes of a question, row by row. Most questions differ from the one before in a few nodes, and only these are gone over. */
export class NodeTable {
  private nodes: readonly ExistingNode[] = [];
  private views: NodeView[] = [];
  /** A copy that was given away, as long as nothing changes. */
  private told?: readonly NodeView[];
  private kept: NodeRow[] = [];
  private columns: NodeColumns;
  private version = 0;
  private readonly changes = new WeakMap<NodeRow, Without & { readonly row: NodeRow }>();

  /** @param offered bits of the domains that the pools offer */
  constructor(private readonly rows: NodeRows, private readonly widths: Widths, private readonly offered: BigUint64Array) {
    this.columns = new NodeColumns(widths, offered);
  }

  /** One of the same rows, where the pools offer other domains. */
  with(offered: BigUint64Array): NodeTable {
    return new NodeTable(this.rows, this.widths, offered);
  }

  /** Undefined where there is a node of a kind that was not encoded. */
  of(nodes: readonly ExistingNode[]): TabledNodes | undefined {
    const changes = changesBetween(this.nodes, nodes);
    if (!changes.every(({ is }) => is === undefined || this.rows.of(is) !== undefined)) return undefined;
    if (changes.length > 0) this.told = undefined;
    if (2 * changes.length > nodes.length) this.begin(nodes);
    else for (const { was, is } of changes) this.change(was, is);
    this.nodes = nodes;
    this.told ??= this.views.slice();
    return { views: this.told, part: this.columns.part(), version: this.version };
  }

  /**
   * What no longer counts where a node of the last question is another, that takes no pods: triples (topology group, domain or host, pods).
   * Undefined where a domain may be gone with it.
   */
  without(was: ExistingNode, left: ExistingNode): Without | undefined {
    const [before, after] = [this.rows.of(was), this.rows.of(left)];
    if (!before || !after || after.isUsable || !this.columns.areKnownWithout(before)) return undefined;
    const known = this.changes.get(after);
    // Most often it stands where it stood when this was last asked.
    if (known?.row === before && this.views[known.place]?.node === was) return known;
    const place = this.placeOf(was);
    const uncounted = known?.row === before ? this.rows.withHost(known.uncounted, place) : this.rows.difference(before, after, place);
    const found = { row: before, place, uncounted };
    this.changes.set(after, found);
    return found;
  }

  private begin(nodes: readonly ExistingNode[]): void {
    this.columns = new NodeColumns(this.widths, this.offered);
    this.version++;
    [this.views, this.kept] = [[], []];
    for (const at of inTrialOrder(nodes)) this.insert(this.views.length, nodes[at]);
  }

  private change(was: ExistingNode | undefined, is: ExistingNode | undefined): void {
    if (was && is && was.initialized === is.initialized) {
      const [place, row] = [this.placeOf(was), this.rows.of(is)!];
      this.views[place] = this.rows.view(is);
      if (row === this.kept[place]) return;
      this.columns.replace(place, this.kept[place], row);
      this.kept[place] = row;
      this.version++;
      return;
    }
    if (was) this.remove(this.placeOf(was));
    if (is) this.insert(this.firstNotBefore(is), is);
  }

  private insert(place: number, node: ExistingNode): void {
    this.version++;
    const row = this.rows.of(node)!;
    this.columns.insert(place, row);
    this.views.splice(place, 0, this.rows.view(node));
    this.kept.splice(place, 0, row);
  }

  private remove(place: number): void {
    this.version++;
    this.columns.remove(place, this.kept[place]);
    this.views.splice(place, 1);
    this.kept.splice(place, 1);
  }

  private placeOf(node: ExistingNode): number {
    let place = this.firstNotBefore(node);
    while (this.views[place].node !== node) place++;
    return place;
  }

  private firstNotBefore(node: ExistingNode): number {
    let [low, high] = [0, this.views.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (comesBefore(this.views[middle].node, node)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function isComplete<Item>(list: ReadonlyArray<Item | undefined>): list is readonly Item[] {
  return !list.includes(undefined);
}
