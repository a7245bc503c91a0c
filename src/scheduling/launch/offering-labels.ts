import { OfferingPlane } from '../../catalog';
import { Label } from '../../model';

/** Labels that only offerings of capacity reservations have. */
export const RESERVATION_LABELS = [
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
] as const;

/** The labels of an offering. A value is undefined if the offering does not have the label. */
export function offeringLabels({
  zone,
  zoneId,
  capacityType,
  reservation,
  partition,
}: Omit<OfferingPlane, 'usdPerHour'>): ReadonlyArray<readonly [string, string | undefined]> {
  const [id, type, interruptible] = RESERVATION_LABELS;
  return [
    [Label.ZONE, zone],
    ...(zoneId === undefined ? [] : [[Label.ZONE_ID, zoneId] as const]),
    [Label.CAPACITY_TYPE, capacityType],
    ...(partition === undefined ? [] : [[Label.PLACEMENT_GROUP_PARTITION, partition] as const]),
    [id, reservation?.id],
    [type, reservation?.type],
    [interruptible, reservation && String(reservation.interruptible)],
  ];
}
