import { PlanCost } from './cost';
import { DEFAULT_START, runScenario } from '../../disruption';
import { planOfFleet, ProvisioningPass, SettledFleet } from '../../scheduling';
import { RuleContext } from '../rules';
import { scenarioStartOf } from '../scenario/node-facts';
import { scheduledCluster } from '../scenario/scheduled-cluster';
import { FleetRangeVerdict, FleetVerdict, RangeVerdict, SettledVerdict } from '../vocabulary/settled-verdict';

/** Larger fleets are not consolidated, because that would take longer than everything else. */
const MAX_CONSOLIDATED_NODES = 60;

export interface SettledPart {
  /** Right after Karpenter's first pass. */
  readonly firstPass: FleetVerdict;
  readonly settled: SettledVerdict;
  /** The least, the representative and the most expensive of the settled fleets after consolidation. */
  readonly consolidated?: FleetRangeVerdict;
}

interface PricedFleet {
  readonly fleet: SettledFleet;
  readonly nodes: number;
  readonly usdPerHour: number | null;
}

/**
 * The range of the fleets that Karpenter ends with; undefined if they are not simulated.
 *
 * @param isEvaluated whether the pods of a group are unschedulable if they have no node, and not just unknown
 */
export function settledPart(
  context: RuleContext,
  [first]: readonly ProvisioningPass[],
  isEvaluated: (group: number) => boolean,
): SettledPart | undefined {
  const { settled } = context;
  if (settled === undefined) return undefined;
  const { fleets, representative } = settled;
  const { nodeClaims } = first.plan;
  const cost = new PlanCost(context);
  const priced = fleets.map((fleet) => pricedFleet(fleet, cost));
  const median = priced[fleets.indexOf(representative)];
  const consolidated = consolidatedRange(context, priced, median);
  const launched = nodeClaims.flatMap(({ nodePool, launch }) => (launch ? [{ nodePool, offer: launch.cheapest }] : []));
  const pending = (fleet: SettledFleet) => realPods(fleet.pending, context, isEvaluated);
  return {
    firstPass: { nodes: launched.length, usdPerHour: priceOf(launched, cost) },
    settled: {
      ...fleetRange(priced, median),
      pendingPods: rangeOf(fleets.map(pending), pending(representative)),
    },
    ...(consolidated ? { consolidated } : {}),
  };
}

type Launched = ReadonlyArray<{
  readonly nodePool: string;
  readonly offer: NonNullable<SettledFleet['nodes'][0]['offer']>;
}>;

function pricedFleet(fleet: SettledFleet, cost: PlanCost): PricedFleet {
  const launched = fleet.nodes.flatMap(({ claim, offer }) =>
    claim && offer ? [{ nodePool: claim.nodePool, offer }] : [],
  );
  return { fleet, nodes: launched.length, usdPerHour: priceOf(launched, cost) };
}

function priceOf(launched: Launched, cost: PlanCost): number | null {
  const prices = launched.map(({ nodePool, offer }) => cost.billOf(nodePool, offer).pricePerHour);
  return prices.includes(null) ? null : rounded(prices.reduce<number>((sum, price) => sum + price!, 0));
}

/** Virtual pods of CapacityBuffers stay pending in any case. */
function realPods(
  pending: SettledFleet['pending'],
  { input: { pods } }: RuleContext,
  isEvaluated: (group: number) => boolean,
): number {
  const counted = [...pending].filter(([group]) => pods[group].buffer === undefined && isEvaluated(group));
  return counted.reduce((sum, [, count]) => sum + count, 0);
}

type Figures = Pick<PricedFleet, 'nodes' | 'usdPerHour'>;

function fleetRange(fleets: readonly Figures[], median: Figures): FleetRangeVerdict {
  const prices = fleets.flatMap(({ usdPerHour }) => usdPerHour ?? []);
  return {
    orders: fleets.length,
    nodes: rangeOf(
      fleets.map(({ nodes }) => nodes),
      median.nodes,
    ),
    usdPerHour: prices.length === fleets.length ? rangeOf(prices, median.usdPerHour!) : null,
  };
}

function rangeOf(figures: readonly number[], median: number): RangeVerdict {
  return { least: Math.min(...figures), median, most: Math.max(...figures) };
}

/** Consolidation of the smallest, the representative and the largest fleet. Undefined if one cannot be simulated. */
function consolidatedRange(
  context: RuleContext,
  priced: readonly PricedFleet[],
  representative: PricedFleet,
): FleetRangeVerdict | undefined {
  const sorted = [...priced].sort((left, right) => left.nodes - right.nodes || sizeOf(left) - sizeOf(right));
  const largest = sorted[sorted.length - 1];
  if (largest.nodes > MAX_CONSOLIDATED_NODES) return undefined;
  const distinct = new Map(
    [representative, sorted[0], largest].map((fleet) => [`${fleet.nodes} ${fleet.usdPerHour}`, fleet] as const),
  );
  const sizes: FleetVerdict[] = [];
  for (const { fleet } of distinct.values()) {
    const size = consolidatedFleet(context, fleet);
    if (size === undefined) return undefined;
    sizes.push(size);
  }
  return fleetRange(sizes, sizes[0]);
}

/**
 * A settled fleet after consolidation. Undefined for large fleets, if no NodePool consolidates, beside nodes of a
 * cluster, and with Jobs, whose pods end before consolidation does.
 */
export function consolidatedFleet(
  context: RuleContext,
  fleet: SettledFleet,
  maxNodes = MAX_CONSOLIDATED_NODES,
): FleetVerdict | undefined {
  const { model, input, plan, catalog } = context;
  const launched = fleet.nodes.filter(({ claim }) => claim !== undefined).length;
  const hasJobs = model.workloads.some(({ kind }) => kind === 'Job' || kind === 'CronJob');
  if (launched > maxNodes || hasJobs) return undefined;
  const start = scenarioStartOf(model) ?? DEFAULT_START;
  const { cluster } = scheduledCluster(context, planOfFleet(fleet, input, plan), start);
  if (![...cluster.pools.values()].some(({ consolidateAfter }) => consolidateAfter !== undefined)) return undefined;
  const [{ after, unfinished }] = runScenario('consolidation', cluster, { start });
  if (unfinished || cluster.nodes.length > launched) return undefined;
  // Without known prices, Karpenter still compares the assumed ones.
  return {
    nodes: after.nodes,
    usdPerHour: catalog.unknownPrices === undefined ? rounded(after.usdPerHour) : null,
  };
}

function sizeOf({ usdPerHour }: PricedFleet): number {
  return usdPerHour ?? 0;
}

/** Removes the noise of summing floating-point prices, which have at most six decimals. */
function rounded(usd: number): number {
  return Math.round(usd * 1e8) / 1e8;
}
