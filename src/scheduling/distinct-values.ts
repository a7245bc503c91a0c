import { InstanceTypeTable } from '../catalog';

/** The values of a label that some of the types carry and that are allowed, by name. */
export function distinctValues(
  { labels }: InstanceTypeTable, key: string, types: readonly number[], allows: (value: string) => boolean,
): string[] {
  const column = labels.find((label) => label.key === key);
  if (column === undefined) return [];
  const { values, codes, sets } = column;
  // eslint-disable-next-line no-bitwise -- a type with several values has them in a bit set
  const carries = (type: number, code: number) => sets === undefined ? codes[type] === code : ((sets[type] >>> code) & 1) === 1;
  return values.filter((value, code) => allows(value) && types.some((type) => carries(type, code))).sort();
}
