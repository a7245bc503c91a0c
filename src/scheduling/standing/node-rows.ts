import { Label, ResourceList } from '../../model';
import { NodeView, viewOf } from '../existing-nodes';
import { isUsable, remainingOf } from '../node-encoder';
import { areAlike, podRequests, PodTally, podTallies } from '../node-facts';
import { EncodedProblem } from '../problem';
import { DaemonSetSpec, ExistingNode } from '../schedule-input';
import { TopologyGroups } from '../topology-groups';
import { KnownPods } from './known-pods';
import { AllNodeTerms, NodeTerms, UNCOUNTED, UNKNOWN } from './node-terms';

const WORD = 64;

/** A node as the kernel gets it, to be copied as it is into each problem. */
export interface NodeRow {
  readonly terms: NodeTerms;
  readonly isUsable: boolean;
  readonly remaining: BigInt64Array;
  readonly ports: BigUint64Array;
  /** Pairs: the slot of a domain, which is known by its pods then, and how many pods the node adds to its count. */
  readonly counted: Int32Array;
  /** Per group over hosts: pods. */
  readonly hosts: Int32Array;
}

/** A row, and what of a node it was made from. */
interface Made extends Pick<ExistingNode, 'allocatable' | 'volumeLimits'> {
  readonly tallies: readonly PodTally[];
  /** What is left of it for pods; absent where it takes none. */
  readonly left?: ResourceList;
  readonly row: NodeRow;
}

/** Rows of the nodes, each made once for as long as the node's object lasts, or the next one is as good as the same. */
export class NodeRows {
  private readonly rows = new WeakMap<ExistingNode, NodeRow>();
  /** The last one of each node: what most often changes of its pods is whether they are ready. */
  private readonly made = new WeakMap<NodeTerms, Made>();
  private readonly terms: AllNodeTerms;
  /** Per topology group its column among those over hosts; -1 for the others. */
  private readonly hostColumns: Int32Array;
  private readonly hostGroups: number;

  public constructor(
    private readonly encoded: EncodedProblem, topologies: TopologyGroups, private readonly pods: KnownPods,
    private readonly daemonSets: readonly DaemonSetSpec[],
  ) {
    this.terms = new AllNodeTerms(encoded, topologies);
    let column = 0;
    this.hostColumns = Int32Array.from(topologies.groups, ({ key }) => key === Label.HOSTNAME ? column++ : -1);
    this.hostGroups = column;
  }

  public view(node: ExistingNode): NodeView {
    return viewOf(node, this.daemonSets);
  }

  /** Undefined where something of the node was not there when the problem was encoded. */
  public of(node: ExistingNode): NodeRow | undefined {
    const known = this.rows.get(node);
    if (known) return known;
    const made = this.make(node);
    if (made) this.rows.set(node, made);
    return made;
  }

  /** Pods that the one counts and the other does not: triples (topology group, domain or, of a group over hosts, this host, pods). */
  public difference(row: NodeRow, other: NodeRow, host: number): Int32Array {
    const slots = new Map<number, number>();
    const add = ({ counted }: NodeRow, sign: number) => {
      for (let at = 0; at < counted.length; at += 2) slots.set(counted[at], (slots.get(counted[at]) ?? 0) + sign * counted[at + 1]);
    };
    add(row, 1);
    add(other, -1);
    const found: number[] = [];
    for (const [slot, pods] of slots) {
      const group = pods === 0 ? -1 : this.groupOf(slot);
      if (group >= 0) found.push(group, slot - this.encoded.problem.topologyDomainStart[group] * WORD, pods);
    }
    this.hostColumns.forEach((column, group) => {
      const pods = column < 0 ? 0 : row.hosts[column] - other.hosts[column];
      if (pods !== 0) found.push(group, host, pods);
    });
    return Int32Array.from(found);
  }

  /** Such a difference of the same rows, where they stand in another place. */
  public withHost(difference: Int32Array, host: number): Int32Array {
    const found = difference.slice();
    for (let at = 0; at < found.length; at += 3) if (this.hostColumns[found[at]] >= 0) found[at + 1] = host;
    return found;
  }

  /** The group that a domain is of. */
  private groupOf(slot: number): number {
    const { topologyDomainStart: starts } = this.encoded.problem;
    let group = this.hostColumns.length - 1;
    while (this.hostColumns[group] >= 0 || starts[group] * WORD > slot) group--;
    return group;
  }

  private make(node: ExistingNode): NodeRow | undefined {
    const { allocatable, volumeLimits } = node;
    const terms = this.terms.of(node);
    if (terms === undefined) return undefined;
    const tallies = podTallies(node.pods);
    const last = this.made.get(terms);
    if (last?.allocatable === allocatable && last.volumeLimits === volumeLimits && areEqual(last.tallies, tallies)) return last.row;
    if (!tallies.every(({ sample }) => this.pods.has(sample))) return undefined;
    const counts = this.counts(tallies, terms);
    if (counts === undefined) return undefined;
    const { resources, ports } = this.encoded;
    // What is left of a node that takes no pods nobody asks.
    const left = node.leaving ? undefined : (last && leftSince(last, node, tallies)) ?? this.view(node).remaining;
    const made = {
      terms,
      isUsable: left !== undefined && isUsable({ node, remaining: left }),
      remaining: left ? BigInt64Array.from(remainingOf({ remaining: left }, resources)) : new BigInt64Array(resources.length),
      ports: ports.words === 0 ? NO_PORTS : ports.encode([this.view(node).hostPorts]),
      ...counts,
    };
    const row = last && areSame(last.row, made) ? last.row : made;
    this.made.set(terms, { allocatable, volumeLimits, tallies, left, row });
    return row;
  }

  private counts(tallies: readonly PodTally[], { counted: slots }: NodeTerms): Pick<NodeRow, 'counted' | 'hosts'> | undefined {
    const hosts = this.hostGroups === 0 ? NO_HOSTS : new Int32Array(this.hostGroups);
    const counted: number[] = [];
    for (const { sample, count } of tallies) {
      for (const group of this.pods.groupsOf(sample)) {
        const slot = slots[group];
        if (slot === UNKNOWN) return undefined;
        if (slot === UNCOUNTED) continue;
        if (this.hostColumns[group] < 0) addTo(counted, slot, count);
        else hosts[this.hostColumns[group]] += count;
      }
    }
    return { counted: Int32Array.from(counted), hosts };
  }
}

const NO_HOSTS = new Int32Array();

/** To the count of a slot, which has a place behind the others where it has none yet: of one node they are few. */
function addTo(counted: number[], slot: number, count: number): void {
  for (let at = 0; at < counted.length; at += 2) {
    if (counted[at] !== slot) continue;
    counted[at + 1] += count;
    return;
  }
  counted.push(slot, count);
}

function areEqual(tallies: readonly PodTally[], others: readonly PodTally[]): boolean {
  return tallies.length === others.length
    && tallies.every(({ sample, count }, at) => count === others[at].count && areAlike(sample, others[at].sample));
}

const NO_PORTS = new BigUint64Array();

/**
 * What is left of a node that had other pods, told by these alone; undefined where more of it may be another: pods of DaemonSets that it
 * lacks count, and volumes count once for several.
 */
function leftSince({ tallies, allocatable, volumeLimits, left }: Made, node: ExistingNode, others: readonly PodTally[]): ResourceList | undefined {
  if (left === undefined || allocatable !== node.allocatable || (volumeLimits ?? node.volumeLimits) !== undefined) return undefined;
  const changed = [...missingIn(others, tallies), ...missingIn(tallies, others).map(({ sample, count }) => ({ sample, count: -count }))];
  if (changed.some(({ sample }) => sample.daemon)) return undefined;
  const after = new Map(left);
  for (const { sample: { shape }, count } of changed) {
    for (const [resource, amount] of podRequests(shape)) {
      // What it does not have at all is not told of it.
      const before = after.get(resource);
      if (before !== undefined) after.set(resource, before + amount * BigInt(count));
    }
  }
  return after;
}

/** Those of the others that there are less of, and by how many. */
function missingIn(tallies: readonly PodTally[], others: readonly PodTally[]): PodTally[] {
  return others.flatMap(({ sample, count }) => {
    const missing = count - (tallies.find((each) => areAlike(each.sample, sample))?.count ?? 0);
    return missing > 0 ? [{ sample, count: missing }] : [];
  });
}

/** Of one node. */
function areSame(row: NodeRow, other: NodeRow): boolean {
  return row.isUsable === other.isUsable && areEqualNumbers(row.remaining, other.remaining) && areEqualNumbers(row.counted, other.counted)
    && areEqualNumbers(row.hosts, other.hosts) && areEqualNumbers(row.ports, other.ports);
}

function areEqualNumbers<Numbers extends Int32Array | BigInt64Array | BigUint64Array>(numbers: Numbers, others: Numbers): boolean {
  if (numbers.length !== others.length) return false;
  for (let at = 0; at < numbers.length; at++) if (numbers[at] !== others[at]) return false;
  return true;
}
