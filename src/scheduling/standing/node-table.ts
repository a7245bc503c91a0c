/* eslint-disable no-bitwise -- sets of domains are bit sets */
import { QuestionPart } from '../../kernel';
import { inTrialOrder, NodeView, viewOf } from '../existing-nodes';
import { DaemonSetSpec, ExistingNode } from '../schedule-input';
import { NodeRow, NodeRows } from './node-rows';

const WORD = 64;
/** With more nodes that differ, all are put together anew. */
const MOST_PATCHES = 24;

/** What the kernel is told of nodes. */
export type NodePart = Pick<QuestionPart,
  'nodeCount' | 'nodeSet' | 'nodeTaintSet' | 'nodeRemaining' | 'nodePorts' | 'nodeUsable' | 'topologyDomains' | 'topologyInitial' | 'hostInitial'>;

export interface TabledNodes {
  /** In the order in which Karpenter tries them. */
  readonly views: readonly NodeView[];
  readonly part: NodePart;
}

interface Base {
  readonly nodes: readonly ExistingNode[];
  /** Per node: its place among the views. */
  readonly places: Int32Array;
  readonly rows: readonly NodeRow[];
  /** Per slot of a domain: by how many rows it is known, and by the pools. */
  readonly knownBy: Int32Array;
  readonly tabled: TabledNodes;
}

interface Patch {
  readonly at: number;
  readonly view: NodeView;
  readonly row: NodeRow;
}

/** All nodes of a question, row by row. Most questions differ from the one before in a node or two, and only these are gone over. */
export class NodeTable {
  private base?: Base;
  private readonly knownByPools: Int32Array;
  private readonly changes = new WeakMap<NodeRow, { readonly row: NodeRow; readonly place: number; readonly uncounted: Int32Array }>();

  /**
   * @param offered bits of the domains that the pools offer
   * @param hostGroups how many topology groups are over hosts
   */
  constructor(
    private readonly rows: NodeRows, private readonly daemonSets: readonly DaemonSetSpec[], private readonly resources: number,
    private readonly portWords: number, private readonly offered: BigUint64Array, private readonly hostGroups: number,
  ) {
    const bits = new Uint8Array(offered.buffer);
    this.knownByPools = Int32Array.from({ length: offered.length * WORD }, (_, slot) => (bits[slot >> 3] >> (slot & 7)) & 1);
  }

  /** Undefined where there is a node of a kind that was not encoded. */
  of(nodes: readonly ExistingNode[]): TabledNodes | undefined {
    const changed = this.base && changedSince(this.base.nodes, nodes);
    if (this.base && changed) return this.patched(this.base, nodes, changed);
    this.base = this.assemble(nodes);
    return this.base?.tabled;
  }

  /**
   * What no longer counts where a node of the last question is another, that takes no pods: triples (topology group, domain or host, pods).
   * Undefined where a domain may be gone with it.
   */
  without(node: number, was: ExistingNode, left: ExistingNode): { readonly place: number; readonly uncounted: Int32Array } | undefined {
    const [before, after] = [was, left].map((each) => this.rows.of(viewOf(each, this.daemonSets)));
    if (!this.base || !before || !after || after.isUsable || before.known.some((slot) => !this.isKnownWithout(slot))) return undefined;
    const place = this.base.places[node];
    const known = this.changes.get(after);
    if (known?.row === before && known.place === place) return { place, uncounted: known.uncounted };
    const uncounted = this.rows.difference(before, after, place);
    this.changes.set(after, { row: before, place, uncounted });
    return { place, uncounted };
  }

  /** By the pools, or by so many nodes that some of them are left. */
  private isKnownWithout(slot: number): boolean {
    return this.knownByPools[slot] > 0 || this.base!.knownBy[slot] > 4 * MOST_PATCHES;
  }

  private patched(base: Base, nodes: readonly ExistingNode[], changed: readonly number[]): TabledNodes | undefined {
    const patches: Patch[] = [];
    for (const node of changed) {
      const view = viewOf(nodes[node], this.daemonSets);
      const row = this.rows.of(view);
      if (row === undefined) return undefined;
      patches.push({ at: base.places[node], view, row });
    }
    const views = [...base.tabled.views];
    const part = copyOf(base.tabled.part);
    for (const { at, view, row } of patches) {
      views[at] = view;
      addCounts(part, base.rows[at], -1);
      addCounts(part, row, 1);
      this.write(part, at, row);
      know(part, base.knownBy, row.known, 1);
      know(part, base.knownBy, base.rows[at].known, -1);
    }
    // The next question begins with the base again.
    for (const { at, row } of patches) {
      count(base.knownBy, row.known, -1);
      count(base.knownBy, base.rows[at].known, 1);
    }
    return { views, part };
  }

  private assemble(nodes: readonly ExistingNode[]): Base | undefined {
    const order = inTrialOrder(nodes);
    const views = order.map((node) => viewOf(nodes[node], this.daemonSets));
    const found = views.map((view) => this.rows.of(view));
    if (!isComplete(found)) return undefined;
    const rows: readonly NodeRow[] = found;
    const places = new Int32Array(nodes.length);
    order.forEach((node, at) => { places[node] = at; });
    const part: NodePart = {
      nodeCount: rows.length,
      nodeSet: new Int32Array(rows.length),
      nodeTaintSet: new Int32Array(rows.length),
      nodeUsable: new Uint8Array(rows.length),
      nodeRemaining: new BigInt64Array(rows.length * this.resources),
      nodePorts: new BigUint64Array(rows.length * this.portWords),
      topologyDomains: this.offered.slice(),
      topologyInitial: new Int32Array(this.offered.length * WORD),
      hostInitial: new Int32Array(rows.length * this.hostGroups),
    };
    const knownBy = this.knownByPools.slice();
    const lists = new Map<Int32Array, number>();
    rows.forEach((row, at) => {
      addCounts(part, row, 1);
      this.write(part, at, row);
      lists.set(row.known, (lists.get(row.known) ?? 0) + 1);
    });
    for (const [slots, times] of lists) know(part, knownBy, slots, times);
    return { nodes, places, rows, knownBy, tabled: { views, part } };
  }

  private write(part: NodePart, at: number, { set, taints, isUsable, remaining, ports, hosts }: NodeRow): void {
    part.nodeSet[at] = set;
    part.nodeTaintSet[at] = taints;
    part.nodeUsable[at] = isUsable ? 1 : 0;
    part.nodeRemaining.set(remaining, at * this.resources);
    if (this.portWords > 0) part.nodePorts.set(ports, at * this.portWords);
    if (this.hostGroups > 0) part.hostInitial.set(hosts, at * this.hostGroups);
  }
}

/** Which of the nodes are others; undefined where too many are, or their order may be another. */
function changedSince(before: readonly ExistingNode[], nodes: readonly ExistingNode[]): number[] | undefined {
  if (before.length !== nodes.length) return undefined;
  const changed: number[] = [];
  for (let at = 0; at < nodes.length; at++) {
    if (nodes[at] === before[at]) continue;
    if (nodes[at].name !== before[at].name || nodes[at].initialized !== before[at].initialized || changed.length === MOST_PATCHES) return undefined;
    changed.push(at);
  }
  return changed;
}

/** Sets the bits of domains that become known, and takes away those of domains that no longer are. */
function know({ topologyDomains }: NodePart, knownBy: Int32Array, slots: Int32Array, change: number): void {
  const bits = new Uint8Array(topologyDomains.buffer);
  for (const slot of slots) {
    knownBy[slot] += change;
    if (knownBy[slot] === 0) bits[slot >> 3] &= ~(1 << (slot & 7));
    else bits[slot >> 3] |= 1 << (slot & 7);
  }
}

function count(knownBy: Int32Array, slots: Int32Array, change: 1 | -1): void {
  for (const slot of slots) knownBy[slot] += change;
}

function addCounts({ topologyInitial }: NodePart, { counted }: NodeRow, sign: number): void {
  for (let at = 0; at < counted.length; at += 2) topologyInitial[counted[at]] += sign * counted[at + 1];
}

function copyOf(part: NodePart): NodePart {
  return {
    nodeCount: part.nodeCount,
    nodeSet: part.nodeSet.slice(),
    nodeTaintSet: part.nodeTaintSet.slice(),
    nodeUsable: part.nodeUsable.slice(),
    nodeRemaining: part.nodeRemaining.slice(),
    nodePorts: part.nodePorts.slice(),
    topologyDomains: part.topologyDomains.slice(),
    topologyInitial: part.topologyInitial.slice(),
    hostInitial: part.hostInitial.slice(),
  };
}

export function isComplete<Item>(list: ReadonlyArray<Item | undefined>): list is readonly Item[] {
  return !list.includes(undefined);
}
