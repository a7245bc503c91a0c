import { CostSummary } from './verdict';

/** A smaller difference to the lower bound, as a share of the price, is not worth a search. */
const MIN_GAP = 0.1;

/**
 * Whether the price may be far above what other NodePools cost. NodePools do not change what topology costs.
 *
 * The page of a report loads this module, but not the search: it would have the code of all rules.
 */
export function isWorthASearch({ usdPerHour, lowerBoundUsdPerHour, topology }: CostSummary): boolean {
  const price = topology?.withoutUsdPerHour ?? usdPerHour;
  return price !== null && lowerBoundUsdPerHour !== null && price - lowerBoundUsdPerHour > MIN_GAP * price;
}
