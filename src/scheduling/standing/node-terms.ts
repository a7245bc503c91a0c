import { Label, oncePer } from '../../model';
import { nodeRequirements } from '../node-facts';
import { EncodedProblem } from '../problem';
import { ExistingNode } from '../schedule-input';
import { asWritten, domainOf, takesPart } from '../topology-counts';
import { TopologyGroups } from '../topology-groups';

const WORD = 64;
/** In place of a slot: pods on the node do not count in the group. */
export const UNCOUNTED = -1;
/** In place of the slot of a domain that was not there when the problem was encoded. */
export const UNKNOWN = -2;

/** What of a node stays while its pods come and go, in the terms of the kernel. */
export interface NodeTerms {
  readonly set: number;
  readonly taints: number;
  /** Per topology group the slot of the domain that pods on the node count for, or `UNCOUNTED`, or `UNKNOWN`; 0 for one over hosts that counts. */
  readonly counted: Int32Array;
  /** Slots of the domains that are known by the node itself. */
  readonly known: Int32Array;
}

/** What its labels alone tell. */
interface Labelled {
  /** Undefined where one was not there when the problem was encoded. */
  readonly set: number | undefined;
  readonly places: readonly Place[];
}

interface Found {
  readonly of: ExistingNode;
  readonly labelled: Labelled;
  /** Undefined where something of it was not there when the problem was encoded. */
  readonly terms: NodeTerms | undefined;
}

/** The numbers of the values of one label: of the domain that a node makes known, and of the one that its pods count for. */
interface Place { readonly own: number; readonly written: number }

/** Terms of the nodes, each worked out once for as long as its labels stay. */
export class AllNodeTerms {
  private readonly alike = oncePer((_: ExistingNode['labels']): Found[] => []);
  private readonly parts = new Map<string, Uint8Array>();
  private readonly keys: readonly string[];
  /** Labels that groups are over. */
  private readonly topologyKeys: readonly string[];
  /** Per topology group, which of these it is over, and where the slots of its domains begin. */
  private readonly keyOf: Int32Array;
  private readonly starts: Int32Array;

  public constructor(private readonly encoded: EncodedProblem, private readonly topologies: TopologyGroups) {
    const { vocabulary, problem: { topologyDomainStart } } = encoded;
    const { groups } = topologies;
    this.keys = vocabulary.keys();
    this.topologyKeys = [...new Set(groups.map(({ key }) => key))];
    this.keyOf = Int32Array.from(groups, ({ key }) => this.topologyKeys.indexOf(key));
    this.starts = Int32Array.from(groups, ({ key }, at) => key === Label.HOSTNAME ? 0 : topologyDomainStart[at] * WORD);
  }

  /** The same object as long as nothing but its pods changes; undefined where something of it was not there when the problem was encoded. */
  public of(node: ExistingNode): NodeTerms | undefined {
    const alike = this.alike(node.labels);
    const known = alike.find(({ of }) => areAlike(of, node));
    if (known) return known.terms;
    // It has been there before, but stayed.
    const labelled = alike.find(({ of }) => of.name === node.name && of.writtenLabels === node.writtenLabels)?.labelled ?? this.labelled(node);
    const terms = this.work(node, labelled);
    alike.push({ of: node, labelled, terms });
    return terms;
  }

  private labelled(node: ExistingNode): Labelled {
    return { set: this.encoded.sets.numberOfKnownPart(nodeRequirements(node), this.keys), places: this.placesOf(node) };
  }

  private work(node: ExistingNode, { set, places }: Labelled): NodeTerms | undefined {
    const taintSet = this.encoded.taints.knownNumberOf(node);
    if (set === undefined || taintSet === undefined) return undefined;
    const parts = this.partsOf(node, set);
    const makesKnown = !(node.leaving || node.claimOnly);
    const counted = new Int32Array(parts.length).fill(UNCOUNTED);
    const known: number[] = [];
    this.topologies.groups.forEach(({ inverse }, at) => {
      if (parts[at] === 0) return;
      const { own, written } = places[this.keyOf[at]];
      counted[at] = this.slot(at, written);
      if (own !== UNCOUNTED && makesKnown && !inverse) known.push(this.slot(at, own));
    });
    return known.includes(UNKNOWN) ? undefined : { set, taints: taintSet, counted, known: Int32Array.from(known) };
  }

  private slot(group: number, value: number): number {
    return value < 0 ? value : this.starts[group] + value;
  }

  /** Per label that groups are over. A host is known by itself alone. */
  private placesOf(node: ExistingNode): Place[] {
    const asIs = asWritten(node);
    return this.topologyKeys.map((key) => {
      const [own, written] = [domainOf({ key }, node), domainOf({ key }, asIs)];
      if (key !== Label.HOSTNAME) return { own: this.valueNumber(key, own), written: this.valueNumber(key, written) };
      return { own: UNCOUNTED, written: own !== undefined && own === written ? 0 : UNCOUNTED };
    });
  }

  private valueNumber(key: string, domain: string | undefined): number {
    return domain === undefined ? UNCOUNTED : this.encoded.vocabulary.knownValueNumber(key, domain) ?? UNKNOWN;
  }

  /** Per group 1 where pods on the node count. Few nodes differ in it. */
  private partsOf(node: ExistingNode, set: number): Uint8Array {
    const { labels, writtenLabels } = node;
    const key = JSON.stringify([set, asWritten(node).taints, labels[Label.HOSTNAME] === undefined, writtenLabels ?? null]);
    const found = this.parts.get(key) ?? Uint8Array.from(this.topologies.groups, (group) => takesPart(node, group) ? 1 : 0);
    this.parts.set(key, found);
    return found;
  }
}

/** Of nodes with the same labels. */
function areAlike(node: ExistingNode, other: ExistingNode): boolean {
  return node.name === other.name && node.taints === other.taints && node.writtenLabels === other.writtenLabels
    && node.writtenTaints === other.writtenTaints && !node.leaving === !other.leaving && !node.claimOnly === !other.claimOnly
    && !node.settling === !other.settling;
}
