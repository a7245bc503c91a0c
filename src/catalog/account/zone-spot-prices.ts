import { AccountFigures } from './account-catalog';
import { OfferingPlane } from '../instance-type-table';

/**
 * Replaces the average spot prices by those of each zone. A type without a spot price in a zone has no spot offering
 * there, as in Karpenter.
 */
export function withZoneSpotPrices(
  planes: readonly OfferingPlane[],
  { spotPrices }: Pick<AccountFigures, 'spotPrices'>,
  zoneIds: Readonly<Record<string, string>>,
  rows: readonly number[] | undefined,
): OfferingPlane[] {
  return planes.map((plane) => {
    const prices =
      plane.capacityType === 'spot' && Object.hasOwn(zoneIds, plane.zone) ? spotPrices[zoneIds[plane.zone]] : undefined;
    if (prices === undefined) return plane;
    return {
      ...plane,
      usdPerHour: plane.usdPerHour.map((price, type) =>
        Number.isNaN(price) ? NaN : (prices[rows?.[type] ?? type] ?? NaN),
      ),
    };
  });
}
