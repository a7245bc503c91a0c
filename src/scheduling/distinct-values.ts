import { carrierOf, InstanceTypeTable } from '../catalog';

/** The values of a label that some of the types carry and that are allowed, by name. */
export function distinctValues(
  { labels }: InstanceTypeTable, key: string, types: readonly number[], allows: (value: string) => boolean,
): string[] {
  const column = labels.find((label) => label.key === key);
  if (column === undefined) return [];
  const carries = carrierOf(column);
  return column.values.filter((value, code) => allows(value) && types.some((type) => carries(type, code))).sort();
}
