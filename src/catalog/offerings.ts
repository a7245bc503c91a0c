import { InstanceTypeTable, OfferingPlane } from './instance-type-table';
import { CAPACITY_TYPES, RESERVED } from './label-columns';
import { OfferingKey, ReservationFacts } from './node-class-facts';
import { Prices } from './prices';
import { ZoneOffers } from './zone-offers';

/** One plane for each zone and capacity type. Zones that offer the same types share their arrays. */
export function offeringPlanes(
  prices: Prices,
  zones: readonly string[],
  compatible: (type: number) => boolean,
  { offeredIn, offersOf }: ZoneOffers,
): OfferingPlane[] {
  const columns = new Map<number, Record<(typeof CAPACITY_TYPES)[number], Float64Array>>();
  return zones.flatMap((zone) => {
    const key = offersOf(zone);
    const shared = columns.get(key) ?? soldIn(prices, compatible, offeredIn(zone));
    columns.set(key, shared);
    return CAPACITY_TYPES.map((capacityType) => ({ zone, capacityType, usdPerHour: shared[capacityType] }));
  });
}

function soldIn(
  prices: Prices,
  compatible: (type: number) => boolean,
  isOffered: (type: number) => boolean,
): Record<(typeof CAPACITY_TYPES)[number], Float64Array> {
  const onDemand = prices.onDemand.slice();
  const spot = prices.spot.slice();
  for (let type = 0; type < onDemand.length; type++) {
    if (compatible(type) && isOffered(type)) continue;
    onDemand[type] = NaN;
    spot[type] = NaN;
  }
  return { 'on-demand': onDemand, spot };
}

/** The table without the unavailable offerings. */
export function withoutOfferings(unavailable: readonly OfferingKey[], table: InstanceTypeTable): InstanceTypeTable {
  const offerings = table.offerings.map((plane) => {
    const types = unavailable
      .filter(({ zone, capacityType }) => zone === plane.zone && capacityType === plane.capacityType)
      .map(({ instanceType }) => table.names.indexOf(instanceType))
      .filter((type) => type >= 0);
    if (types.length === 0) return plane;
    const usdPerHour = plane.usdPerHour.slice();
    for (const type of types) usdPerHour[type] = NaN;
    return { ...plane, usdPerHour };
  });
  return { ...table, offerings };
}

/**
 * Karpenter divides the on-demand price by this, so that reserved capacity is almost free and keeps the price order.
 */
const DISCOUNT = 10000000;
interface ReservedOfferingContext {
  readonly names: readonly string[];
  readonly onDemand: Float64Array;
  readonly zones: readonly string[];
  readonly launchable: (type: number) => boolean;
}
/**
 * An offering for each usable reservation, even if no instance is left in it.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/offering/reserved_capacity_resolver.go
 */
export function reservedPlanes(
  { names, onDemand, zones, launchable }: ReservedOfferingContext,
  reservations: readonly ReservationFacts[],
): OfferingPlane[] {
  return reservations.flatMap(
    ({ id, instanceType, zone, type: kind, interruptible, expiring, gated, free = Infinity }) => {
      const type = names.indexOf(instanceType);
      if (type < 0 || expiring || gated || !zones.includes(zone) || !launchable(type)) return [];
      const usdPerHour = new Float64Array(names.length).fill(NaN);
      usdPerHour[type] = Number.isNaN(onDemand[type]) ? 0 : onDemand[type] / DISCOUNT;
      return [{ zone, capacityType: RESERVED, usdPerHour, reservation: { id, type: kind, interruptible, free } }];
    },
  );
}
