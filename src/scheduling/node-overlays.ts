import { Catalog, InstanceTypeTable } from '../catalog';
import { Label } from '../model';
import { overlaidTable } from './overlaid-table';
import { OverlayMatch, overlayMatch } from './overlay-match';
import { OverlayStore } from './overlay-store';
import { NodeOverlaySpec, NodePoolSpec, ScheduleInput } from './schedule-input';
import { OverlayConflict } from './schedule-plan';

interface OverlaidPool {
  readonly pool: NodePoolSpec;
  readonly table: InstanceTypeTable;
  readonly store: OverlayStore;
}

/** The instance types of each pool, with what overlays make of them, and the overlays that Karpenter rejects. */
export interface PoolTables {
  /** By the pool's name; without those whose node class is missing. */
  readonly tables: ReadonlyMap<string, InstanceTypeTable>;
  readonly conflicts: readonly OverlayConflict[];
}

const known = new WeakMap<ScheduleInput, WeakMap<Catalog, PoolTables>>();

/** Worked out once for an input. */
export function poolTables(input: ScheduleInput, catalog: Catalog): PoolTables {
  let ofInput = known.get(input);
  if (ofInput === undefined) {
    ofInput = new WeakMap();
    known.set(input, ofInput);
  }
  let found = ofInput.get(catalog);
  if (found === undefined) {
    found = overlay(input, catalog);
    ofInput.set(catalog, found);
  }
  return found;
}

function overlay({ nodePools, nodeClasses, nodeOverlays = [] }: ScheduleInput, catalog: Catalog): PoolTables {
  const prices = pricesByType(nodeOverlays);
  const pools = nodePools.flatMap((pool): OverlaidPool[] => {
    const nodeClass = nodeClasses.get(pool.nodeClass);
    if (nodeClass === undefined) return [];
    const table = catalog.resolve(nodeClass, prices);
    return [{ pool, table, store: new OverlayStore(table.names.length) }];
  });
  const conflicts = inOrder(nodeOverlays).flatMap((nodeOverlay) => apply(nodeOverlay, pools) ?? []);
  return { tables: new Map(pools.map(({ pool, table, store }) => [pool.name, overlaidTable(table, store)])), conflicts };
}

/** The heaviest first, and of equal weight the last by name. */
function inOrder(overlays: readonly NodeOverlaySpec[]): NodeOverlaySpec[] {
  return [...overlays].sort((left, right) => right.weight - left.weight || (left.name < right.name ? 1 : -1));
}

/** In all pools, or in none: a conflict anywhere. */
function apply(nodeOverlay: NodeOverlaySpec, pools: readonly OverlaidPool[]): OverlayConflict | undefined {
  const matches: OverlayMatch[] = [];
  for (const { pool, table, store } of pools) {
    const match = overlayMatch(nodeOverlay, pool, table);
    const conflict = store.conflict(nodeOverlay, match);
    if (conflict) return { overlay: nodeOverlay.name, nodePool: pool.name, instanceType: table.names[conflict.type], what: conflict.what };
    matches.push(match);
  }
  pools.forEach(({ store }, at) => store.add(nodeOverlay, matches[at]));
  return undefined;
}

/** Types that EC2 gives no price for can be launched where an overlay of nothing but types says what they cost. */
function pricesByType(overlays: readonly NodeOverlaySpec[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const { priceChange, requirements: [first, ...others] } of [...overlays].sort((left, right) => left.name < right.name ? -1 : 1)) {
    if (priceChange === undefined || /^[+-]/.test(priceChange) || others.length > 0) continue;
    if (first?.key !== Label.INSTANCE_TYPE || first.operator !== 'In') continue;
    for (const name of first.values ?? []) prices.set(name, Number(priceChange));
  }
  return prices;
}
