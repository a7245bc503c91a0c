import { amountsOf } from './amounts';
import { Catalog, InstanceTypeTable, OfferingPlane } from '../../../catalog';
import { formatTaint, amountsPerColumnUnit, memoizeByIdentity } from '../../../model';
import { NodePoolSpec, Offer, poolTables, PoolView } from '../../../scheduling';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';
import { Amounts, NodeVerdict } from '../../vocabulary/node-verdict';
import { NodePoolVerdict } from '../../vocabulary/verdict';
import { PlanCost } from '../cost';

/**
 * The NodePools with their instance types, limits and use, in name order.
 *
 * @param isUnknown whether the instance types of a pool, by name, are not known
 */
export function nodePoolVerdicts(
  context: RuleContext,
  nodes: readonly NodeVerdict[],
  isUnknown: (name: string) => boolean,
): NodePoolVerdict[] {
  const { plan, input } = context;
  const specs = new Map(input.nodePools.map((spec) => [spec.name, spec]));
  return plan.pools
    .filter(({ name }) => !isUnknown(name))
    .map((view): NodePoolVerdict => {
      const { name, instanceTypes, zones, capacityTypes, elimination } = view;
      const spec = specs.get(name);
      const own = nodes.filter(({ nodePool }) => nodePool === name);
      const limits = amountsOf(spec?.limits ?? new Map());
      return {
        name,
        instanceTypes,
        zones: [...zones].sort(byCodePoint),
        capacityTypes: [...capacityTypes].sort(byCodePoint),
        elimination,
        weight: spec?.weight ?? 0,
        ...(spec?.replicas === undefined ? {} : { replicas: spec.replicas }),
        taints: (spec?.taints ?? []).map(formatTaint),
        limits,
        used: usedOf(Object.keys(limits), own),
        nodes: own.length,
        costPerHour: costOf(own),
        limitCostPerHour: rounded(mostOf(limitCost(view, context), costOf(own))),
      };
    })
    .sort((a, b) => byCodePoint(a.name, b.name));
}

function costOf(nodes: readonly NodeVerdict[]): number | null {
  if (nodes.some(({ price }) => price === null)) return null;
  return rounded(nodes.reduce((sum, { price }) => sum + price!.perHour, 0));
}

/** Nodes of the cluster may be beyond the limits already. */
function mostOf(limit: number | null, now: number | null): number | null {
  return limit === null || now === null ? null : Math.max(limit, now);
}

function rounded(perHour: number | null): number | null {
  return perHour === null ? null : Math.round(perHour * 1e6) / 1e6;
}

/** The capacity of the pool's nodes for each limited resource. The resource `nodes` counts them. */
function usedOf(resources: readonly string[], nodes: readonly NodeVerdict[]): Amounts {
  return Object.fromEntries(
    resources.map(
      (resource) =>
        [
          resource,
          resource === 'nodes' ? nodes.length : nodes.reduce((sum, { capacity }) => sum + (capacity[resource] ?? 0), 0),
        ] as const,
    ),
  );
}

const NODES = 'nodes';

/**
 * What all nodes of a NodePool can cost at most an hour. Karpenter launches no node whose capacity exceeds what is left
 * of a limit, so that a limit allows its amount at the highest price of a unit. The lowest of these figures holds.
 * Reserved capacity is paid for already.
 *
 * @returns null if no limit bounds the cost, or a price is unknown
 */
function limitCost(view: PoolView, { input, catalog, plan }: RuleContext): number | null {
  const pool = input.nodePools.find(({ name }) => name === view.name);
  const table = poolTables(input, catalog).tables.get(view.name);
  if (pool === undefined || table === undefined || catalog.unknownPrices !== undefined) return null;
  const limits = limitsOf(pool).map(({ resource, amount }) => ({ amount, sizeOf: sizesOf(resource, table) }));
  if (limits.length === 0) return null;
  const prices = highestPrices(view, table, new PlanCost({ input, catalog, plan }), catalog);
  const launchable = new Set(view.instanceTypes);
  const most = limits.map(() => 0);
  for (let type = 0; type < table.names.length; type++) {
    if (!launchable.has(table.names[type]) || limits.some(({ sizeOf, amount }) => sizeOf(type) > amount)) continue;
    const price = prices(type);
    if (price === null) return null;
    limits.forEach(({ sizeOf, amount }, index) => {
      if (price > 0) most[index] = Math.max(most[index], (price * amount) / sizeOf(type));
    });
  }
  const least = Math.min(...most);
  return Number.isFinite(least) ? least : null;
}

/** A static pool has as many nodes as replicas. */
function limitsOf({ limits, replicas }: NodePoolSpec): Array<{ readonly resource: string; readonly amount: number }> {
  return [
    ...[...limits].map(([resource, amount]) => ({
      resource,
      amount: Number(amount) / amountsPerColumnUnit(resource),
    })),
    ...(replicas === undefined ? [] : [{ resource: NODES, amount: replicas }]),
  ];
}

/** The size of a type in the unit of a limit; 0 for a resource that it lacks. */
function sizesOf(resource: string, { resources, capacity }: InstanceTypeTable): (type: number) => number {
  const column = capacity[resources.indexOf(resource)];
  return resource === NODES ? () => 1 : (type) => column?.[type] ?? 0;
}

/**
 * The highest price of each type in the zones and with the capacity types of the pool, reserved capacity apart; null if
 * it is unknown. Pools with the same instance types share the prices.
 */
function highestPrices(
  { name, zones, capacityTypes }: PoolView,
  table: InstanceTypeTable,
  cost: PlanCost,
  catalog: Catalog,
): (type: number) => number | null {
  const known = pricesByChoice(table)(catalog);
  const key = JSON.stringify([zones, capacityTypes, cost.isWindows(name)]);
  const prices = known.get(key) ?? new Map<number, number | null>();
  known.set(key, prices);
  const planes = table.offerings.filter(
    ({ zone, capacityType, reservation }) =>
      reservation === undefined && zones.includes(zone) && capacityTypes.includes(capacityType),
  );
  return (type) => {
    let price = prices.get(type);
    if (price === undefined) {
      price = highestPrice(type, table, planes, (offer) => cost.billOf(name, offer).pricePerHour);
      prices.set(type, price);
    }
    return price;
  };
}

const pricesByChoice = memoizeByIdentity((_: InstanceTypeTable) =>
  memoizeByIdentity((__: Catalog) => new Map<string, Map<number, number | null>>()),
);

/** Among the planes; null if it is unknown. */
function highestPrice(
  type: number,
  { names }: InstanceTypeTable,
  planes: readonly OfferingPlane[],
  bill: (offer: Offer) => number | null,
): number | null {
  let highest = 0;
  for (const { zone, capacityType, usdPerHour } of planes) {
    if (Number.isNaN(usdPerHour[type])) continue;
    const price = bill({ instanceType: names[type], zone, capacityType, usdPerHour: usdPerHour[type] });
    if (price === null) return null;
    highest = Math.max(highest, price);
  }
  return highest;
}
