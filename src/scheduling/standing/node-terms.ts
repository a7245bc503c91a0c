import { Label } from '../../model';
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

interface Found {
  readonly of: ExistingNode;
  /** Undefined where something of it was not there when the problem was encoded. */
  readonly terms: NodeTerms | undefined;
}

/** Terms of the nodes, each worked out once for as long as its labels stay. */
export class AllNodeTerms {
  private readonly found = new WeakMap<ExistingNode['labels'], Found[]>();
  private readonly parts = new Map<string, Uint8Array>();
  private readonly keys: readonly string[];

  public constructor(private readonly encoded: EncodedProblem, private readonly topologies: TopologyGroups) {
    this.keys = encoded.vocabulary.keys();
  }

  /** The same object as long as nothing but its pods changes; undefined where something of it was not there when the problem was encoded. */
  public of(node: ExistingNode): NodeTerms | undefined {
    const alike = this.found.get(node.labels) ?? [];
    this.found.set(node.labels, alike);
    const known = alike.find(({ of }) => areAlike(of, node));
    if (known) return known.terms;
    const terms = this.work(node);
    alike.push({ of: node, terms });
    return terms;
  }

  private work(node: ExistingNode): NodeTerms | undefined {
    const { sets, taints } = this.encoded;
    const set = sets.numberOfKnownPart(nodeRequirements(node), this.keys);
    const taintSet = taints.knownNumberOf(node);
    if (set === undefined || taintSet === undefined) return undefined;
    const parts = this.partsOf(node, set);
    const written = asWritten(node);
    const counted = new Int32Array(parts.length).fill(UNCOUNTED);
    const known: number[] = [];
    this.topologies.groups.forEach((group, at) => {
      if (parts[at] === 0) return;
      const [own, inWriting] = [domainOf(group, node), domainOf(group, written)];
      if (group.key === Label.HOSTNAME) {
        if (own !== undefined && own === inWriting) counted[at] = 0;
        return;
      }
      if (own !== undefined && !(group.inverse || node.leaving || node.claimOnly)) known.push(this.slot(at, own));
      if (inWriting !== undefined) counted[at] = this.slot(at, inWriting);
    });
    return known.includes(UNKNOWN) ? undefined : { set, taints: taintSet, counted, known: Int32Array.from(known) };
  }

  private slot(group: number, domain: string): number {
    const { vocabulary, problem } = this.encoded;
    const value = vocabulary.knownValueNumber(this.topologies.groups[group].key, domain);
    return value === undefined ? UNKNOWN : problem.topologyDomainStart[group] * WORD + value;
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
