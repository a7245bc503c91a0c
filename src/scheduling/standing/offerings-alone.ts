import { InstanceTypeTable } from '../../catalog';
import { viewsOf } from '../pool-encoder';
import { PoolTemplate } from '../templates';

/** Whether templates differ in nothing but which of their offerings are there, and at what price. */
export function differInOfferings(before: readonly PoolTemplate[], after: readonly PoolTemplate[]): boolean {
  const [viewsBefore, viewsAfter] = [viewsOf(before), viewsOf(after)];
  return before.length === after.length && before.every(({ pool, table }, at) => {
    const other = after[at];
    return pool === other.pool && viewsBefore.indexOf(table) === viewsAfter.indexOf(other.table) && haveSameTypes(table, other.table);
  });
}

function haveSameTypes(left: InstanceTypeTable, right: InstanceTypeTable): boolean {
  const samePlanes = left.offerings.length === right.offerings.length && left.offerings.every(({ zone, zoneId, capacityType, reservation }, at) => {
    const other = right.offerings[at];
    return zone === other.zone && zoneId === other.zoneId && capacityType === other.capacityType && reservation === other.reservation;
  });
  return samePlanes && left.labels === right.labels && left.allocatable === right.allocatable && left.capacity === right.capacity;
}
