import { Label } from '../model';
import { ClaimPrices, PlannedNodeClaim, SolvedInput } from '../scheduling';
import { Candidate, isEmpty, Scene } from './candidates';
import { Command, commandOf, DisruptionMethod, Replacement, totalPrice } from './command';
import { isConsolidatable } from './consolidate-after';
import { Simulation, simulate } from './simulation';

/** A single spot node gives way to another only where EC2 has this many cheaper types to choose from. */
export const SPOT_TO_SPOT_TYPES = 15;
/** The cheapest that a claim names. */
const MOST_TYPES = 600;

/** A command with what its new node can cost, or why there is none, in Karpenter's own words. */
export type Decision =
  | { readonly command: Command; readonly prices?: ClaimPrices; readonly why?: undefined }
  | { readonly why: string; readonly command?: undefined; readonly prices?: undefined };

/**
 * Why consolidation leaves a candidate as it is; undefined where it looks at it. An empty node is for emptiness, and no reason of
 * Karpenter's is known for it.
 */
export function unconsolidatable(candidate: Candidate, { cluster, now }: Scene): string | undefined {
  const { node: { labels }, nodePool } = candidate;
  if (cluster.scheduling.nodePools.some(({ name, replicas }) => name === nodePool && replicas !== undefined)) return `NodePool "${nodePool}" is static`;
  if (candidate.instanceType === undefined) return `Instance Type "${labels[Label.INSTANCE_TYPE] ?? ''}" not found`;
  for (const key of [Label.CAPACITY_TYPE, Label.ZONE]) if (labels[key] === undefined) return `Node does not have label "${key}"`;
  const { consolidateAfter, consolidationPolicy } = cluster.pools.get(nodePool)!;
  if (consolidateAfter === undefined) return `NodePool "${nodePool}" has consolidation disabled`;
  if (isEmpty(candidate)) return 'node is empty';
  if (consolidationPolicy === 'WhenEmpty') return `NodePool "${nodePool}" has consolidation policy WhenEmpty, but node is not empty`;
  return isConsolidatable(candidate.node, cluster, now) ? undefined : 'consolidateAfter is not over yet';
}

/**
 * What removing the candidates together comes to: their pods fit on other nodes, or on one new node that is cheaper than all of them.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/consolidation.go
 */
export function consolidate(method: DisruptionMethod, candidates: readonly Candidate[], scene: Scene): Decision {
  const simulation = simulate(scene, candidates, true);
  const failure = simulation.failure();
  if (failure !== undefined) return { why: failure };
  const { claims } = simulation;
  if (claims.length === 0) return { command: commandOf(method, candidates, [], simulation.destinations) };
  if (claims.length > 1) return { why: `Can't remove without creating ${claims.length} candidates` };
  const found = cheaperNode(claims[0], candidates, simulation, scene);
  if (typeof found === 'string') return { why: found };
  const replacement = replacementOf(claims[0], found.prices, found.types);
  return { command: commandOf(method, candidates, [replacement], simulation.destinations), prices: found.prices };
}

interface CheaperNode {
  readonly types: readonly string[];
  readonly prices: ClaimPrices;
}

function cheaperNode(claim: PlannedNodeClaim, candidates: readonly Candidate[], { solved }: Simulation, { cluster }: Scene): CheaperNode | string {
  const prices = claimPrices(claim, solved);
  const allSpot = candidates.every(({ node }) => node.labels[Label.CAPACITY_TYPE] === 'spot');
  if (allSpot && claim.capacityTypes.includes('spot')) {
    if (!cluster.settings?.spotToSpotConsolidation) return "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node";
    return spotToSpot(claim, prices.as('spot'), candidates);
  }
  const types = cheaperTypes(claim.instanceTypes, prices, totalPrice(candidates));
  if (typeof types === 'string') return types;
  // The spot price is what it was found cheaper by: without spot capacity nothing shall be launched.
  const isMixed = claim.capacityTypes.includes('spot') && claim.capacityTypes.includes('on-demand');
  return { types, prices: isMixed ? prices.as('spot') : prices };
}

function spotToSpot(claim: PlannedNodeClaim, prices: ClaimPrices, candidates: readonly Candidate[]): CheaperNode | string {
  const types = cheaperTypes(prices.launchable(claim.instanceTypes), prices, totalPrice(candidates));
  if (typeof types === 'string') return types;
  if (candidates.length > 1) return { types, prices };
  if (types.length < SPOT_TO_SPOT_TYPES) {
    return `SpotToSpotConsolidation requires ${SPOT_TO_SPOT_TYPES} cheaper instance type options than the current candidate to consolidate, got ${types.length}`;
  }
  return { types: types.slice(0, Math.max(SPOT_TO_SPOT_TYPES, leastTypes(types, prices))), prices };
}

/** As many of the cheapest as the pool's minValues ask for. */
function leastTypes(types: readonly string[], prices: ClaimPrices): number {
  if (!prices.hasMinValues) return 0;
  let count = 1;
  while (count < types.length && prices.minValuesError(types.slice(0, count)) !== undefined) count++;
  return count;
}

/** The types that cost less wherever they may be launched, or why there are none. */
export function cheaperTypes(types: readonly string[], prices: ClaimPrices, price: number): string[] | string {
  const cheaper = types.slice(0, MOST_TYPES).filter((type) => prices.worst(type) < price);
  if (cheaper.length === 0) return "Can't replace with a cheaper node";
  const error = prices.minValuesError(cheaper);
  return error === undefined ? cheaper : `Filtering by price: ${error}`;
}

export function claimPrices(claim: PlannedNodeClaim, { workload }: SolvedInput, capacityTypes: readonly string[] = claim.capacityTypes): ClaimPrices {
  return new ClaimPrices(claim, workload.templates.find(({ pool }) => pool.name === claim.nodePool)!, workload.settings, capacityTypes);
}

export function replacementOf(claim: PlannedNodeClaim, prices: ClaimPrices, instanceTypes: readonly string[]): Replacement {
  const { nodePool } = claim;
  const cheapest = instanceTypes.length === 0 ? undefined : prices.cheapest(instanceTypes[0]);
  const zones = prices.zones(instanceTypes);
  return { nodePool, instanceTypes, zones, capacityTypes: prices.capacityTypes, ...(cheapest ? { cheapest } : {}), claim };
}
