import { Catalog, DEFAULT_NODE_CLASS, InstanceTypeTable } from '../../catalog';
import { amountsPerColumnUnit, ResourceList } from '../../model';
import { poolTables } from './overlays/node-overlays';
import { ScheduleInput } from '../input/schedule-input';
import { PoolView, SchedulePlan } from '../schedule-plan';

/** Instance types of one pool, each with its lowest price in the pool's offerings. */
interface PricedTypes {
  readonly table: InstanceTypeTable;
  readonly prices: ReadonlyMap<number, number>;
}

/**
 * Lower bound in USD per hour for every packing of the placed pods onto the pools' instance types; null if no pod is
 * placed.
 *
 * Each resource gives a bound by itself: its requested amount times the lowest price of one unit on any type. The
 * result is the largest of these bounds, and at least the price of the cheapest type, because at least one node is
 * needed. DaemonSets, node selectors and unused room on nodes only make a packing more expensive.
 */
export function costLowerBound(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog): number | null {
  const requested = placedRequests(input, plan);
  const pools = plan.pools.map((view) => pricedTypes(view, input, catalog));
  if (requested.size === 0 || pools.length === 0) return null;
  let bound = Math.min(...pools.flatMap(({ prices }) => Math.min(...prices.values())));
  for (const [resource, amount] of requested) bound = Math.max(bound, Number(amount) * cheapestUnit(resource, pools));
  return Number.isFinite(bound) ? bound : null;
}

function placedRequests(input: ScheduleInput, plan: SchedulePlan): ResourceList {
  const total = new Map<string, bigint>();
  const add = (resource: string, amount: bigint) => total.set(resource, (total.get(resource) ?? 0n) + amount);
  for (const { groups } of plan.nodeClaims) {
    for (const [group, count] of groups) {
      for (const [resource, amount] of input.pods[group].shape.requests)
        if (amount > 0n) add(resource, amount * BigInt(count));
      add('pods', BigInt(count));
    }
  }
  return total;
}

function pricedTypes(view: PoolView, input: ScheduleInput, catalog: Catalog): PricedTypes {
  const table = poolTables(input, catalog).tables.get(view.name) ?? catalog.resolve(DEFAULT_NODE_CLASS);
  const planes = table.offerings.filter(
    (plane) => view.zones.includes(plane.zone) && view.capacityTypes.includes(plane.capacityType),
  );
  const launchable = new Set(view.instanceTypes);
  const prices = new Map<number, number>();
  table.names.forEach((name, type) => {
    if (!launchable.has(name)) return;
    const offered = planes.map((plane) => plane.usdPerHour[type]).filter((price) => !Number.isNaN(price));
    if (offered.length > 0) prices.set(type, Math.min(...offered));
  });
  return { table, prices };
}

/** Infinity if no type has the resource: then no pod that requests it is placed. */
function cheapestUnit(resource: string, pools: readonly PricedTypes[]): number {
  let cheapest = Infinity;
  for (const { table, prices } of pools) {
    const column = table.allocatable[table.resources.indexOf(resource)];
    if (!column) continue;
    for (const [type, price] of prices)
      if (column[type] > 0) cheapest = Math.min(cheapest, price / (column[type] * amountsPerColumnUnit(resource)));
  }
  return cheapest;
}
