import { PackerSolution } from '../../kernel';
import { Label, Requirement, Requirements } from '../../model';
import { ClassifiedPods } from '../encoding/pod-classes';
import { Vocabulary } from '../encoding/vocabulary';
import { PoolTemplate } from '../launch/pool-template';
import { NodeView } from '../nodes/existing-nodes';
import { PodVariant } from '../pods/relaxation';
import { RunningCounts } from '../topology/running-counts';
import { domainsOf } from '../topology/topology-domains';

/** Karpenter prints at most this many domains. */
const MAX_DOMAINS = 25;

/** A solution with the data that its topology counts refer to. */
export interface TopologyState {
  readonly templates: readonly PoolTemplate[];
  readonly nodes: readonly NodeView[];
  readonly pods: ClassifiedPods;
  readonly solution: PackerSolution;
  readonly vocabulary: Vocabulary;
}

/**
 * Karpenter's error for a topology constraint that no domain meets, with the counts at the end of the solve.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topology.go topologyError
 */
export function topologyText(group: number, node: Requirements, variant: PodVariant, state: TopologyState): string {
  const { pods, solution } = state;
  const { key, type } = pods.topologies.groups[group];
  const nodeDomains =
    key === Label.HOSTNAME ? `${key} In [${placeholder(solution.claimCount)}]` : domainsText(node, key);
  return (
    `unsatisfiable topology constraint for ${type}, key=${key} (counts = ${countsText(group, state)}, ` +
    `podDomains = ${domainsText(variant.strict, key)}, nodeDomains = ${nodeDomains}`
  );
}

function domainsText(requirements: Requirements, key: string): string {
  return String(requirements.has(key) ? requirements.get(key) : Requirement.from({ key, operator: 'Exists' }));
}

function countsText(group: number, state: TopologyState): string {
  const counts = domainCounts(group, state);
  const shown = counts
    .slice(0, MAX_DOMAINS)
    .map(([domain, count]) => `${domain}: ${count}`)
    .join(', ');
  return counts.length > MAX_DOMAINS ? `${shown} and ${counts.length - MAX_DOMAINS} other(s)` : shown;
}

/** The known domains of a group with their pod counts, sorted by name. */
export function domainCounts(
  group: number,
  { pods, templates, nodes, solution, vocabulary }: TopologyState,
): Array<[string, number]> {
  const start = solution.topologyCountStart[group];
  const topology = pods.topologies.groups[group];
  if (topology.key === Label.HOSTNAME) {
    const names = [
      ...nodes.map(({ node }) => node.name),
      ...Array.from({ length: solution.claimCount }, (_, claim) => placeholder(claim)),
    ];
    return names
      .map((name, host): [string, number] => [name, solution.hostCounts[host * solution.hostGroups + start] ?? 0])
      .sort(([left], [right]) => (left < right ? -1 : 1));
  }
  const knownDomains = new Set([
    ...domainsOf(topology, templates),
    ...new RunningCounts(pods.topologies, nodes).of(group).domains.keys(),
  ]);
  return vocabulary.valuesOf(topology.key).flatMap((value, index): Array<[string, number]> => {
    const count = solution.topologyCounts[start + index];
    return knownDomains.has(value) || count > 0 ? [[value, count]] : [];
  });
}

/** The hostname that Karpenter assumes for a node that is not launched yet. */
function placeholder(claim: number): string {
  return `hostname-placeholder-${String(claim + 1).padStart(4, '0')}`;
}
