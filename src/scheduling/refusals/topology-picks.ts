import { domainCounts, TopologyState } from './topology-error';
import { Label, Requirement, Requirements, WELL_KNOWN_LABELS } from '../../model';
import { ConstrainedVariant, PodClass } from '../encoding/pod-classes';
import { TopologyGroup } from '../topology/topology-groups';

/** The domains to which one topology group restricts a new node. */
export interface TopologyDomains {
  readonly group: TopologyGroup;
  /** Empty if no domain is possible. */
  readonly domains: readonly string[];
}

/** A topology group for one pod. */
interface GroupView {
  readonly group: TopologyGroup;
  /** Whether the group counts the pod itself. */
  readonly isCounted: boolean;
  /** Pods by domain, sorted by domain. */
  readonly counts: ReadonlyArray<readonly [string, number]>;
  readonly strict: Requirements;
  readonly node: Requirements;
}

/**
 * The domains to which Karpenter would restrict a new node, given the counts at the end of the solve. Same algorithm as
 * the kernel's assembly/topology-domains.ts. Groups over hostnames are left out, because a new node is always a new
 * host.
 */
export function topologyPicks(
  state: TopologyState,
  podClass: PodClass,
  variant: ConstrainedVariant,
  node: Requirements,
): TopologyDomains[] {
  const counted = new Set(podClass.counted);
  const pick = (number: number, isCounted: boolean): TopologyDomains[] => {
    const group = state.pods.topologies.groups[number];
    if (group.key === Label.HOSTNAME) return [];
    const view = { group, isCounted, counts: domainCounts(number, state), strict: variant.strict, node };
    return [{ group, domains: domainsFor(view) }];
  };
  return [
    ...variant.topologies.flatMap((number) => pick(number, counted.has(number))),
    ...podClass.inverseAntiAffinity.flatMap((number) => pick(number, false)),
  ];
}

/** The requirements that the domains add to the node. */
export function picked(picks: readonly TopologyDomains[]): Requirement[] {
  return picks.map(({ group: { key }, domains }) => Requirement.from({ key, operator: 'In', values: domains }));
}

/**
 * Karpenter's error if each group allows some domain, but the node cannot be in all of them: it has no such label, or
 * the domains exclude each other.
 */
export function clashText(node: Requirements, picks: readonly TopologyDomains[]): string {
  const wanted = node.copy();
  wanted.add(...picked(picks));
  return (
    node.compatible(wanted, WELL_KNOWN_LABELS) ??
    'the topology constraints of the pod leave no domain that meets all of them'
  );
}

function domainsFor(view: GroupView): string[] {
  switch (view.group.type) {
    case 'topology spread':
      return spreadDomain(view);
    case 'pod affinity':
      return affinityDomains(view);
    default:
      return names(reachable(view).filter(([, count]) => count === 0));
  }
}

/** The domain with the fewest pods that does not exceed maxSkew; the first by name if several have equally few. */
function spreadDomain(view: GroupView): string[] {
  const {
    group: { maxSkew },
    isCounted,
  } = view;
  const least = leastCount(view);
  const valid = reachable(view).filter(([, count]) => count + Number(isCounted) - least <= maxSkew);
  const fewest = Math.min(...valid.map(([, count]) => count));
  return names(valid.filter(([, count]) => count === fewest)).slice(0, 1);
}

/** Minimum count over the domains that the pod allows; 0 if there are fewer domains than minDomains. */
function leastCount(view: GroupView): number {
  const allowed = allowedByPod(view);
  const { minDomains } = view.group;
  return minDomains !== undefined && allowed.length < minDomains ? 0 : Math.min(...allowed.map(([, count]) => count));
}

function affinityDomains(view: GroupView): string[] {
  const withPods = reachable(view).filter(([, count]) => count > 0);
  if (withPods.length > 0) return names(withPods);
  const allowed = allowedByPod(view);
  if (!view.isCounted || allowed.some(([, count]) => count > 0)) return [];
  return [...new Set([...names(reachable(view)).slice(0, 1), ...names(allowed).slice(0, 1)])];
}

function allowedByPod({ group: { key }, counts, strict }: GroupView): Array<readonly [string, number]> {
  return counts.filter(([domain]) => strict.get(key).has(domain));
}

function reachable(view: GroupView): Array<readonly [string, number]> {
  return allowedByPod(view).filter(([domain]) => view.node.get(view.group.key).has(domain));
}

function names(counts: ReadonlyArray<readonly [string, number]>): string[] {
  return counts.map(([domain]) => domain);
}
