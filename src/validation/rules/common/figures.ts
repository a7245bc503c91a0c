import type { Catalog } from '../../../catalog';
import { formatAmount, ResourceList } from '../../../model';

/** Amounts as Kubernetes writes them, by resource name: for evidence. */
export function amountsEvidence(amounts: ResourceList): Record<string, string> {
  return Object.fromEntries(
    [...amounts.keys()].sort().map((resource) => [resource, formatAmount(resource, amounts.get(resource)!)]),
  );
}

/** The price and its currency as the texts of prices take them: null if the catalog has no prices of the region. */
export function priceIn(
  { currency, unknownPrices }: Pick<Catalog, 'currency' | 'unknownPrices'>,
  usdPerHour: number,
): [price: number | null, currency: string] {
  return [unknownPrices === undefined ? usdPerHour : null, currency];
}
