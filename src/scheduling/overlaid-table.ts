import { InstanceTypeTable } from '../catalog';
import { OverlayStore } from './overlay-store';
import { changedPrice } from './price-change';

const HUGE_PAGES = 'hugepages-';

/** The table with the prices and capacities that overlays give its types. Labels stay as they are. */
export function overlaidTable(table: InstanceTypeTable, store: OverlayStore): InstanceTypeTable {
  if (store.isEmpty) return table;
  const added = [...store.resources()].filter((resource) => !table.resources.includes(resource)).sort();
  const resources = [...table.resources, ...added];
  const extended = (columns: readonly Float64Array[]) =>
    resources.map((_, at) => columns[at]?.slice() ?? new Float64Array(table.names.length));
  const capacity = extended(table.capacity);
  const allocatable = extended(table.allocatable);
  const memory = allocatable[resources.indexOf('memory')];
  const priceOverlaid = new Uint8Array(table.names.length);
  table.names.forEach((_, type) => {
    for (const [resource, amount] of store.capacity(type)) {
      const at = resources.indexOf(resource);
      // What the kubelet keeps to itself is none of the resources that an overlay can set.
      capacity[at][type] = Number(amount);
      allocatable[at][type] = Number(amount);
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
