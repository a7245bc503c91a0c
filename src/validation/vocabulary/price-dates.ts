import { CostSummary } from './verdict';
import { listText } from '../../model';

/** The dates of prices, oldest first. */
export function priceDates(costs: ReadonlyArray<Pick<CostSummary, 'prices'>>): string[] {
  const dates = costs.flatMap(({ prices }) => prices.flatMap(({ date }) => date ?? []));
  return [...new Set(dates)].sort();
}

/**
 * How old prices are: `prices of 2025-05-28 and 2026-07-20`. Never a number of days, because the report would change
 * from day to day. Undefined without dates.
 */
export function priceAgeText(dates: readonly string[]): string | undefined {
  return dates.length === 0 ? undefined : `prices of ${listText(dates)}`;
}
