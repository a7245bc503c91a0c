import { Label, Requirement, Requirements, WELL_KNOWN_LABELS } from '../model';
import { ConstrainedVariant, PodClass } from './pod-classes';
import { TopologyGroup } from './topology-groups';
import { domainCounts, TopologyState } from './topology-text';

/** What one topology group asks of a new node. */
export interface TopologyPick {
  readonly group: TopologyGroup;
  /** Nothing where no domain will do. */
  readonly domains: readonly string[];
}

/** A group from the point of view of a pod: its domains with their counts, by name. */
interface View {
  readonly group: TopologyGroup;
  readonly isCounted: boolean;
  readonly counts: ReadonlyArray<readonly [string, number]>;
  readonly strict: Requirements;
  readonly node: Requirements;
}

/**
 * The domains that Karpenter would pin a new node to, with the counts as they are at the end: what the kernel does in
 * assembly/topology-domains.ts, in plain code. The host name is left out: a new node is always a new host.
 */
export function topologyPicks(state: TopologyState, podClass: PodClass, variant: ConstrainedVariant, node: Requirements): TopologyPick[] {
  const counted = new Set(podClass.counted);
  const pick = (number: number, isCounted: boolean): TopologyPick[] => {
    const group = state.pods.topologies.groups[number];
    if (group.key === Label.HOSTNAME) return [];
    const view = { group, isCounted, counts: domainCounts(number, state), strict: variant.strict, node };
    return [{ group, domains: domainsFor(view) }];
  };
  return [...variant.topologies.flatMap((number) => pick(number, counted.has(number))), ...podClass.guards.flatMap((number) => pick(number, false))];
}

/** The requirements that the picks add to those of the node. */
export function picked(picks: readonly TopologyPick[]): Requirement[] {
  return picks.map(({ group: { key }, domains }) => Requirement.from({ key, operator: 'In', values: domains }));
}

/** Karpenter's error where each group leaves a domain, and the node cannot have them all: it lacks such a label, or they exclude each other. */
export function clashText(node: Requirements, picks: readonly TopologyPick[]): string {
  const wanted = node.copy();
  wanted.add(...picked(picks));
  return node.compatible(wanted, WELL_KNOWN_LABELS) ?? 'the topology constraints of the pod leave no domain that meets all of them';
}

function domainsFor(view: View): string[] {
  switch (view.group.type) {
    case 'topology spread': return spreadDomain(view);
    case 'pod affinity': return affinityDomains(view);
    default: return names(reachable(view).filter(([, count]) => count === 0));
  }
}

/** The one with the fewest pods among those that maxSkew leaves; of equal ones the first by name. */
function spreadDomain(view: View): string[] {
  const { group: { maxSkew }, isCounted } = view;
  const least = leastCount(view);
  const valid = reachable(view).filter(([, count]) => count + Number(isCounted) - least <= maxSkew);
  const fewest = Math.min(...valid.map(([, count]) => count));
  return names(valid.filter(([, count]) => count === fewest)).slice(0, 1);
}

/** Over the domains that the pod itself allows; 0 where there are fewer of them than minDomains. */
function leastCount(view: View): number {
  const allowed = allowedByPod(view);
  const { minDomains } = view.group;
  return minDomains !== undefined && allowed.length < minDomains ? 0 : Math.min(...allowed.map(([, count]) => count));
}

function affinityDomains(view: View): string[] {
  const withPods = reachable(view).filter(([, count]) => count > 0);
  if (withPods.length > 0) return names(withPods);
  const allowed = allowedByPod(view);
  if (!view.isCounted || allowed.some(([, count]) => count > 0)) return [];
  return [...new Set([...names(reachable(view)).slice(0, 1), ...names(allowed).slice(0, 1)])];
}

function allowedByPod({ group: { key }, counts, strict }: View): Array<readonly [string, number]> {
  return counts.filter(([domain]) => strict.get(key).has(domain));
}

function reachable(view: View): Array<readonly [string, number]> {
  return allowedByPod(view).filter(([domain]) => view.node.get(view.group.key).has(domain));
}

function names(counts: ReadonlyArray<readonly [string, number]>): string[] {
  return counts.map(([domain]) => domain);
}
