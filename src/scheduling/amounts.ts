/** Amounts of resources in the kernel's form: integers of 64 bits. */
import { InstanceTypeTable } from '../catalog';

/** Far above any real amount, and low enough that the kernel can add several. */
export const CEILING = 2n ** 61n;
const CEILING_NUMBER = 2 ** 61;

export function saturate(amount: bigint): bigint {
  if (amount > CEILING) return CEILING;
  return amount < -CEILING ? -CEILING : amount;
}

/** `[view][resource][type]`; a resource that the view does not know is 0. */
export function amounts(
  views: readonly InstanceTypeTable[], resources: readonly string[], columnsOf: (view: InstanceTypeTable) => readonly Float64Array[],
): BigInt64Array {
  const types = views.length === 0 ? 0 : views[0].names.length;
  const result = new BigInt64Array(views.length * resources.length * types);
  const halves = new Int32Array(result.buffer);
  views.forEach((view, v) => resources.forEach((resource, r) => {
    const column = columnsOf(view)[view.resources.indexOf(resource)];
    if (column === undefined) return;
    const at = (v * resources.length + r) * types;
    for (let type = 0; type < types; type++) writeInteger(halves, at + type, column[type]);
  }));
  return result;
}

/** Low half first, as the kernel reads it. Tens of thousands of amounts are much slower to write as bigints. */
function writeInteger(halves: Int32Array, at: number, amount: number): void {
  const integer = Math.min(CEILING_NUMBER, Math.max(-CEILING_NUMBER, Math.floor(amount)));
  const high = Math.floor(integer / 2 ** 32);
  halves[at * 2] = integer - high * 2 ** 32;
  halves[at * 2 + 1] = high;
}
