import { OverlayMatch, overlayMatch } from './overlay-match';
import { OverlayStore } from './overlay-store';
import { Catalog, InstanceTypeTable } from '../../../catalog';
import { Label, memoizeByIdentity } from '../../../model';
import { NodeOverlaySpec, NodePoolSpec, ScheduleInput } from '../../input/schedule-input';
import { OverlayConflict } from '../../schedule-plan';

const HUGE_PAGES = 'hugepages-';

/** The table with the prices and capacities of the overlays. Labels do not change. */
function overlaidTable(table: InstanceTypeTable, store: OverlayStore): InstanceTypeTable {
  if (store.isEmpty) return table;
  const added = [...store.resources()].filter((resource) => !table.resources.includes(resource)).sort();
  const resources = [...table.resources, ...added];
  const extended = (columns: readonly Float64Array[]) =>
    resources.map((_, index) => columns[index]?.slice() ?? new Float64Array(table.names.length));
  const capacity = extended(table.capacity);
  const allocatable = extended(table.allocatable);
  const memory = allocatable[resources.indexOf('memory')];
  const priceOverlaid = new Uint8Array(table.names.length);
  table.names.forEach((_, type) => {
    for (const [resource, amount] of store.capacity(type)) {
      const column = resources.indexOf(resource);
      // The kubelet reserves nothing of the resources that overlays can set, so capacity and allocatable are equal.
      capacity[column][type] = Number(amount);
      allocatable[column][type] = Number(amount);
      if (resource.startsWith(HUGE_PAGES)) memory[type] = Math.max(0, memory[type] - Number(amount));
    }
  });
  const offerings = table.offerings.map((offering, plane) => ({
    ...offering,
    usdPerHour: offering.usdPerHour.map((price, type) => {
      const change = store.priceChange(type, plane);
      if (change === undefined) return price;
      priceOverlaid[type] = 1;
      return Number.isNaN(price) ? price : changedPrice(price, change);
    }),
  }));
  return { ...table, resources, capacity, allocatable, offerings, priceOverlaid };
}

/**
 * Applies the price change of a NodeOverlay.
 *
 * @param change a price, a signed amount or a signed percentage: `0.25`, `-0.01`, `+10%`
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/cloudprovider/types.go
 */
export function changedPrice(price: number, change: string): number {
  if (!/^[+-]/.test(change)) return Number(change);
  const changed = change.endsWith('%') ? price * (1 + Number(change.slice(0, -1)) / 100) : price + Number(change);
  return changed >= 0 ? changed : 0;
}

interface OverlaidPool {
  readonly pool: NodePoolSpec;
  readonly table: InstanceTypeTable;
  readonly store: OverlayStore;
}

/** The instance types of each pool with overlays applied, and the overlays that Karpenter rejects. */
export interface PoolTables {
  /** By pool name. Pools without a node class are left out. */
  readonly tables: ReadonlyMap<string, InstanceTypeTable>;
  readonly conflicts: readonly OverlayConflict[];
}

/** The instance types of every pool. Memoized by input and catalog, because every pool of an input asks for it. */
export function poolTables(input: ScheduleInput, catalog: Catalog): PoolTables {
  return tablesByCatalog(input)(catalog);
}

const tablesByCatalog = memoizeByIdentity((input: ScheduleInput) =>
  memoizeByIdentity((catalog: Catalog) => computeTables(input, catalog)),
);

function computeTables({ nodePools, nodeClasses, nodeOverlays = [] }: ScheduleInput, catalog: Catalog): PoolTables {
  const prices = pricesByType(nodeOverlays);
  const pools = nodePools.flatMap((pool): OverlaidPool[] => {
    const nodeClass = nodeClasses.get(pool.nodeClass);
    if (nodeClass === undefined) return [];
    const table = catalog.resolve(nodeClass, prices);
    return [{ pool, table, store: new OverlayStore(table.names.length) }];
  });
  const conflicts = inOrder(nodeOverlays).flatMap((nodeOverlay) => apply(nodeOverlay, pools) ?? []);
  return {
    tables: new Map(pools.map(({ pool, table, store }) => [pool.name, overlaidTable(table, store)])),
    conflicts,
  };
}

/** The heaviest first, and for equal weights the last by name. */
function inOrder(overlays: readonly NodeOverlaySpec[]): NodeOverlaySpec[] {
  return [...overlays].sort((left, right) => right.weight - left.weight || (left.name < right.name ? 1 : -1));
}

/** Applies the overlay to all pools; a conflict in one pool rejects it for all of them. */
function apply(nodeOverlay: NodeOverlaySpec, pools: readonly OverlaidPool[]): OverlayConflict | undefined {
  const matches: OverlayMatch[] = [];
  for (const { pool, table, store } of pools) {
    const match = overlayMatch(nodeOverlay, pool, table);
    const conflict = store.conflict(nodeOverlay, match);
    if (conflict)
      return {
        overlay: nodeOverlay.name,
        nodePool: pool.name,
        instanceType: table.names[conflict.type],
        what: conflict.what,
      };
    matches.push(match);
  }
  pools.forEach(({ store }, index) => store.add(nodeOverlay, matches[index]));
  return undefined;
}

/**
 * Prices of overlays that select instance types by name only. Types without an EC2 price become launchable at these
 * prices.
 */
function pricesByType(overlays: readonly NodeOverlaySpec[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const {
    priceChange,
    requirements: [first, ...rest],
  } of [...overlays].sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (priceChange === undefined || /^[+-]/.test(priceChange) || rest.length > 0) continue;
    if (first?.key !== Label.INSTANCE_TYPE || first.operator !== 'In') continue;
    for (const name of first.values ?? []) prices.set(name, Number(priceChange));
  }
  return prices;
}
