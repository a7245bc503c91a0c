import { PlanCost } from './cost';
import { DEFAULT_START, runScenario, timesOf } from '../../disruption';
import { planOfFleet, ProvisioningPass, SettledFleet, settledFleets } from '../../scheduling';
import { SettleOptions } from '../check-options';
import { podGroupIndices } from '../context/schedule-input';
import { byCodePoint } from '../order';
import { RuleContext } from '../rules';
import { scenarioStartOf } from '../scenario/node-facts';
import { scheduledCluster } from '../scenario/scheduled-cluster';
import { FleetRangeVerdict, FleetVerdict, RangeVerdict, SettledVerdict } from '../vocabulary/settled-verdict';

/** Fleets beyond these bounds are not settled or consolidated, because that would take longer than everything else. */
const MAX_SETTLED_PODS = 50_000;
const MAX_CONSOLIDATED_NODES = 60;

export interface SettledPart {
  /** Right after Karpenter's first pass. */
  readonly firstPass: FleetVerdict;
  readonly settled: SettledVerdict;
  /** The least, the median and the most expensive of the settled fleets after consolidation. */
  readonly consolidated?: FleetRangeVerdict;
}

interface PricedFleet {
  readonly fleet: SettledFleet;
  readonly nodes: number;
  readonly usdPerHour: number | null;
}

/** The fleets that Karpenter ends with; undefined if no node is launched, or if the input is too large. */
export function settledPart(
  context: RuleContext,
  passes: readonly ProvisioningPass[],
  { nodeStart, ...order }: SettleOptions,
): SettledPart | undefined {
  const { input, catalog, options } = context;
  const [first] = passes;
  const podCount = input.pods.reduce((sum, { count }) => sum + count, 0);
  const { nodeClaims } = first.plan;
  if (podCount > MAX_SETTLED_PODS || first.solved.isBeyondBounds || !nodeClaims.some(({ launch }) => launch))
    return undefined;
  const times = timesOf('consolidation', { times: nodeStart === undefined ? {} : { nodeStart } });
  const fleets = settledFleets(input, catalog, {
    nodeStart: times.nodeStart,
    arrivals: arrivalsOf(context, order),
    first: first.solved,
    onOrder: (done) => options.onProgress?.({ task: 'settling nodes, order', done }),
  });
  if (fleets.length === 0 || fleets.some(({ isGrowing }) => isGrowing)) return undefined;
  const cost = new PlanCost(context);
  const priced = fleets.map((fleet) => pricedFleet(fleet, cost)).sort(bySize);
  const consolidated = consolidatedRange(context, priced, first);
  const launched = nodeClaims.flatMap(({ nodePool, launch }) => (launch ? [{ nodePool, offer: launch.cheapest }] : []));
  return {
    firstPass: { nodes: launched.length, usdPerHour: priceOf(launched, cost) },
    settled: {
      ...fleetRange(priced),
      pendingPods: rangeOf(fleets.map(({ pending }) => realPods(pending, context))),
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

function bySize(left: PricedFleet, right: PricedFleet): number {
  return left.nodes - right.nodes || (left.usdPerHour ?? 0) - (right.usdPerHour ?? 0);
}

/** Virtual pods of CapacityBuffers stay pending in any case. */
function realPods(pending: SettledFleet['pending'], { input: { pods } }: RuleContext): number {
  return [...pending].reduce((sum, [group, count]) => sum + (pods[group].buffer === undefined ? count : 0), 0);
}

function fleetRange(fleets: ReadonlyArray<Omit<PricedFleet, 'fleet'>>): FleetRangeVerdict {
  const prices = fleets.flatMap(({ usdPerHour }) => usdPerHour ?? []);
  return {
    orders: fleets.length,
    nodes: rangeOf(fleets.map(({ nodes }) => nodes)),
    usdPerHour: prices.length === fleets.length ? rangeOf(prices) : null,
  };
}

function rangeOf(figures: readonly number[]): RangeVerdict {
  const sorted = [...figures].sort((left, right) => left - right);
  return { least: sorted[0], median: medianOf(sorted), most: sorted[sorted.length - 1] };
}

/** Of an even number of figures the lower one: a figure that was simulated. */
function medianOf<Item>(sorted: readonly Item[]): Item {
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Consolidation of the smallest, the median and the largest fleet, if a NodePool allows consolidation at all. */
function consolidatedRange(
  context: RuleContext,
  sorted: readonly PricedFleet[],
  { plan }: ProvisioningPass,
): FleetRangeVerdict | undefined {
  if (sorted[sorted.length - 1].nodes > MAX_CONSOLIDATED_NODES) return undefined;
  const bySizeText = [sorted[0], medianOf(sorted), sorted[sorted.length - 1]].map(
    (fleet) => [`${fleet.nodes} ${fleet.usdPerHour}`, fleet] as const,
  );
  const start = scenarioStartOf(context.model) ?? DEFAULT_START;
  const sizes: FleetVerdict[] = [];
  for (const { fleet } of new Map(bySizeText).values()) {
    const { cluster } = scheduledCluster(context, planOfFleet(fleet, context.input, plan), start);
    if (![...cluster.pools.values()].some(({ consolidateAfter }) => consolidateAfter !== undefined)) return undefined;
    const [{ after, unfinished }] = runScenario('consolidation', cluster, { start });
    const existing = cluster.nodes.length - fleet.nodes.filter(({ claim }) => claim !== undefined).length;
    if (unfinished || existing > 0) return undefined;
    sizes.push({ nodes: after.nodes, usdPerHour: rounded(after.usdPerHour) });
  }
  return fleetRange(sizes);
}

/**
 * When the pods of each group are created, in seconds; undefined if all are created at the start. Pods of the cluster
 * files exist already.
 */
function arrivalsOf(
  { model, input }: RuleContext,
  { order, interval = 5 }: Omit<SettleOptions, 'nodeStart'>,
): number[] | undefined {
  if (order === undefined) return undefined;
  const arrivals = input.pods.map(() => 0);
  const workloads = [...model.workloads];
  if (order === 'name') workloads.sort((a, b) => byCodePoint(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));
  const files = [...new Set(workloads.map(({ object }) => object.locate([]).file))];
  let position = 0;
  for (const workload of workloads) {
    const groups = podGroupIndices(workload);
    if (groups.length === 0) continue;
    const turn = order === 'file-by-file' ? files.indexOf(workload.object.locate([]).file) : position++;
    for (const group of groups) arrivals[group] = turn * interval;
  }
  return arrivals;
}

/** Removes the noise of summing floating-point prices, which have at most six decimals. */
function rounded(usd: number): number {
  return Math.round(usd * 1e8) / 1e8;
}
