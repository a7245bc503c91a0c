import { InstanceTypeTable } from '../catalog';
import { Label, Requirements } from '../model';
import { PoolTemplate } from './templates';
import { admission, compatibleOfferings, compatibleTypes } from './type-filter';

/**
 * Ids of the capacity reservations that a node of the pool could be launched into, had they room, where it could be launched as nothing
 * else; undefined where one of them has room, or where there is something else, be it that nobody can have any of it at the moment.
 *
 * @param everywhere the pool's instance types with all of their offerings, available or not
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go staticReservations
 */
export function fullReservations({ table, requirements }: PoolTemplate, everywhere: InstanceTypeTable): ReadonlySet<string> | undefined {
  const fits = compatibleTypes(table, requirements);
  const others = compatibleOfferings(everywhere, requirements).filter(({ reservation }) => !reservation);
  if (others.some(({ capacityType }) => isSold(capacityType, table, fits))) return undefined;
  const ids = new Set<string>();
  for (const { reservation, usdPerHour } of compatibleOfferings(table, requirements)) {
    if (!reservation || !fits.some((isFit, type) => isFit && !Number.isNaN(usdPerHour[type]))) continue;
    if (reservation.free > 0) return undefined;
    ids.add(reservation.id);
  }
  return ids;
}

/** Whether EC2 has one of the types in this way at all. */
function isSold(capacityType: string, { labels }: InstanceTypeTable, fits: readonly boolean[]): boolean {
  const column = labels.find(({ key }) => key === Label.CAPACITY_TYPE)!;
  const admits = admission(column, Requirements.fromLabels({ [Label.CAPACITY_TYPE]: capacityType }).get(Label.CAPACITY_TYPE));
  return fits.some((isFit, type) => isFit && admits(type));
}
