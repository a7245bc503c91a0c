// Amounts of resources in the kernel's form: 64-bit integers.
import { InstanceTypeTable } from '../../catalog';

/** Far above any real amount, and low enough that the sum of several does not overflow in the kernel. */
export const CEILING = 2n ** 61n;
const CEILING_NUMBER = 2 ** 61;

export function saturate(amount: bigint): bigint {
  if (amount > CEILING) return CEILING;
  return amount < -CEILING ? -CEILING : amount;
}

/**
 * `[table][resource][type]`; 0 if the table does not have the resource.
 *
 * @param scaleOf by resource: how many of the results make one unit of the table
 */
export function amounts(
  tables: readonly InstanceTypeTable[],
  resources: readonly string[],
  columnsOf: (table: InstanceTypeTable) => readonly Float64Array[],
  scaleOf: (resource: string) => number,
): BigInt64Array {
  const types = tables.length === 0 ? 0 : tables[0].names.length;
  const result = new BigInt64Array(tables.length * resources.length * types);
  const halves = new Int32Array(result.buffer);
  tables.forEach((table, t) =>
    resources.forEach((resource, r) => {
      const column = columnsOf(table)[table.resources.indexOf(resource)];
      if (column === undefined) return;
      const start = (t * resources.length + r) * types;
      const scale = scaleOf(resource);
      for (let type = 0; type < types; type++) writeInteger(halves, start + type, Math.floor(column[type]) * scale);
    }),
  );
  return result;
}

/**
 * Writes the low half first, as the kernel reads it. Hot path: writing tens of thousands of bigints would be much
 * slower.
 */
function writeInteger(halves: Int32Array, index: number, amount: number): void {
  const integer = Math.min(CEILING_NUMBER, Math.max(-CEILING_NUMBER, amount));
  const high = Math.floor(integer / 2 ** 32);
  halves[index * 2] = integer - high * 2 ** 32;
  halves[index * 2 + 1] = high;
}
