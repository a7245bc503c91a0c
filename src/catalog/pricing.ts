import { CatalogFile } from './catalog-file';
import { column } from './columns';
import { InstanceTypeTable, OfferingPlane } from './instance-type-table';
import { CAPACITY_TYPES } from './label-columns';
import { OfferingKey } from './node-class-facts';

const FALLBACK_REGION = 'us-east-1';

export interface Prices {
  /** The region whose prices these are. */
  readonly region: string;
  /** USD per hour by type, NaN without a price. */
  readonly onDemand: Float64Array;
  readonly spot: Float64Array;
}

/** A region without published prices has those of us-east-1. */
export function pricesOf(file: CatalogFile, region: string, spotPriceRatio: number): Prices {
  const priced = Object.hasOwn(file.onDemandUsdPerHour, region) ? region : FALLBACK_REGION;
  const prices = file.onDemandUsdPerHour[priced];
  return {
    region: priced,
    onDemand: column(prices.length, (type) => prices[type] ?? NaN),
    spot: column(prices.length, (type) => file.facts.spot[type] ? (prices[type] ?? NaN) * spotPriceRatio : NaN),
  };
}

/** With a price for types that have none; those that are not sold as spot get none for it either. */
export function withPrices(prices: Prices, { names, facts }: CatalogFile, added: ReadonlyMap<string, number>): Prices {
  if (added.size === 0) return prices;
  const filled = (known: Float64Array, isSold: (type: number) => boolean) => known.map((price, type) =>
    Number.isNaN(price) && isSold(type) ? added.get(names[type]) ?? price : price);
  return { ...prices, onDemand: filled(prices.onDemand, () => true), spot: filled(prices.spot, (type) => facts.spot[type] === 1) };
}

/** One plane by zone and capacity type. Zones share their arrays: prices are the same in all of them. */
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

/** The same types, some of which nobody can launch somewhere. */
export function without(unavailable: readonly OfferingKey[], table: InstanceTypeTable): InstanceTypeTable {
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
