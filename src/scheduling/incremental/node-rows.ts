import { EncodedLabels, NodeLabelEncoder, UNCOUNTED, UNKNOWN } from './node-labels';
import { PodKinds } from './pod-kinds';
import { Label, ResourceList } from '../../model';
import { isUsable, remainingOf } from '../encoding/node-encoder';
import { EncodedProblem } from '../encoding/problem';
import { DaemonSetSpec, ExistingNode } from '../input/schedule-input';
import { NodeView, NodeViews } from '../nodes/existing-nodes';
import { areEquivalentPods, podRequests, podTallies, PodTally } from '../nodes/node-facts';
import { TopologyGroups } from '../topology/topology-groups';

const WORD_BITS = 64;

/** One node in the kernel's form. It is copied unchanged into every query that has the node. */
export interface NodeRow {
  readonly labels: EncodedLabels;
  readonly isUsable: boolean;
  readonly remaining: BigInt64Array;
  readonly ports: BigUint64Array;
  /**
   * Pairs (domain slot, pods): what the pods of the node add to the count of a domain. They also make the domain known.
   */
  readonly counted: Int32Array;
  /** Pods per topology group over hosts. */
  readonly hosts: Int32Array;
}

/** A row, and the part of the node that it was encoded from. */
interface EncodedRow extends Pick<ExistingNode, 'allocatable' | 'volumeLimits'> {
  readonly tallies: readonly PodTally[];
  /** The resources left for pods. Absent if the node takes none. */
  readonly left?: ResourceList;
  readonly row: NodeRow;
}

/**
 * Encodes nodes, and keeps each row while the object of the node lives. If only the readiness of its pods changes, the
 * row stays the same object.
 */
export class NodeRowEncoder {
  private readonly rows = new WeakMap<ExistingNode, NodeRow>();
  /** The latest row of each node. Most changes to a node concern the readiness of its pods, which no row depends on. */
  private readonly latest = new WeakMap<EncodedLabels, EncodedRow>();
  private readonly labels: NodeLabelEncoder;
  private readonly views: NodeViews;
  /** Per topology group: its column among the groups over hosts; -1 for the other groups. */
  private readonly hostColumns: Int32Array;
  private readonly hostGroups: number;

  public constructor(
    private readonly encoded: EncodedProblem,
    topologies: TopologyGroups,
    private readonly kinds: PodKinds,
    daemonSets: readonly DaemonSetSpec[],
  ) {
    this.labels = new NodeLabelEncoder(encoded, topologies);
    this.views = new NodeViews(daemonSets);
    let column = 0;
    this.hostColumns = Int32Array.from(topologies.groups, ({ key }) => (key === Label.HOSTNAME ? column++ : -1));
    this.hostGroups = column;
  }

  public view(node: ExistingNode): NodeView {
    return this.views.get(node);
  }

  /** Undefined if the solver was not encoded with something of the node. */
  public encode(node: ExistingNode): NodeRow | undefined {
    const cached = this.rows.get(node);
    if (cached) return cached;
    const row = this.encodeNode(node);
    if (row) this.rows.set(node, row);
    return row;
  }

  /**
   * The pods that `row` counts and `remaining` does not: triples (topology group, domain, pods). For a group over hosts
   * the domain is `host`.
   */
  public countDifference(row: NodeRow, remaining: NodeRow, host: number): Int32Array {
    const podsBySlot = new Map<number, number>();
    const add = ({ counted }: NodeRow, sign: number) => {
      for (let index = 0; index < counted.length; index += 2) {
        podsBySlot.set(counted[index], (podsBySlot.get(counted[index]) ?? 0) + sign * counted[index + 1]);
      }
    };
    add(row, 1);
    add(remaining, -1);
    const triples: number[] = [];
    for (const [slot, pods] of podsBySlot) {
      const group = pods === 0 ? -1 : this.groupOfSlot(slot);
      if (group >= 0) triples.push(group, slot - this.encoded.problem.topologyDomainStart[group] * WORD_BITS, pods);
    }
    this.hostColumns.forEach((column, group) => {
      const pods = column < 0 ? 0 : row.hosts[column] - remaining.hosts[column];
      if (pods !== 0) triples.push(group, host, pods);
    });
    return Int32Array.from(triples);
  }

  /** A copy of such a difference for another position of the node. */
  public withHost(difference: Int32Array, host: number): Int32Array {
    const triples = difference.slice();
    for (let index = 0; index < triples.length; index += 3)
      if (this.hostColumns[triples[index]] >= 0) triples[index + 1] = host;
    return triples;
  }

  /** The topology group that a domain slot belongs to. */
  private groupOfSlot(slot: number): number {
    const { topologyDomainStart: starts } = this.encoded.problem;
    let group = this.hostColumns.length - 1;
    while (this.hostColumns[group] >= 0 || starts[group] * WORD_BITS > slot) group--;
    return group;
  }

  private encodeNode(node: ExistingNode): NodeRow | undefined {
    const { allocatable, volumeLimits } = node;
    const labels = this.labels.encode(node);
    if (labels === undefined) return undefined;
    const tallies = podTallies(node.pods);
    const latest = this.latest.get(labels);
    if (
      latest?.allocatable === allocatable &&
      latest.volumeLimits === volumeLimits &&
      haveEqualTallies(latest.tallies, tallies)
    )
      return latest.row;
    if (!tallies.every(({ sample }) => this.kinds.has(sample))) return undefined;
    const counts = this.counts(tallies, labels);
    if (counts === undefined) return undefined;
    const { resources, ports } = this.encoded;
    // A leaving node takes no pods, so its remaining resources are not computed.
    const left = node.markedForDeletion
      ? undefined
      : ((latest && remainingAfterPodChanges(latest, node, tallies)) ?? this.view(node).remaining);
    const encoded = {
      labels,
      isUsable: left !== undefined && isUsable({ node, remaining: left }),
      remaining: left
        ? BigInt64Array.from(remainingOf({ remaining: left }, resources))
        : new BigInt64Array(resources.length),
      ports: ports.words === 0 ? NO_PORTS : ports.encode([this.view(node).hostPorts]),
      ...counts,
    };
    const row = latest && areEqualRows(latest.row, encoded) ? latest.row : encoded;
    this.latest.set(labels, { allocatable, volumeLimits, tallies, left, row });
    return row;
  }

  private counts(
    tallies: readonly PodTally[],
    { countedSlots }: EncodedLabels,
  ): Pick<NodeRow, 'counted' | 'hosts'> | undefined {
    const hosts = this.hostGroups === 0 ? NO_HOSTS : new Int32Array(this.hostGroups);
    const counted: number[] = [];
    for (const { sample, count } of tallies) {
      for (const group of this.kinds.groupsCounting(sample)) {
        const slot = countedSlots[group];
        if (slot === UNKNOWN) return undefined;
        if (slot === UNCOUNTED) continue;
        if (this.hostColumns[group] < 0) addToSlot(counted, slot, count);
        else hosts[this.hostColumns[group]] += count;
      }
    }
    return { counted: Int32Array.from(counted), hosts };
  }
}

const NO_HOSTS = new Int32Array();
const NO_PORTS = new BigUint64Array();

/** Adds to a (slot, pods) pair. A node has only a few, so a linear search is fastest. */
function addToSlot(counted: number[], slot: number, count: number): void {
  for (let index = 0; index < counted.length; index += 2) {
    if (counted[index] !== slot) continue;
    counted[index + 1] += count;
    return;
  }
  counted.push(slot, count);
}

function haveEqualTallies(left: readonly PodTally[], right: readonly PodTally[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ sample, count }, index) => count === right[index].count && areEquivalentPods(sample, right[index].sample),
    )
  );
}

/**
 * The resources that a node has left, computed from an earlier state of it by the pods that changed. Undefined if more
 * than that may be different: missing DaemonSet pods are reserved for, and a volume that several pods mount counts
 * once.
 */
function remainingAfterPodChanges(
  { tallies: before, allocatable, volumeLimits, left }: EncodedRow,
  node: ExistingNode,
  after: readonly PodTally[],
): ResourceList | undefined {
  if (left === undefined || allocatable !== node.allocatable || (volumeLimits ?? node.volumeLimits) !== undefined)
    return undefined;
  const removed = missingPods(after, before);
  const added = missingPods(before, after).map(({ sample, count }) => ({ sample, count: -count }));
  const changed = [...removed, ...added];
  if (changed.some(({ sample }) => sample.daemon)) return undefined;
  const remaining = new Map(left);
  for (const {
    sample: { shape },
    count,
  } of changed) {
    for (const [resource, amount] of podRequests(shape)) {
      // A resource that the node does not have at all has no entry.
      const amountBefore = remaining.get(resource);
      if (amountBefore !== undefined) remaining.set(resource, amountBefore + amount * BigInt(count));
    }
  }
  return remaining;
}

/** The pods of `expected` that `actual` lacks. */
function missingPods(actual: readonly PodTally[], expected: readonly PodTally[]): PodTally[] {
  return expected.flatMap(({ sample, count }) => {
    const missing = count - (actual.find((tally) => areEquivalentPods(tally.sample, sample))?.count ?? 0);
    return missing > 0 ? [{ sample, count: missing }] : [];
  });
}

/** Compares two rows of one node with the same labels. */
function areEqualRows(left: NodeRow, right: NodeRow): boolean {
  return (
    left.isUsable === right.isUsable &&
    areEqualNumbers(left.remaining, right.remaining) &&
    areEqualNumbers(left.counted, right.counted) &&
    areEqualNumbers(left.hosts, right.hosts) &&
    areEqualNumbers(left.ports, right.ports)
  );
}

function areEqualNumbers<Numbers extends Int32Array | BigInt64Array | BigUint64Array>(
  left: Numbers,
  right: Numbers,
): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
