import { requirementsIdentity } from './requirements-identity';
import { TopologyGroup, TopologyGroups } from './topology-groups';
import { Label, untolerated } from '../../model';
import { ExistingNode, RunningPod } from '../input/schedule-input';
import { NodeView } from '../nodes/existing-nodes';
import { labelRequirements, podTallies } from '../nodes/node-facts';

/** Running pods that a group counts, by domain. */
export interface InitialCounts {
  /** Domain → pods. A node that stays makes its domain known with 0 pods. */
  readonly domains: ReadonlyMap<string, number>;
  /** Pods by node, for groups over hostnames. */
  readonly hosts: readonly number[];
}

export function initialCounts(topologies: TopologyGroups, nodes: readonly NodeView[]): InitialCounts[] {
  const counts = new RunningCounts(topologies, nodes);
  return topologies.groups.map(({ key }, number) =>
    key === Label.HOSTNAME ? { domains: NO_DOMAINS, hosts: counts.hosts(number) } : counts.of(number),
  );
}

/** For groups over hostnames the nodes are the domains. */
const NO_DOMAINS: ReadonlyMap<string, number> = new Map();

/**
 * The domains of the nodes, with 0 pods each, for a problem whose queries add the counts of their own nodes. Groups
 * over hostnames have no domains here.
 */
export function domainsWithoutPods({ groups }: TopologyGroups, nodes: readonly NodeView[]): InitialCounts[] {
  const byKey = new Map<string, InitialCounts>([[Label.HOSTNAME, { domains: NO_DOMAINS, hosts: [] }]]);
  return groups.map((group) => {
    const counts = byKey.get(group.key) ?? { domains: domainsOfNodes(group, nodes), hosts: [] };
    byKey.set(group.key, counts);
    return counts;
  });
}

function domainsOfNodes(group: TopologyGroup, nodes: readonly NodeView[]): Map<string, number> {
  const domains = nodes.flatMap(({ node }) => [domainOf(group, node), domainOf(group, nodeObjectOf(node))]);
  return new Map(domains.flatMap((domain) => (domain === undefined ? [] : [[domain, 0]])));
}

/** Equal running pods, with their number by node. */
interface Running {
  readonly sample: RunningPod;
  readonly places: Array<{ readonly node: number; readonly count: number }>;
}

/** `own`: the domain that a node makes known. `written`: the domain of its Node object, for which its pods count. */
interface Place {
  readonly own?: string;
  readonly written?: string;
}

/**
 * Counts the pods on existing nodes by topology group.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go countDomains
 */
export class RunningCounts {
  private readonly running: readonly Running[];
  private byGroup?: ReadonlyMap<number, readonly Running[]>;
  /** Which nodes count, by filters and tolerations of a group; groups often share them. */
  private readonly included = new Map<string, readonly boolean[]>();
  /** Places of the nodes by topology key. */
  private readonly places = new Map<string, readonly Place[]>();

  constructor(
    private readonly topologies: TopologyGroups,
    private readonly nodes: readonly NodeView[],
  ) {
    this.running = runningPods(nodes);
  }

  of(number: number): InitialCounts {
    const group = this.topologies.groups[number];
    const included = this.includedNodes(group);
    const places = this.placesOf(group.key);
    const podCounts = this.counted(number);
    const domains = new Map<string, number>();
    const add = (domain: string | undefined, count: number) => {
      if (domain !== undefined) domains.set(domain, (domains.get(domain) ?? 0) + count);
    };
    this.nodes.forEach(({ node }, index) => {
      if (!included[index]) return;
      const { own, written } = places[index];
      if (!(group.inverseAntiAffinity || node.markedForDeletion || node.claimOnly)) add(own, 0);
      if (podCounts[index] > 0) add(written, podCounts[index]);
    });
    return { domains, hosts: this.onHosts(podCounts, included, places) };
  }

  /** Pods of the group by node. */
  hosts(number: number): number[] {
    const group = this.topologies.groups[number];
    return this.onHosts(this.counted(number), this.includedNodes(group), this.placesOf(group.key));
  }

  private onHosts(podCounts: readonly number[], included: readonly boolean[], places: readonly Place[]): number[] {
    return podCounts.map((count, node) =>
      included[node] && places[node].own !== undefined && places[node].own === places[node].written ? count : 0,
    );
  }

  /** Pods of the group by node, also on nodes that do not count. */
  private counted(number: number): number[] {
    const counts = new Array<number>(this.nodes.length).fill(0);
    for (const { places } of this.countedBy(number)) for (const { node, count } of places) counts[node] += count;
    return counts;
  }

  private countedBy(number: number): readonly Running[] {
    return (this.byGroup ??= this.inGroups()).get(number) ?? [];
  }

  private inGroups(): Map<number, Running[]> {
    const byGroup = new Map<number, Running[]>();
    for (const running of this.running) {
      for (const group of this.topologies.counting(running.sample)) {
        const members = byGroup.get(group);
        if (members) members.push(running);
        else byGroup.set(group, [running]);
      }
    }
    return byGroup;
  }

  private placesOf(key: string): readonly Place[] {
    const places =
      this.places.get(key) ??
      this.nodes.map(({ node }) => ({ own: domainOf({ key }, node), written: domainOf({ key }, nodeObjectOf(node)) }));
    this.places.set(key, places);
    return places;
  }

  private includedNodes(group: TopologyGroup): readonly boolean[] {
    const { inverseAntiAffinity, filters, tolerations } = group;
    const key = inverseAntiAffinity ? '' : JSON.stringify([filters.map(requirementsIdentity), tolerations ?? null]);
    const included = this.included.get(key) ?? this.nodes.map(({ node }) => countsInGroup(node, group));
    this.included.set(key, included);
    return included;
  }
}

function runningPods(nodes: readonly NodeView[]): Running[] {
  const byShape = new Map<RunningPod['shape'], Running[]>();
  nodes.forEach(({ node: { pods } }, node) => {
    for (const { sample, count } of podTallies(pods)) {
      const ofShape = byShape.get(sample.shape) ?? [];
      byShape.set(sample.shape, ofShape);
      const equal = ofShape.find(
        (running) => running.sample.namespace === sample.namespace && running.sample.terminating === sample.terminating,
      );
      if (equal) equal.places.push({ node, count });
      else ofShape.push({ sample, places: [{ node, count }] });
    }
  });
  return [...byShape.values()].flat();
}

/** The node's domain for a topology key; a node without a hostname label uses its name. */
export function domainOf(
  { key }: Pick<TopologyGroup, 'key'>,
  { labels, name }: Pick<ExistingNode, 'labels' | 'name'>,
): string | undefined {
  const label = Object.prototype.hasOwnProperty.call(labels, key) ? labels[key] : undefined;
  return label ?? (key === Label.HOSTNAME ? name : undefined);
}

/**
 * Labels and taints of the Node object. Scheduling onto the node uses `labels` and `taints`, which may come from the
 * NodeClaim.
 */
export function nodeObjectOf({
  name,
  labels,
  nodeObjectLabels = labels,
  taints,
  nodeObjectTaints = taints,
}: ExistingNode) {
  return { name, labels: nodeObjectLabels, taints: nodeObjectTaints };
}

/** Whether the group counts the node's pods. */
export function countsInGroup(
  node: ExistingNode,
  { inverseAntiAffinity, filters, tolerations }: TopologyGroup,
): boolean {
  if (inverseAntiAffinity) return true;
  const { labels, taints } = nodeObjectOf(node);
  if (tolerations !== undefined && untolerated(taints, tolerations).length > 0) return false;
  return filters.length === 0 || filters.some((filter) => labelRequirements(labels).isCompatible(filter));
}
