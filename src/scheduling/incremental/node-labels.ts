import { Label } from '../../model';
import { EncodedProblem } from '../encoding/problem';
import { ExistingNode } from '../input/schedule-input';
import { nodeRequirements } from '../nodes/node-facts';
import { countsInGroup, domainOf, nodeObjectOf } from '../topology/running-counts';
import { TopologyGroups } from '../topology/topology-groups';

const WORD_BITS = 64;
/** In place of a domain slot: pods on the node do not count in the group. */
export const UNCOUNTED = -1;
/** In place of a domain slot: the solver was not encoded with this domain. */
export const UNKNOWN = -2;

/** The labels and taints of a node, encoded. They stay the same while its pods come and go. */
export interface EncodedLabels {
  /** Number of the requirement set. */
  readonly set: number;
  /** Number of the taint set. */
  readonly taints: number;
  /**
   * Per topology group: the slot of the domain that pods on the node count for, `UNCOUNTED`, or `UNKNOWN`. 0 for a
   * group over hosts that counts.
   */
  readonly countedSlots: Int32Array;
  /** Slots of the domains that the node itself makes known. */
  readonly domains: Int32Array;
}

/** The part that depends on the labels only. */
interface LabelNumbers {
  /** Undefined if the solver was not encoded with one of the label values. */
  readonly set: number | undefined;
  /** Per topology key. */
  readonly domains: readonly DomainNumbers[];
}

/**
 * Value numbers of one topology key: of the domain that the node makes known, and of the domain that its pods count
 * for.
 */
interface DomainNumbers {
  readonly own: number;
  readonly written: number;
}

interface CacheEntry {
  readonly node: ExistingNode;
  readonly numbers: LabelNumbers;
  /** Undefined if the solver was not encoded with something of the node. */
  readonly encoded: EncodedLabels | undefined;
}

/** Encodes the labels and taints of nodes, and keeps the results by the identity of the labels. */
export class NodeLabelEncoder {
  private readonly cache = new WeakMap<ExistingNode['labels'], CacheEntry[]>();
  private readonly participation = new Map<string, Uint8Array>();
  private readonly keys: readonly string[];
  private readonly namesHosts: boolean;
  /** The distinct label keys of topology groups. */
  private readonly topologyKeys: readonly string[];
  /** Per topology group: the index of its key among these, and its first domain slot. */
  private readonly keyIndex: Int32Array;
  private readonly firstSlots: Int32Array;

  public constructor(
    private readonly encoded: EncodedProblem,
    private readonly topologies: TopologyGroups,
  ) {
    const {
      vocabulary,
      problem: { topologyDomainStart },
    } = encoded;
    const { groups } = topologies;
    this.keys = vocabulary.keys();
    this.namesHosts = vocabulary.has(Label.HOSTNAME) || groups.some(({ key }) => key === Label.HOSTNAME);
    this.topologyKeys = [...new Set(groups.map(({ key }) => key))];
    this.keyIndex = Int32Array.from(groups, ({ key }) => this.topologyKeys.indexOf(key));
    this.firstSlots = Int32Array.from(groups, ({ key }, group) =>
      key === Label.HOSTNAME ? 0 : topologyDomainStart[group] * WORD_BITS,
    );
  }

  /**
   * The same object while only the pods of the node change. Undefined if the solver was not encoded with a label value,
   * a taint or a domain of the node.
   */
  public encode(node: ExistingNode): EncodedLabels | undefined {
    const entries = this.cache.get(node.labels) ?? [];
    this.cache.set(node.labels, entries);
    const entry = entries.find((candidate) => haveSameEncoding(candidate.node, node));
    if (entry) return entry.encoded;
    // The same node in another state, such as leaving: its labels have their numbers already. If nothing names hosts,
    // so has any node with these labels.
    const sameLabels = entries.find(
      (candidate) =>
        (!this.namesHosts || candidate.node.name === node.name) &&
        candidate.node.nodeObjectLabels === node.nodeObjectLabels,
    );
    const numbers = sameLabels?.numbers ?? this.numbersOf(node);
    const encoded = this.encodeState(node, numbers);
    entries.push({ node, numbers, encoded });
    return encoded;
  }

  private numbersOf(node: ExistingNode): LabelNumbers {
    return {
      set: this.encoded.sets.numberOfKnownPart(nodeRequirements(node), this.keys),
      domains: this.domainNumbers(node),
    };
  }

  private encodeState(node: ExistingNode, { set, domains: numbers }: LabelNumbers): EncodedLabels | undefined {
    const taints = this.encoded.taints.knownNumberOf(node);
    if (set === undefined || taints === undefined) return undefined;
    const participates = this.participationOf(node, set);
    const makesDomainsKnown = !(node.markedForDeletion || node.claimOnly);
    const countedSlots = new Int32Array(participates.length).fill(UNCOUNTED);
    const domains: number[] = [];
    this.topologies.groups.forEach(({ inverseAntiAffinity }, group) => {
      if (participates[group] === 0) return;
      const { own, written } = numbers[this.keyIndex[group]];
      countedSlots[group] = this.slot(group, written);
      if (own !== UNCOUNTED && makesDomainsKnown && !inverseAntiAffinity) domains.push(this.slot(group, own));
    });
    return domains.includes(UNKNOWN) ? undefined : { set, taints, countedSlots, domains: Int32Array.from(domains) };
  }

  private slot(group: number, value: number): number {
    return value < 0 ? value : this.firstSlots[group] + value;
  }

  /** Per topology key. A host is a domain of its own, which no slot stands for. */
  private domainNumbers(node: ExistingNode): DomainNumbers[] {
    const written = nodeObjectOf(node);
    return this.topologyKeys.map((key) => {
      const [ownDomain, writtenDomain] = [domainOf({ key }, node), domainOf({ key }, written)];
      if (key !== Label.HOSTNAME)
        return { own: this.valueNumber(key, ownDomain), written: this.valueNumber(key, writtenDomain) };
      return { own: UNCOUNTED, written: ownDomain !== undefined && ownDomain === writtenDomain ? 0 : UNCOUNTED };
    });
  }

  private valueNumber(key: string, domain: string | undefined): number {
    return domain === undefined ? UNCOUNTED : (this.encoded.vocabulary.knownValueNumber(key, domain) ?? UNKNOWN);
  }

  /**
   * Per topology group: 1 if pods on the node count. Many nodes share a result, so it is kept by what it depends on.
   */
  private participationOf(node: ExistingNode, set: number): Uint8Array {
    const { labels, nodeObjectLabels } = node;
    const key = JSON.stringify([
      set,
      nodeObjectOf(node).taints,
      labels[Label.HOSTNAME] === undefined,
      nodeObjectLabels ?? null,
    ]);
    const participates =
      this.participation.get(key) ??
      Uint8Array.from(this.topologies.groups, (group) => (countsInGroup(node, group) ? 1 : 0));
    this.participation.set(key, participates);
    return participates;
  }
}

/** Compares two nodes with the same labels. */
function haveSameEncoding(left: ExistingNode, right: ExistingNode): boolean {
  return (
    left.name === right.name &&
    left.taints === right.taints &&
    left.nodeObjectLabels === right.nodeObjectLabels &&
    left.nodeObjectTaints === right.nodeObjectTaints &&
    !left.markedForDeletion === !right.markedForDeletion &&
    !left.claimOnly === !right.claimOnly &&
    !left.pendingPodsOnly === !right.pendingPodsOnly
  );
}
