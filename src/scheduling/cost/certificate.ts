/* eslint-disable no-bitwise -- exact arithmetic with powers of two */
import { CoveringProgram } from './simplex';

/** Dual values are rounded down to multiples of 2^-FRACTION_BITS. */
const FRACTION_BITS = 120;
/** Prices are counted in whole units of 1e-8 USD; a fraction is dropped. */
const UNITS_PER_USD = 1e8;
/** More than the rounding error of a price, in units. */
const SLACK = 1e-3;
const MANTISSA_BITS = 52;

/** How much of the dual values is kept, step by step, until no node is worth more than its price. */
const KEPT = [1, 1 - 1e-12, 1 - 1e-10, 1 - 1e-8, 1 - 1e-6, 1 - 1e-4];

/**
 * The lower bound that dual values prove, checked in exact integers without any knowledge of where the values come
 * from: if one unit of each row is paid with its dual value, and no node provides more value than it costs, then no
 * fleet that covers all rows is cheaper than the value of what is needed. Every fleet costs a whole number of units, so
 * that the value is rounded up to one.
 *
 * @returns USD per hour; 0 if the values prove nothing
 */
export function provenBound(program: CoveringProgram, values: Float64Array): number {
  const prices = program.prices.map((price) => BigInt(Math.floor(price * UNITS_PER_USD + SLACK)));
  for (const kept of KEPT) {
    const exact = [...values].map((value) => fixedPoint(value * kept));
    if (isFeasible(program, prices, exact)) return boundOf(program, exact);
  }
  return 0;
}

function isFeasible({ rows }: CoveringProgram, prices: readonly bigint[], values: readonly bigint[]): boolean {
  const used = rows.map((row, index) => ({ ...row, value: values[index] })).filter(({ value }) => value > 0n);
  return prices.every((price, column) => {
    let worth = 0n;
    for (const { provided, value } of used) if (provided[column] > 0) worth += value * BigInt(provided[column]);
    return worth * BigInt(UNITS_PER_USD) <= price << BigInt(FRACTION_BITS);
  });
}

function boundOf({ rows }: CoveringProgram, values: readonly bigint[]): number {
  const total = rows.reduce((sum, { needed }, row) => sum + needed * values[row], 0n) * BigInt(UNITS_PER_USD);
  const roundUp = (1n << BigInt(FRACTION_BITS)) - 1n;
  return Number((total + roundUp) >> BigInt(FRACTION_BITS)) / UNITS_PER_USD;
}

/** Rounded down to a multiple of 2^-FRACTION_BITS. Exact, because a float is a binary fraction. */
function fixedPoint(value: number): bigint {
  if (!(value > 0)) return 0n;
  const exponent = Math.floor(Math.log2(value)) - MANTISSA_BITS;
  const mantissa = BigInt(Math.floor(value / 2 ** exponent));
  const shift = BigInt(exponent + FRACTION_BITS);
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
}
