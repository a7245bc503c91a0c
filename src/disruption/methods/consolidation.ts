import { Label } from '../../model';
import { ClaimPrices, PlannedNodeClaim, SolvedInput } from '../../scheduling';
import { isEmpty } from '../candidates/candidates';
import { isConsolidatable } from '../candidates/consolidatable';
import { DisruptionContext } from '../context';
import { ClusterState } from '../session';
import { Simulation, simulateScheduling } from '../simulation/simulate-scheduling';
import { Candidate, Command, commandOf, DisruptionMethod, Replacement, totalPrice } from '../types';

/** How many cheaper instance types a single spot node needs to be replaced by another spot node. */
export const SPOT_TO_SPOT_TYPES = 15;
/** The cheapest types that a NodeClaim lists. */
export const MAX_INSTANCE_TYPES = 600;

/** A command with the prices of its replacement, or the reason why there is none, in Karpenter's own words. */
export type ConsolidationDecision =
  | {
      readonly command: Command;
      readonly prices?: ClaimPrices;
      readonly why?: undefined;
      readonly newNodeClaims?: undefined;
    }
  | {
      readonly why: string;
      /** The new nodes that the pods would need. @default - they do not all have a place */
      readonly newNodeClaims?: readonly PlannedNodeClaim[];
      readonly command?: undefined;
      readonly prices?: undefined;
    };

/**
 * Why consolidation does not consider a candidate; undefined if it does. Empty nodes are left to emptiness; the reason
 * for them is ours, because Karpenter gives none.
 */
export function consolidationBlock(candidate: Candidate, { cluster, now }: ClusterState): string | undefined {
  const {
    node: { labels },
    nodePool,
  } = candidate;
  if (isStaticPool(nodePool, cluster.scheduling)) return `NodePool "${nodePool}" is static`;
  if (candidate.instanceType === undefined) return `Instance Type "${labels[Label.INSTANCE_TYPE] ?? ''}" not found`;
  for (const key of [Label.CAPACITY_TYPE, Label.ZONE])
    if (labels[key] === undefined) return `Node does not have label "${key}"`;
  const { consolidateAfter, consolidationPolicy } = cluster.pools.get(nodePool)!;
  if (consolidateAfter === undefined) return `NodePool "${nodePool}" has consolidation disabled`;
  if (isEmpty(candidate)) return 'node is empty';
  if (consolidationPolicy === 'WhenEmpty')
    return `NodePool "${nodePool}" has consolidation policy WhenEmpty, but node is not empty`;
  return isConsolidatable(candidate.node, cluster, now) ? undefined : 'consolidateAfter is not over yet';
}

export function isStaticPool(nodePool: string, { nodePools }: ClusterState['cluster']['scheduling']): boolean {
  return nodePools.some(({ name, replicas }) => name === nodePool && replicas !== undefined);
}

/**
 * Removes the candidates together: their pods must fit on other nodes, or on one new node that is cheaper than all
 * candidates.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/consolidation.go
 */
export function computeConsolidation(
  method: DisruptionMethod,
  candidates: readonly Candidate[],
  context: DisruptionContext,
): ConsolidationDecision {
  const simulation = simulateScheduling(context, candidates, { avoidsSettlingNodes: true });
  const failure = simulation.failure();
  if (failure !== undefined) return { why: failure };
  const { newNodeClaims, destinations } = simulation;
  if (newNodeClaims.length === 0) return { command: commandOf(method, candidates, [], destinations) };
  if (newNodeClaims.length > 1)
    return { why: `Can't remove without creating ${newNodeClaims.length} candidates`, newNodeClaims };
  const cheaper = cheaperNode(newNodeClaims[0], candidates, simulation, context);
  if (typeof cheaper === 'string') return { why: cheaper, newNodeClaims };
  const replacement = replacementOf(newNodeClaims[0], cheaper.prices, cheaper.types);
  return { command: commandOf(method, candidates, [replacement], destinations), prices: cheaper.prices };
}

interface CheaperNode {
  readonly types: readonly string[];
  readonly prices: ClaimPrices;
}

function cheaperNode(
  claim: PlannedNodeClaim,
  candidates: readonly Candidate[],
  { solved }: Simulation,
  { cluster }: ClusterState,
): CheaperNode | string {
  const prices = claimPrices(claim, solved);
  const isAllSpot = candidates.every(({ node }) => node.labels[Label.CAPACITY_TYPE] === 'spot');
  if (isAllSpot && claim.capacityTypes.includes('spot')) {
    if (!cluster.settings?.spotToSpotConsolidation)
      return "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node";
    return spotToSpotNode(claim, prices.withCapacityType('spot'), candidates);
  }
  const types = cheaperTypes(claim.instanceTypes, prices, totalPrice(candidates));
  if (typeof types === 'string') return types;
  // The comparison used spot prices, so the claim must not fall back to on-demand.
  const isMixed = claim.capacityTypes.includes('spot') && claim.capacityTypes.includes('on-demand');
  return { types, prices: isMixed ? prices.withCapacityType('spot') : prices };
}

function spotToSpotNode(
  claim: PlannedNodeClaim,
  prices: ClaimPrices,
  candidates: readonly Candidate[],
): CheaperNode | string {
  const types = cheaperTypes(prices.launchableTypes(claim.instanceTypes), prices, totalPrice(candidates));
  if (typeof types === 'string') return types;
  if (candidates.length > 1) return { types, prices };
  if (types.length < SPOT_TO_SPOT_TYPES) {
    return `SpotToSpotConsolidation requires ${SPOT_TO_SPOT_TYPES} cheaper instance type options than the current candidate to consolidate, got ${types.length}`;
  }
  return { types: types.slice(0, Math.max(SPOT_TO_SPOT_TYPES, minValuesTypeCount(types, prices))), prices };
}

/** How many of the cheapest types satisfy the minValues of the NodePool. */
function minValuesTypeCount(types: readonly string[], prices: ClaimPrices): number {
  if (!prices.hasMinValues) return 0;
  let count = 1;
  while (count < types.length && prices.minValuesError(types.slice(0, count)) !== undefined) count++;
  return count;
}

/** The types that are cheaper in every offering that the claim allows, or why there are none. */
export function cheaperTypes(types: readonly string[], prices: ClaimPrices, price: number): string[] | string {
  const cheaper = types.slice(0, MAX_INSTANCE_TYPES).filter((type) => prices.worstLaunchPrice(type) < price);
  if (cheaper.length === 0) return "Can't replace with a cheaper node";
  const error = prices.minValuesError(cheaper);
  return error === undefined ? cheaper : `Filtering by price: ${error}`;
}

export function claimPrices(
  claim: PlannedNodeClaim,
  { workload }: SolvedInput,
  capacityTypes: readonly string[] = claim.capacityTypes,
): ClaimPrices {
  return new ClaimPrices(
    claim,
    workload.templates.find(({ pool }) => pool.name === claim.nodePool)!,
    workload.settings,
    capacityTypes,
  );
}

export function replacementOf(
  claim: PlannedNodeClaim,
  prices: ClaimPrices,
  instanceTypes: readonly string[],
): Replacement {
  const { nodePool } = claim;
  const cheapest = instanceTypes.length === 0 ? undefined : prices.cheapestOffer(instanceTypes[0]);
  const zones = prices.zones(instanceTypes);
  return {
    nodePool,
    instanceTypes,
    zones,
    capacityTypes: prices.capacityTypes,
    ...(cheapest ? { cheapest } : {}),
    claim,
  };
}

/** Replacements at any price, for methods that do not compare prices. */
export function replacementsFromNodeClaims({ newNodeClaims, solved }: Simulation): Replacement[] {
  return newNodeClaims.map((claim) =>
    replacementOf(claim, claimPrices(claim, solved), claim.instanceTypes.slice(0, MAX_INSTANCE_TYPES)),
  );
}
