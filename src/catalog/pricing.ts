import { CatalogFile } from './catalog-file';
import { OfferingPlane } from './instance-type-table';
import { CAPACITY_TYPES } from './label-columns';

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
  const onDemand = Float64Array.from(file.onDemandUsdPerHour[priced], (price) => price ?? NaN);
  return { region: priced, onDemand, spot: onDemand.map((price, type) => file.facts.spot[type] ? price * spotPriceRatio : NaN) };
}

/** One plane by zone and capacity type. Zones share their arrays: prices are the same in all of them. */
export function offeringPlanes(prices: Prices, zones: readonly string[], compatible: (type: number) => boolean): OfferingPlane[] {
  const available = (column: Float64Array) => column.map((price, type) => compatible(type) ? price : NaN);
  const onDemand = available(prices.onDemand);
  const spot = available(prices.spot);
  return zones.flatMap((zone) => CAPACITY_TYPES.map((capacityType) => ({
    zone,
    capacityType,
    usdPerHour: capacityType === 'spot' ? spot : onDemand,
  })));
}
