import { INTERRUPTION_BANDS } from '../../catalog';
import { poolTables } from '../../scheduling';
import { PlanCost } from '../check/cost';
import { RuleContext } from '../rules';

/** What the fleet looks like with and without a recommendation. */
export interface FleetFigures {
  readonly usdPerHour: number;
  /** The price after consolidation. @default - consolidation is not simulated, as `check` says when */
  readonly consolidatedUsdPerHour?: number;
  readonly nodes: number;
  /** The part of all CPUs that the largest node has, from 0 to 1. */
  readonly largestShare: number;
  /** The part of all CPUs that spot instances have, from 0 to 1. */
  readonly spotShare: number;
  /** How many instance types the changed NodePools can launch. */
  readonly instanceTypes: number;
  /** The fewest instance types that a changed NodePool can launch in one of its zones. */
  readonly instanceTypesPerZone: number;
  /** How often EC2 interrupts the spot type that it interrupts most: `5-10%` a month. `null` without a record. */
  readonly interruption: string | null;
  /** The most nodes in one zone, which are lost with it. */
  readonly nodesInZone: number;
  /** The most pods on one node, without those of DaemonSets. */
  readonly podsOnNode: number;
  /** The part of its pods that the worst hit workload keeps if a node is lost, from 0 to 1. 1 without replicas. */
  readonly lowestReady: number;
}

type FigureContext = Pick<RuleContext, 'input' | 'catalog' | 'plan'>;

/**
 * Undefined if no node is launched, or if a price is unknown.
 *
 * @param names the NodePools whose instance types are counted
 */
export function figuresOf(context: FigureContext, names: ReadonlySet<string>): FleetFigures | undefined {
  const { plan } = context;
  const usdPerHour = new PlanCost(context).usdPerHour();
  if (usdPerHour === null) return undefined;
  const launches = plan.nodeClaims.map(({ launch }) => launch!.cheapest);
  const cpus = cpusOf(context);
  const pools = plan.pools.filter(({ name }) => names.has(name));
  return {
    usdPerHour,
    nodes: launches.length,
    largestShare: Math.max(...cpus) / sumOf(cpus),
    spotShare: sumOf(cpus.filter((_, index) => launches[index].capacityType === 'spot')) / sumOf(cpus),
    instanceTypes: new Set(pools.flatMap(({ instanceTypes }) => instanceTypes)).size,
    instanceTypesPerZone: fewestTypes(context, pools),
    interruption: interruptionOf(context),
    nodesInZone: Math.max(...countsOf(launches.map(({ zone }) => zone))),
    podsOnNode: Math.max(...plan.nodeClaims.map(({ pods }) => pods.length)),
    lowestReady: lowestReady(context),
  };
}

function cpusOf({ plan, input, catalog }: FigureContext): number[] {
  const { tables } = poolTables(input, catalog);
  return plan.nodeClaims.map(({ nodePool, launch }) => {
    const { names, resources, capacity } = tables.get(nodePool)!;
    return capacity[resources.indexOf('cpu')][names.indexOf(launch!.cheapest.instanceType)];
  });
}

function fewestTypes({ input, catalog }: FigureContext, pools: FigureContext['plan']['pools']): number {
  const { tables } = poolTables(input, catalog);
  const counts = pools.flatMap(({ name, instanceTypes, zones, capacityTypes }) => {
    const { names, offerings } = tables.get(name)!;
    const rows = new Map(names.map((type, row) => [type, row]));
    return zones.map((zone) => {
      const planes = offerings.filter((plane) => plane.zone === zone && capacityTypes.includes(plane.capacityType));
      return instanceTypes.filter((type) => planes.some(({ usdPerHour }) => usdPerHour[rows.get(type)!] >= 0)).length;
    });
  });
  return counts.length === 0 ? 0 : Math.min(...counts);
}

function interruptionOf({ plan, catalog }: FigureContext): string | null {
  const bands = plan.nodeClaims.flatMap(({ launch }) =>
    launch?.cheapest.capacityType === 'spot'
      ? (catalog.spotFigures(launch.cheapest.instanceType)?.interruption ?? [])
      : [],
  );
  return INTERRUPTION_BANDS[Math.max(...bands.map((band) => INTERRUPTION_BANDS.indexOf(band)))] ?? null;
}

function lowestReady({ plan, input }: FigureContext): number {
  const most = new Map<number, number>();
  for (const { groups } of plan.nodeClaims)
    for (const [group, pods] of groups) most.set(group, Math.max(most.get(group) ?? 0, pods));
  const left = [...most].map(([group, lost]) => {
    const { count } = input.pods[group];
    return count < 2 ? 1 : (count - lost) / count;
  });
  return Math.min(1, ...left);
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function countsOf(names: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.values()];
}
