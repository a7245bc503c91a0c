import { CatalogFile } from './catalog-file';
import { column } from './columns';
import { InstanceTypeTable, OfferingPlane } from './instance-type-table';
import { CAPACITY_TYPES, RESERVED } from './label-columns';
import { OfferingKey, ReservationFacts } from './node-class-facts';

const FALLBACK_REGION = 'us-east-1';

export interface Prices {
  /** The region whose prices these are. */
  readonly region: string;
  /** USD per hour by type, NaN without a price. */
  readonly onDemand: Float64Array;
  readonly spot: Float64Array;
}

/** A region without published prices uses those of us-east-1. */
export function pricesOf(file: CatalogFile, region: string, spotPriceRatio: number): Prices {
  const priced = Object.hasOwn(file.onDemandUsdPerHour, region) ? region : FALLBACK_REGION;
  const prices = file.onDemandUsdPerHour[priced];
  return {
    region: priced,
    onDemand: column(prices.length, (type) => prices[type] ?? NaN),
    spot: column(prices.length, (type) => file.facts.spot[type] ? (prices[type] ?? NaN) * spotPriceRatio : NaN),
  };
}

/** Adds prices for types without one. Types that are not sold as spot get no spot price. */
export function withPrices(prices: Prices, { names, facts }: CatalogFile, added: ReadonlyMap<string, number>): Prices {
  if (added.size === 0) return prices;
  const filled = (known: Float64Array, isSold: (type: number) => boolean) => known.map((price, type) =>
    Number.isNaN(price) && isSold(type) ? added.get(names[type]) ?? price : price);
  return { ...prices, onDemand: filled(prices.onDemand, () => true), spot: filled(prices.spot, (type) => facts.spot[type] === 1) };
}

/** One plane for each zone and capacity type. Zones share their arrays, because prices are the same in all zones. */
export function offeringPlanes(prices: Prices, zones: readonly string[], compatible: (type: number) => boolean): OfferingPlane[] {
  const onDemand = prices.onDemand.slice();
  const spot = prices.spot.slice();
  for (let type = 0; type < onDemand.length; type++) {
    if (!compatible(type)) {
      onDemand[type] = NaN;
      spot[type] = NaN;
    }
  }
  return zones.flatMap((zone) => CAPACITY_TYPES.map((capacityType) => ({
    zone,
    capacityType,
    usdPerHour: capacityType === 'spot' ? spot : onDemand,
  })));
}

/** The table without the unavailable offerings. */
export function withoutOfferings(unavailable: readonly OfferingKey[], table: InstanceTypeTable): InstanceTypeTable {
  const offerings = table.offerings.map((plane) => {
    const types = unavailable.filter(({ zone, capacityType }) => zone === plane.zone && capacityType === plane.capacityType)
      .map(({ instanceType }) => table.names.indexOf(instanceType)).filter((type) => type >= 0);
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
  { names, onDemand, zones, launchable }: ReservedOfferingContext, reservations: readonly ReservationFacts[],
): OfferingPlane[] {
  return reservations.flatMap(({ id, instanceType, zone, type: kind, interruptible, expiring, gated, free = Infinity }) => {
    const type = names.indexOf(instanceType);
    if (type < 0 || expiring || gated || !zones.includes(zone) || !launchable(type)) return [];
    const usdPerHour = new Float64Array(names.length).fill(NaN);
    usdPerHour[type] = Number.isNaN(onDemand[type]) ? 0 : onDemand[type] / DISCOUNT;
    return [{ zone, capacityType: RESERVED, usdPerHour, reservation: { id, type: kind, interruptible, free } }];
  });
}
