import { CelError, CelFunction, CelOpaque, CelValue, noSuchOverload, celText } from './value';
import { Quantity } from '../../model';

const NANOS = 1_000_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;

/** Functions that Kubernetes adds to CEL for quantities. */
export const QUANTITY_FUNCTIONS: ReadonlyArray<readonly [string, CelFunction]> = [
  ['isQuantity/1', (text) => Quantity.tryParse(celText(text)) !== undefined],
  ['quantity/1', (text) => ofNanos(parse(celText(text)))],
  ['sign/1', (quantity) => sign(nanosOf(quantity))],
  ['isInteger/1', (quantity) => isWhole(nanosOf(quantity))],
  ['asInteger/1', (quantity) => toInteger(nanosOf(quantity))],
  ['asApproximateFloat/1', (quantity) => Number(nanosOf(quantity)) / 1e9],
  ['isGreaterThan/2', (left, right) => nanosOf(left) > nanosOf(right)],
  ['isLessThan/2', (left, right) => nanosOf(left) < nanosOf(right)],
  ['compareTo/2', (left, right) => sign(nanosOf(left) - nanosOf(right))],
  ['add/2', (left, right) => ofNanos(nanosOf(left) + operandNanos(right))],
  ['sub/2', (left, right) => ofNanos(nanosOf(left) - operandNanos(right))],
];

function parse(text: string): bigint {
  const quantity = Quantity.tryParse(text);
  if (!quantity) throw new CelError(`not a quantity: ${text}`);
  return quantity.nanos;
}

function ofNanos(nanos: bigint): CelOpaque {
  return new CelOpaque('quantity', nanos);
}

function nanosOf(value: CelValue): bigint {
  if (value instanceof CelOpaque && value.type === 'quantity') return BigInt(value.amount);
  throw noSuchOverload();
}

/** A quantity, or a whole number of units. */
function operandNanos(value: CelValue): bigint {
  return typeof value === 'bigint' ? value * NANOS : nanosOf(value);
}

function sign(nanos: bigint): bigint {
  return nanos === 0n ? 0n : nanos > 0n ? 1n : -1n;
}

function isWhole(nanos: bigint): boolean {
  const units = nanos / NANOS;
  return nanos % NANOS === 0n && units <= MAX_INT64 && units >= -MAX_INT64 - 1n;
}

function toInteger(nanos: bigint): bigint {
  if (!isWhole(nanos)) throw new CelError('cannot convert value to integer');
  return nanos / NANOS;
}
