/* eslint-disable no-bitwise -- sets of domains are bit sets */
import { NodeRow } from './node-rows';
import { PackerProblem, QuestionPart } from '../../kernel';

const WORD = 64;

/** What the kernel is told of nodes. */
export type NodePart = Pick<QuestionPart,
  'nodeCount' | 'nodeSet' | 'nodeTaintSet' | 'nodeRemaining' | 'nodePorts' | 'nodeUsable' | 'topologyDomains' | 'topologyInitial' | 'hostInitial'>;

type Column = Int32Array | Uint8Array | BigInt64Array | BigUint64Array;

/** How wide the columns are. */
export interface Widths {
  readonly resources: number;
  readonly portWords: number;
  /** Topology groups over hosts. */
  readonly hostGroups: number;
  /** Pods are counted per domain in so many places; and per slot of a domain, which one is its. */
  readonly counts: number;
  readonly countPlaces: Int32Array;
}

/** Slots are numbered by words of bits, and counts stand behind one another. */
export function countWidths(
  problem: Pick<PackerProblem, 'topologyKey' | 'keyValueCount' | 'topologyDomainStart' | 'topologyDomains' | 'topologyCountStart' | 'topologyInitial'>,
): Pick<Widths, 'counts' | 'countPlaces'> {
  const { topologyKey, keyValueCount, topologyDomainStart, topologyDomains, topologyCountStart, topologyInitial } = problem;
  const countPlaces = new Int32Array(topologyDomains.length * WORD);
  topologyKey.forEach((key, group) => {
    const start = topologyDomainStart[group] * WORD;
    for (let value = 0; key >= 0 && value < keyValueCount[key]; value++) countPlaces[start + value] = topologyCountStart[group] + value;
  });
  return { counts: topologyInitial.length, countPlaces };
}

/** The rows of nodes column by column, with room for more, and what the nodes add to topology counts. */
export class NodeColumns {
  private count = 0;
  private room = 0;
  private sets = new Int32Array();
  private taints = new Int32Array();
  private usable = new Uint8Array();
  private remaining = new BigInt64Array();
  private ports = new BigUint64Array();
  private hosts = new Int32Array();
  private readonly domains: BigUint64Array;
  private readonly domainBits: Uint8Array;
  private readonly initial: Int32Array;
  /** Per slot of a domain: by how many rows it is known, and by the pools. */
  private readonly knownBy: Int32Array;
  /** What was last told, which stays as long as there are as many rows: the same numbers are written over. */
  private told?: NodePart;

  /** @param offered bits of the domains that the pools offer */
  public constructor(private readonly widths: Widths, offered: BigUint64Array) {
    this.domains = offered.slice();
    this.domainBits = new Uint8Array(this.domains.buffer);
    this.initial = new Int32Array(widths.counts);
    this.knownBy = Int32Array.from({ length: offered.length * WORD }, (_, slot) => (this.domainBits[slot >> 3] >> (slot & 7)) & 1);
  }

  public insert(at: number, row: NodeRow): void {
    if (this.count === this.room) this.grow();
    this.move(at, at + 1);
    this.count++;
    this.write(at, row);
    this.addCounts(row, 1);
    this.know(row.terms.known, 1);
  }

  public remove(at: number, row: NodeRow): void {
    this.addCounts(row, -1);
    this.know(row.terms.known, -1);
    this.move(at + 1, at);
    this.count--;
  }

  public replace(at: number, row: NodeRow, other: NodeRow): void {
    this.addCounts(row, -1);
    this.addCounts(other, 1);
    this.write(at, other);
    if (row.terms === other.terms) return;
    this.know(row.terms.known, -1);
    this.know(other.terms.known, 1);
  }

  /** Whether its domains stay known when a row goes: those that its pods count for it may name twice. */
  public areKnownWithout({ terms: { known }, counted }: NodeRow): boolean {
    for (let at = 0; at < known.length; at++) if (this.knownBy[known[at]] <= 1) return false;
    for (let at = 0; at < counted.length; at += 2) if (this.knownBy[counted[at]] <= 2) return false;
    return true;
  }

  /** What stands here until the next change. */
  public part(): NodePart {
    const { count, widths: { resources, portWords, hostGroups } } = this;
    if (this.told?.nodeCount === count && this.told.nodeSet.buffer === this.sets.buffer) return this.told;
    return this.told = {
      nodeCount: count,
      nodeSet: this.sets.subarray(0, count),
      nodeTaintSet: this.taints.subarray(0, count),
      nodeUsable: this.usable.subarray(0, count),
      nodeRemaining: this.remaining.subarray(0, count * resources),
      nodePorts: this.ports.subarray(0, count * portWords),
      topologyDomains: this.domains,
      topologyInitial: this.initial,
      hostInitial: this.hosts.subarray(0, count * hostGroups),
    };
  }

  private write(at: number, { terms: { set, taints }, isUsable, remaining, ports, hosts }: NodeRow): void {
    const { resources, portWords, hostGroups } = this.widths;
    this.sets[at] = set;
    this.taints[at] = taints;
    this.usable[at] = isUsable ? 1 : 0;
    this.remaining.set(remaining, at * resources);
    if (portWords > 0) this.ports.set(ports, at * portWords);
    if (hostGroups > 0) this.hosts.set(hosts, at * hostGroups);
  }

  private addCounts({ counted }: NodeRow, sign: 1 | -1): void {
    const { countPlaces } = this.widths;
    for (let at = 0; at < counted.length; at += 2) {
      this.initial[countPlaces[counted[at]]] += sign * counted[at + 1];
      this.knowOne(counted[at], sign);
    }
  }

  private know(slots: Int32Array, change: 1 | -1): void {
    for (let at = 0; at < slots.length; at++) this.knowOne(slots[at], change);
  }

  /** Sets the bit of a domain that becomes known, and takes away that of one that no longer is. */
  private knowOne(slot: number, change: 1 | -1): void {
    const { domainBits, knownBy } = this;
    knownBy[slot] += change;
    if (knownBy[slot] === 0) domainBits[slot >> 3] &= ~(1 << (slot & 7));
    else domainBits[slot >> 3] |= 1 << (slot & 7);
  }

  /** All rows from one on. */
  private move(from: number, to: number): void {
    for (const [column, width] of this.columns()) column.copyWithin(to * width, from * width, this.count * width);
  }

  private grow(): void {
    this.room = Math.max(16, 2 * this.room);
    const { resources, portWords, hostGroups } = this.widths;
    const { sets, taints, usable, remaining, ports, hosts } = this;
    (this.sets = new Int32Array(this.room)).set(sets);
    (this.taints = new Int32Array(this.room)).set(taints);
    (this.usable = new Uint8Array(this.room)).set(usable);
    (this.remaining = new BigInt64Array(this.room * resources)).set(remaining);
    (this.ports = new BigUint64Array(this.room * portWords)).set(ports);
    (this.hosts = new Int32Array(this.room * hostGroups)).set(hosts);
  }

  private columns(): ReadonlyArray<readonly [Column, number]> {
    const { resources, portWords, hostGroups } = this.widths;
    return [[this.sets, 1], [this.taints, 1], [this.usable, 1], [this.remaining, resources], [this.ports, portWords], [this.hosts, hostGroups]];
  }
}
