import { Label, Requirements, selects, untolerated } from '../model';
import { NodeView } from './existing-nodes';
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
  return topologies.groups.map((_, number) => countsOf(number, topologies, nodes));
}

/**
 * How many of the pods on the existing nodes the group counts.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go countDomains
 */
export function countsOf(number: number, topologies: TopologyGroups, nodes: readonly NodeView[]): InitialCounts {
  const group = topologies.groups[number];
  const domains = new Map<string, number>();
  const hosts = nodes.map(({ node }) => {
    if (!group.inverse && !nodeTakesPart(group, node)) return 0;
    const domain = domainOf(group, node);
    if (domain === undefined) return 0;
    const counted = node.pods.filter((pod) => group.inverse ? topologies.inverseOf(pod).includes(number) : countsPod(group, pod)).length;
    if (counted > 0 || !(group.inverse || node.leaving || node.claimOnly)) domains.set(domain, (domains.get(domain) ?? 0) + counted);
    return counted;
  });
  return { domains, hosts };
}

/** Without a selector every pod of the namespace counts here, while none of those to come does. */
function countsPod({ namespaces, selector }: TopologyGroup, { namespace, shape, terminating }: RunningPod): boolean {
  return terminating !== true && namespaces.has(namespace) && (selector === undefined || selects(selector, shape.labels ?? {}));
}

function domainOf({ key }: TopologyGroup, { labels, name }: ExistingNode): string | undefined {
  const label = Object.prototype.hasOwnProperty.call(labels, key) ? labels[key] : undefined;
  return label ?? (key === Label.HOSTNAME ? name : undefined);
}

function nodeTakesPart({ filters, tolerations }: TopologyGroup, { labels, taints, writtenTaints = taints }: ExistingNode): boolean {
  if (tolerations !== undefined && untolerated(writtenTaints, tolerations).length > 0) return false;
  if (filters.length === 0) return true;
  const node = Requirements.fromLabels(labels);
  return filters.some((filter) => node.compatible(filter) === undefined);
}
