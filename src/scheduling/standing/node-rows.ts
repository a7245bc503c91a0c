import { Label } from '../../model';
import { NodeView, viewOf } from '../existing-nodes';
import { isUsable, remainingOf } from '../node-encoder';
import { nodeRequirements, podTallies } from '../node-facts';
import { EncodedProblem } from '../problem';
import { DaemonSetSpec, ExistingNode, RunningPod } from '../schedule-input';
import { asWritten, domainOf, takesPart } from '../topology-counts';
import { TopologyGroups } from '../topology-groups';
import { KnownPods } from './known-pods';

const WORD = 64;
/** In place of the slot of a domain that was not there when the problem was encoded. */
const UNKNOWN = -1;

/** A node as the kernel gets it, to be copied as it is into each problem. */
export interface NodeRow {
  readonly set: number;
  readonly taints: number;
  readonly isUsable: boolean;
  readonly remaining: BigInt64Array;
  readonly ports: BigUint64Array;
  /** Pairs: the slot of a domain, and how many pods the node adds to its count. */
  readonly counted: Int32Array;
  /** Slots of the domains that are known by it; nodes that are alike share the list. */
  readonly known: Int32Array;
  /** Per group over hosts: pods. */
  readonly hosts: Int32Array;
}

/** Rows of the nodes, each made once for as long as the node's object lasts. */
export class NodeRows {
  private readonly rows = new WeakMap<ExistingNode, NodeRow>();
  private readonly parts = new Map<string, Uint8Array>();
  private readonly lists = new Map<string, Int32Array>();
  private readonly keys: readonly string[];

  constructor(
    private readonly encoded: EncodedProblem, private readonly topologies: TopologyGroups, private readonly pods: KnownPods,
    private readonly daemonSets: readonly DaemonSetSpec[],
  ) {
    this.keys = encoded.vocabulary.keys();
  }

  view(node: ExistingNode): NodeView {
    return viewOf(node, this.daemonSets);
  }

  /** Undefined where something of the node was not there when the problem was encoded. */
  of(node: ExistingNode): NodeRow | undefined {
    const known = this.rows.get(node);
    if (known) return known;
    const made = this.make(this.view(node));
    if (made) this.rows.set(node, made);
    return made;
  }

  /** Pods that the one counts and the other does not: triples (topology group, domain or, of a group over hosts, this host, pods). */
  difference(row: NodeRow, other: NodeRow, host: number): Int32Array {
    const { groups } = this.topologies;
    const slots = new Map<number, number>();
    const add = ({ counted }: NodeRow, sign: number) => {
      for (let at = 0; at < counted.length; at += 2) slots.set(counted[at], (slots.get(counted[at]) ?? 0) + sign * counted[at + 1]);
    };
    add(row, 1);
    add(other, -1);
    const found = [...slots].flatMap(([slot, pods]) => {
      const group = this.groupOf(slot);
      return pods === 0 ? [] : [group, slot - this.encoded.problem.topologyDomainStart[group] * WORD, pods];
    });
    groups.filter(({ key }) => key === Label.HOSTNAME).forEach((group, column) => {
      const pods = row.hosts[column] - other.hosts[column];
      if (pods !== 0) found.push(groups.indexOf(group), host, pods);
    });
    return Int32Array.from(found);
  }

  /** The group that a domain is of. */
  private groupOf(slot: number): number {
    const { topologyDomainStart: starts } = this.encoded.problem;
    let group = this.topologies.groups.length - 1;
    while (this.topologies.groups[group].key === Label.HOSTNAME || starts[group] * WORD > slot) group--;
    return group;
  }

  private make(view: NodeView): NodeRow | undefined {
    const { sets, taints, resources, ports } = this.encoded;
    const { node } = view;
    const set = sets.numberOfKnownPart(nodeRequirements(node), this.keys);
    const taintSet = taints.knownNumberOf(node);
    if (set === undefined || taintSet === undefined || !node.pods.every((pod) => this.pods.has(pod))) return undefined;
    const counts = this.counts(node, this.partsOf(node, set));
    return counts && {
      set,
      taints: taintSet,
      isUsable: isUsable(view),
      remaining: BigInt64Array.from(remainingOf(view, resources)),
      ports: ports.encode([view.hostPorts]),
      ...counts,
    };
  }

  private counts(node: ExistingNode, parts: Uint8Array): Pick<NodeRow, 'counted' | 'known' | 'hosts'> | undefined {
    const pods = this.podsByGroup(node.pods);
    const written = asWritten(node);
    const hosts: number[] = [];
    const counted: number[] = [];
    const known: number[] = [];
    for (let at = 0; at < parts.length; at++) {
      const group = this.topologies.groups[at];
      const [own, inWriting] = parts[at] === 1 ? [domainOf(group, node), domainOf(group, written)] : [];
      if (group.key === Label.HOSTNAME) {
        hosts.push(own !== undefined && own === inWriting ? pods[at] : 0);
        continue;
      }
      if (own !== undefined && !(group.inverse || node.leaving || node.claimOnly)) known.push(this.slot(at, own));
      if (inWriting === undefined || pods[at] === 0) continue;
      known.push(this.slot(at, inWriting));
      counted.push(this.slot(at, inWriting), pods[at]);
    }
    if (known.includes(UNKNOWN)) return undefined;
    return { counted: Int32Array.from(counted), known: this.shared(known), hosts: Int32Array.from(hosts) };
  }

  private slot(group: number, domain: string): number {
    const { vocabulary, problem } = this.encoded;
    const value = vocabulary.knownValueNumber(this.topologies.groups[group].key, domain);
    return value === undefined ? UNKNOWN : problem.topologyDomainStart[group] * WORD + value;
  }

  private podsByGroup(pods: readonly RunningPod[]): Int32Array {
    const counts = new Int32Array(this.topologies.groups.length);
    for (const { sample, count } of podTallies(pods)) for (const group of this.pods.groupsOf(sample)) counts[group] += count;
    return counts;
  }

  /** Per group 1 where pods on the node count. Few nodes differ in it. */
  private partsOf(node: ExistingNode, set: number): Uint8Array {
    const { labels, writtenLabels } = node;
    const key = JSON.stringify([set, asWritten(node).taints, labels[Label.HOSTNAME] === undefined, writtenLabels ?? null]);
    const found = this.parts.get(key) ?? Uint8Array.from(this.topologies.groups, (group) => takesPart(node, group) ? 1 : 0);
    this.parts.set(key, found);
    return found;
  }

  private shared(slots: readonly number[]): Int32Array {
    const key = slots.join();
    const found = this.lists.get(key) ?? Int32Array.from(slots);
    this.lists.set(key, found);
    return found;
  }
}
