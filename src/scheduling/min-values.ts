import { Requirements } from '../model';
import { distinctValues } from './distinct-values';
import { PoolTemplate } from './templates';

/** The minValues of the pool's requirements, by label key. */
export function minValuesOf(requirements: Requirements): Array<readonly [string, number]> {
  return requirements.values().flatMap(({ key, minValues }) => minValues === undefined ? [] : [[key, minValues] as const]);
}

/**
 * The labels of which the types have too few values between them; only values that the node may have count.
 *
 * @param types indices into the template's table
 */
export function unmetMinValues(
  { table, requirements }: Pick<PoolTemplate, 'table' | 'requirements'>, types: readonly number[], allows: (key: string, value: string) => boolean,
): string[] {
  return minValuesOf(requirements)
    .filter(([key, minimum]) => distinctValues(table, key, types, (value) => allows(key, value)).length < minimum)
    .map(([key]) => key);
}

/** Karpenter's own words. */
export function minValuesError(labels: readonly string[]): string {
  return `minValues requirement is not met for label(s) (label(s)=[${labels.join(' ')}])`;
}
