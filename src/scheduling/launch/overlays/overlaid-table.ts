import { OverlayStore } from './overlay-store';
import { InstanceTypeTable } from '../../../catalog';

const HUGE_PAGES = 'hugepages-';

/** The table with the prices and capacities of the overlays. Labels do not change. */
export function overlaidTable(table: InstanceTypeTable, store: OverlayStore): InstanceTypeTable {
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
