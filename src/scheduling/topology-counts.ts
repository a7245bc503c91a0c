import { Label, untolerated } from '../model';
import { NodeView } from './existing-nodes';
import { labelRequirements, podTallies } from './node-facts';
import { requirementsIdentity } from './requirement-sets';
import { ExistingNode, RunningPod } from './schedule-input';
import { TopologyGroup, TopologyGroups } from './topology-groups';

/** Pods of a group that run already, by domain. */
export interface InitialCounts {
  /** Domain → pods; a node that is there and stays, without a pod of the group, makes its domain known with 0. */
  readonly domains: ReadonlyMap<string, number>;
  /** Per node, for groups over hosts. */
  readonly hosts: readonly number[];
}

export function initialCounts(topologies: TopologyGroups, nodes: readonly NodeView[]): InitialCounts[] {
  const counts = new RunningCounts(topologies, nodes);
  return topologies.groups.map(({ key }, number) =>
    key === Label.HOSTNAME ? { domains: NO_DOMAINS, hosts: counts.hosts(number) } : counts.of(number));
}

/** Of groups over hosts the nodes themselves are the domains. */
const NO_DOMAINS: ReadonlyMap<string, number> = new Map();

/**
 * The domains that nodes make known, without the pods that are there: for a problem whose questions bring the counts of their nodes. Of
 * groups over hosts, none.
 */
export function withoutPods({ groups }: TopologyGroups, nodes: readonly NodeView[]): InitialCounts[] {
  const byKey = new Map<string, InitialCounts>([[Label.HOSTNAME, { domains: NO_DOMAINS, hosts: [] }]]);
  return groups.map((group) => {
    const known = byKey.get(group.key) ?? { domains: domainsOfNodes(group, nodes), hosts: [] };
    byKey.set(group.key, known);
    return known;
  });
}

function domainsOfNodes(group: TopologyGroup, nodes: readonly NodeView[]): Map<string, number> {
  const domains = nodes.flatMap(({ node }) => [domainOf(group, node), domainOf(group, asWritten(node))]);
  return new Map(domains.flatMap((domain) => domain === undefined ? [] : [[domain, 0]]));
}

/** Equal pods that run, and how many of them on which nodes. */
interface Running {
  readonly sample: RunningPod;
  readonly places: Array<{ readonly node: number; readonly count: number }>;
}

/** The domain that a node makes known, and the one that its pods count for. */
interface Place { readonly own?: string; readonly written?: string }

/**
 * How many of the pods on the existing nodes each group counts.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go countDomains
 */
export class RunningCounts {
  private readonly running: readonly Running[];
  private byGroup?: ReadonlyMap<number, readonly Running[]>;
  /** Which nodes count, by what groups ask of these: few differ in it. */
  private readonly known = new Map<string, readonly boolean[]>();
  /** By label. */
  private readonly places = new Map<string, readonly Place[]>();

  constructor(private readonly topologies: TopologyGroups, private readonly nodes: readonly NodeView[]) {
    this.running = runningPods(nodes);
  }

  of(number: number): InitialCounts {
    const group = this.topologies.groups[number];
    const [included, places, all] = [this.takingPart(group), this.placesOf(group.key), this.counted(number)];
    const domains = new Map<string, number>();
    const add = (domain: string | undefined, count: number) => {
      if (domain !== undefined) domains.set(domain, (domains.get(domain) ?? 0) + count);
    };
    this.nodes.forEach(({ node }, at) => {
      if (!included[at]) return;
      const { own, written } = places[at];
      if (!(group.inverse || node.leaving || node.claimOnly)) add(own, 0);
      if (all[at] > 0) add(written, all[at]);
    });
    return { domains, hosts: this.onHosts(all, included, places) };
  }

  /** Per node. */
  hosts(number: number): number[] {
    const group = this.topologies.groups[number];
    return this.onHosts(this.counted(number), this.takingPart(group), this.placesOf(group.key));
  }

  private onHosts(all: readonly number[], included: readonly boolean[], places: readonly Place[]): number[] {
    return all.map((count, at) => included[at] && places[at].own !== undefined && places[at].own === places[at].written ? count : 0);
  }

  /** Pods of the group per node, whether these count there or not. */
  private counted(number: number): number[] {
    const counts = new Array<number>(this.nodes.length).fill(0);
    for (const { places } of this.countedBy(number)) for (const { node, count } of places) counts[node] += count;
    return counts;
  }

  private countedBy(number: number): readonly Running[] {
    return (this.byGroup ??= this.inGroups()).get(number) ?? [];
  }

  private inGroups(): Map<number, Running[]> {
    const found = new Map<number, Running[]>();
    for (const running of this.running) {
      for (const group of this.topologies.counting(running.sample)) {
        const members = found.get(group);
        if (members) members.push(running);
        else found.set(group, [running]);
      }
    }
    return found;
  }

  private placesOf(key: string): readonly Place[] {
    const found = this.places.get(key)
      ?? this.nodes.map(({ node }) => ({ own: domainOf({ key }, node), written: domainOf({ key }, asWritten(node)) }));
    this.places.set(key, found);
    return found;
  }

  private takingPart(group: TopologyGroup): readonly boolean[] {
    const { inverse, filters, tolerations } = group;
    const key = inverse ? '' : JSON.stringify([filters.map(requirementsIdentity), tolerations ?? null]);
    const found = this.known.get(key) ?? this.nodes.map(({ node }) => takesPart(node, group));
    this.known.set(key, found);
    return found;
  }
}

function runningPods(nodes: readonly NodeView[]): Running[] {
  const known = new Map<RunningPod['shape'], Running[]>();
  nodes.forEach(({ node: { pods } }, node) => {
    for (const { sample, count } of podTallies(pods)) {
      const ofShape = known.get(sample.shape) ?? [];
      known.set(sample.shape, ofShape);
      const equal = ofShape.find((each) => each.sample.namespace === sample.namespace && each.sample.terminating === sample.terminating);
      if (equal) equal.places.push({ node, count });
      else ofShape.push({ sample, places: [{ node, count }] });
    }
  });
  return [...known.values()].flat();
}

/** The node's domain in a group. */
export function domainOf({ key }: Pick<TopologyGroup, 'key'>, { labels, name }: Pick<ExistingNode, 'labels' | 'name'>): string | undefined {
  const label = Object.prototype.hasOwnProperty.call(labels, key) ? labels[key] : undefined;
  return label ?? (key === Label.HOSTNAME ? name : undefined);
}

/** What its Node says of it, whatever Karpenter goes by when it places pods there. */
export function asWritten({ name, labels, writtenLabels = labels, taints, writtenTaints = taints }: ExistingNode) {
  return { name, labels: writtenLabels, taints: writtenTaints };
}

/** Whether its pods count in a group. */
export function takesPart(node: ExistingNode, { inverse, filters, tolerations }: TopologyGroup): boolean {
  if (inverse) return true;
  const { labels, taints } = asWritten(node);
  if (tolerations !== undefined && untolerated(taints, tolerations).length > 0) return false;
  return filters.length === 0 || filters.some((filter) => labelRequirements(labels).isCompatible(filter));
}
