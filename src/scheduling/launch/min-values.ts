import { PoolTemplate } from './pool-template';
import { carrierOf, InstanceTypeTable } from '../../catalog';
import { Requirements } from '../../model';

/** Pairs of label key and minValues, for the requirements that have minValues. */
export function minValuesOf(requirements: Requirements): Array<readonly [string, number]> {
  return requirements
    .values()
    .flatMap(({ key, minValues }) => (minValues === undefined ? [] : [[key, minValues] as const]));
}

/**
 * The label keys with minValues that the types do not meet. Only allowed values are counted.
 *
 * @param types indices into the template's table
 */
export function unmetMinValues(
  { table, requirements }: Pick<PoolTemplate, 'table' | 'requirements'>,
  types: readonly number[],
  allows: (key: string, value: string) => boolean,
): string[] {
  return minValuesOf(requirements)
    .filter(([key, minimum]) => distinctValues(table, key, types, (value) => allows(key, value)).length < minimum)
    .map(([key]) => key);
}

/** Karpenter's error for unmet minValues. */
export function minValuesError(labels: readonly string[]): string {
  return `minValues requirement is not met for label(s) (label(s)=[${labels.join(' ')}])`;
}

/** The allowed values of a label that the types have, sorted. */
export function distinctValues(
  { labels }: InstanceTypeTable,
  key: string,
  types: readonly number[],
  allows: (value: string) => boolean,
): string[] {
  const column = labels.find((label) => label.key === key);
  if (column === undefined) return [];
  const carries = carrierOf(column);
  return column.values.filter((value, code) => allows(value) && types.some((type) => carries(type, code))).sort();
}
