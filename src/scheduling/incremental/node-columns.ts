/* eslint-disable no-bitwise -- sets of domains are bit sets */
import { NodeRow } from './node-rows';
import { PackerProblem, QueryProblem } from '../../kernel';

const WORD_BITS = 64;

/** The part of a query that describes its nodes. */
export type QueryNodes = Pick<
  QueryProblem,
  | 'nodeCount'
  | 'nodeSet'
  | 'nodeTaintSet'
  | 'nodeRemaining'
  | 'nodePorts'
  | 'nodeUsable'
  | 'topologyDomains'
  | 'topologyInitial'
  | 'hostInitial'
>;

type Column = Int32Array | Uint8Array | BigInt64Array | BigUint64Array;

export interface ColumnWidths {
  readonly resources: number;
  readonly portWords: number;
  /** Topology groups over hosts. */
  readonly hostGroups: number;
  /** How many counts of pods there are: one for each domain of each topology group. */
  readonly counts: number;
  /** Per domain slot: the index of its count. */
  readonly countIndices: Int32Array;
}

/** Domain slots are numbered in words of 64 bits per topology group; counts are stored without gaps. */
export function countWidths(
  problem: Pick<
    PackerProblem,
    | 'topologyKey'
    | 'keyValueCount'
    | 'topologyDomainStart'
    | 'topologyDomains'
    | 'topologyCountStart'
    | 'topologyInitial'
  >,
): Pick<ColumnWidths, 'counts' | 'countIndices'> {
  const { topologyKey, keyValueCount, topologyDomainStart, topologyDomains, topologyCountStart, topologyInitial } =
    problem;
  const countIndices = new Int32Array(topologyDomains.length * WORD_BITS);
  topologyKey.forEach((key, group) => {
    const start = topologyDomainStart[group] * WORD_BITS;
    for (let value = 0; key >= 0 && value < keyValueCount[key]; value++)
      countIndices[start + value] = topologyCountStart[group] + value;
  });
  return { counts: topologyInitial.length, countIndices };
}

/** Node rows stored column by column, with spare capacity, and the totals that the nodes add to topology counts. */
export class NodeColumns {
  private count = 0;
  private capacity = 0;
  private sets = new Int32Array();
  private taints = new Int32Array();
  private usable = new Uint8Array();
  private remaining = new BigInt64Array();
  private ports = new BigUint64Array();
  private hosts = new Int32Array();
  private readonly domains: BigUint64Array;
  private readonly domainBits: Uint8Array;
  private readonly initial: Int32Array;
  /** Per domain slot: how many rows have the domain, plus 1 if the pools offer it. */
  private readonly domainReferences: Int32Array;
  /**
   * The views of the last call of `queryNodes`. They stay valid while the number of rows does, since rows are
   * overwritten in place.
   */
  private lastNodes?: QueryNodes;

  /** @param offered bit set of the domains that the pools offer */
  public constructor(
    private readonly widths: ColumnWidths,
    offered: BigUint64Array,
  ) {
    this.domains = offered.slice();
    this.domainBits = new Uint8Array(this.domains.buffer);
    this.initial = new Int32Array(widths.counts);
    this.domainReferences = Int32Array.from(
      { length: offered.length * WORD_BITS },
      (_, slot) => (this.domainBits[slot >> 3] >> (slot & 7)) & 1,
    );
  }

  public insert(index: number, row: NodeRow): void {
    if (this.count === this.capacity) this.grow();
    this.move(index, index + 1);
    this.count++;
    this.write(index, row);
    this.addCounts(row, 1);
    this.reference(row.labels.domains, 1);
  }

  public remove(index: number, row: NodeRow): void {
    this.addCounts(row, -1);
    this.reference(row.labels.domains, -1);
    this.move(index + 1, index);
    this.count--;
  }

  public replace(index: number, previous: NodeRow, current: NodeRow): void {
    this.addCounts(previous, -1);
    this.addCounts(current, 1);
    this.write(index, current);
    if (previous.labels === current.labels) return;
    this.reference(previous.labels.domains, -1);
    this.reference(current.labels.domains, 1);
  }

  /**
   * Whether all domains of a row stay known without it. A domain that its pods count for may be referenced twice by the
   * row.
   */
  public keepsDomainsWithout({ labels: { domains }, counted }: NodeRow): boolean {
    for (let index = 0; index < domains.length; index++) if (this.domainReferences[domains[index]] <= 1) return false;
    for (let index = 0; index < counted.length; index += 2)
      if (this.domainReferences[counted[index]] <= 2) return false;
    return true;
  }

  /** Views of the current rows. They are valid until the next change. */
  public queryNodes(): QueryNodes {
    const {
      count,
      widths: { resources, portWords, hostGroups },
    } = this;
    if (this.lastNodes?.nodeCount === count && this.lastNodes.nodeSet.buffer === this.sets.buffer)
      return this.lastNodes;
    return (this.lastNodes = {
      nodeCount: count,
      nodeSet: this.sets.subarray(0, count),
      nodeTaintSet: this.taints.subarray(0, count),
      nodeUsable: this.usable.subarray(0, count),
      nodeRemaining: this.remaining.subarray(0, count * resources),
      nodePorts: this.ports.subarray(0, count * portWords),
      topologyDomains: this.domains,
      topologyInitial: this.initial,
      hostInitial: this.hosts.subarray(0, count * hostGroups),
    });
  }

  private write(index: number, { labels: { set, taints }, isUsable, remaining, ports, hosts }: NodeRow): void {
    const { resources, portWords, hostGroups } = this.widths;
    this.sets[index] = set;
    this.taints[index] = taints;
    this.usable[index] = isUsable ? 1 : 0;
    this.remaining.set(remaining, index * resources);
    if (portWords > 0) this.ports.set(ports, index * portWords);
    if (hostGroups > 0) this.hosts.set(hosts, index * hostGroups);
  }

  private addCounts({ counted }: NodeRow, sign: 1 | -1): void {
    const { countIndices } = this.widths;
    for (let index = 0; index < counted.length; index += 2) {
      this.initial[countIndices[counted[index]]] += sign * counted[index + 1];
      this.referenceOne(counted[index], sign);
    }
  }

  private reference(slots: Int32Array, change: 1 | -1): void {
    for (let index = 0; index < slots.length; index++) this.referenceOne(slots[index], change);
  }

  /** Keeps the bit of a domain set while the domain has references. */
  private referenceOne(slot: number, change: 1 | -1): void {
    const { domainBits, domainReferences } = this;
    domainReferences[slot] += change;
    if (domainReferences[slot] === 0) domainBits[slot >> 3] &= ~(1 << (slot & 7));
    else domainBits[slot >> 3] |= 1 << (slot & 7);
  }

  /** Moves all rows from one index on. */
  private move(from: number, to: number): void {
    for (const [column, width] of this.columns()) column.copyWithin(to * width, from * width, this.count * width);
  }

  private grow(): void {
    this.capacity = Math.max(16, 2 * this.capacity);
    const { resources, portWords, hostGroups } = this.widths;
    const { sets, taints, usable, remaining, ports, hosts } = this;
    (this.sets = new Int32Array(this.capacity)).set(sets);
    (this.taints = new Int32Array(this.capacity)).set(taints);
    (this.usable = new Uint8Array(this.capacity)).set(usable);
    (this.remaining = new BigInt64Array(this.capacity * resources)).set(remaining);
    (this.ports = new BigUint64Array(this.capacity * portWords)).set(ports);
    (this.hosts = new Int32Array(this.capacity * hostGroups)).set(hosts);
  }

  private columns(): ReadonlyArray<readonly [Column, number]> {
    const { resources, portWords, hostGroups } = this.widths;
    return [
      [this.sets, 1],
      [this.taints, 1],
      [this.usable, 1],
      [this.remaining, resources],
      [this.ports, portWords],
      [this.hosts, hostGroups],
    ];
  }
}
