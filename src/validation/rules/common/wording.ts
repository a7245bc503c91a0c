import type { Catalog } from '../../../catalog';
import { formatAmount, ResourceList } from '../../../model';
import { amountText } from '../../../scheduling';

const HOURS_PER_MONTH = 730;
/** Largest unit first: the text uses the first unit that the duration reaches. */
const DURATION_UNITS: ReadonlyArray<{ readonly seconds: number; readonly name: string }> = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3600, name: 'hour' },
  { seconds: 60, name: 'minute' },
  { seconds: 1, name: 'second' },
];

/** 'a', 'a and b', 'a, b and c'. */
export function joinNames(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) {
    return names.join('');
  }
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names[names.length - 1]}`;
}

/** The first names and the number of names left out. */
export function someNames(names: readonly string[], most: number = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : joinNames(names);
}

/** `Deployment shop/web`, sorted. */
export function workloadNames(
  workloads: ReadonlyArray<{ readonly kind: string; readonly namespace: string; readonly name: string }>,
): string[] {
  return workloads.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).sort();
}

/** '1 pod', '2 pods'. */
export function count(amount: number, singular: string, plural: string = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** '1.93 CPUs and 6.74 GiB memory', for the named resources. */
export function describeAmounts(resources: readonly string[], amounts: ResourceList): string {
  return joinNames(resources.map((resource) => amountText(resource, amounts.get(resource) ?? 0n)));
}

/** Amounts as Kubernetes writes them, by resource name: for evidence. */
export function amountsEvidence(amounts: ResourceList): Record<string, string> {
  return Object.fromEntries(
    [...amounts.keys()].sort().map((resource) => [resource, formatAmount(resource, amounts.get(resource)!)]),
  );
}

/** '30 days', '1.5 hours', '90 seconds': one unit, with at most one decimal; below two minutes in seconds. */
export function durationText(seconds: number): string {
  const unit =
    DURATION_UNITS.find((candidate) => seconds >= candidate.seconds * (candidate.name === 'minute' ? 2 : 1)) ??
    DURATION_UNITS[3];
  return count(Math.round((10 * seconds) / unit.seconds) / 10, unit.name);
}

/** Price of a month of 730 hours. */
export function monthlyCost(usdPerHour: number): number {
  return usdPerHour * HOURS_PER_MONTH;
}

type Currency = Pick<Catalog, 'currency' | 'unknownPrices'>;

/** '$70.08/month', 'CNY 70.08/month', or 'an unknown price'. */
export function monthlyCostText(usdPerHour: number, prices: Currency): string {
  return priceText(`${monthlyCost(usdPerHour).toFixed(2)}/month`, prices);
}

/** '$0.3219/h'. */
export function hourlyCostText(usdPerHour: number, prices: Currency): string {
  return priceText(`${usdPerHour.toFixed(4)}/h`, prices);
}

function priceText(amount: string, { currency, unknownPrices }: Currency): string {
  if (unknownPrices !== undefined) return 'an unknown price';
  return currency === 'USD' ? `$${amount}` : `${currency} ${amount}`;
}
