import { formatAmount, Requirement } from '../model';
import { PoolTemplate } from './templates';

/** 'a', 'a and b', 'a, b and c'. */
export function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** '1 instance type', '2 instance types'. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** 'cpu 1930m', as it stands in a request or a limit. */
export function amountOf(resource: string, amount: bigint): string {
  return `${resource} ${formatAmount(resource, amount)}`;
}

/** The first values, and how many there are beside them. */
export function someValues(values: readonly string[]): string {
  const most = 5;
  return values.length > most ? `${values.slice(0, most).join(', ')} and ${values.length - most} more` : joined(values);
}

/** 'In [a b]': what Karpenter prints of a requirement, without the key. */
export function valuesText(requirement: Requirement): string {
  return String(requirement).slice(requirement.key.length + 1);
}

/** The values of a label that instance types of the catalogue, or their offerings, have. */
export function catalogueValues({ table }: PoolTemplate, key: string): readonly string[] {
  return table.labels.find((label) => label.key === key)?.values ?? [];
}
