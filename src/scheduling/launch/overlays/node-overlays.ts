import { overlaidTable } from './overlaid-table';
import { OverlayMatch, overlayMatch } from './overlay-match';
import { OverlayStore } from './overlay-store';
import { Catalog, InstanceTypeTable } from '../../../catalog';
import { Label, memoizeByIdentity } from '../../../model';
import { NodeOverlaySpec, NodePoolSpec, ScheduleInput } from '../../input/schedule-input';
import { OverlayConflict } from '../../schedule-plan';

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
