import { CelFunc, celFunc, CelInput, celMap, celMethod, CelScalar, listType, mapType } from '@bufbuild/cel';
import { CelValue as Value, compare } from './value';
import { Quantity, valueText } from '../../model';
import { compilePattern } from '../regexp';

const { BOOL, DOUBLE, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);
/** The library has no user-defined types, so a quantity is a map with one reserved key. */
const QUANTITY = mapType(STRING, STRING);
const QUANTITY_KEY = '@quantity';
const MAX_INT64 = 2n ** 63n - 1n;

type QuantityMap = ReadonlyMap<unknown, unknown>;

/** Functions that Kubernetes adds to CEL: pattern search, quantities, and comparable lists. */
export const KUBERNETES_FUNCTIONS: CelFunc[] = [
  celMethod('find', STRING, [STRING], STRING, function (pattern) {
    return compilePattern(pattern).find(this) ?? '';
  }),
  celMethod('replace', STRING, [STRING, STRING], STRING, function (old, replacement) {
    return replace(this, old, replacement, Infinity);
  }),
  celMethod('replace', STRING, [STRING, STRING, INT], STRING, function (old, replacement, limit) {
    return replace(this, old, replacement, limit < 0n ? Infinity : Number(limit));
  }),
  celFunc('isQuantity', [STRING], BOOL, (text) => Quantity.tryParse(text) !== undefined),
  celFunc('quantity', [STRING], QUANTITY, (text) => toMap(Quantity.parse(text))),
  celMethod('sign', QUANTITY, [], INT, function () {
    return BigInt(Math.sign(Number(read(this).nanos)));
  }),
  celMethod('isInteger', QUANTITY, [], BOOL, function () {
    return isWhole(read(this));
  }),
  celMethod('asInteger', QUANTITY, [], INT, function () {
    return toInteger(read(this));
  }),
  celMethod('asApproximateFloat', QUANTITY, [], DOUBLE, function () {
    return Number(read(this).nanos) / 1e9;
  }),
  celMethod('isGreaterThan', QUANTITY, [QUANTITY], BOOL, function (other) {
    return read(this).compare(read(other)) > 0;
  }),
  celMethod('isLessThan', QUANTITY, [QUANTITY], BOOL, function (other) {
    return read(this).compare(read(other)) < 0;
  }),
  celMethod('compareTo', QUANTITY, [QUANTITY], INT, function (other) {
    return BigInt(Math.sign(read(this).compare(read(other))));
  }),
  celMethod('add', QUANTITY, [QUANTITY], QUANTITY, function (other) {
    return toMap(read(this).add(read(other)));
  }),
  celMethod('add', QUANTITY, [INT], QUANTITY, function (other) {
    return toMap(read(this).add(Quantity.of(other)));
  }),
  celMethod('sub', QUANTITY, [QUANTITY], QUANTITY, function (other) {
    return toMap(read(this).subtract(read(other)));
  }),
  celMethod('sub', QUANTITY, [INT], QUANTITY, function (other) {
    return toMap(read(this).subtract(Quantity.of(other)));
  }),
  celMethod('isSorted', LIST, [], BOOL, function () {
    const items = [...this] as Value[];
    return items.every((item, i) => i === 0 || compare(items[i - 1], item) <= 0);
  }),
  celMethod('min', LIST, [], DYN, function () {
    return extreme([...this] as Value[], -1);
  }),
  celMethod('max', LIST, [], DYN, function () {
    return extreme([...this] as Value[], 1);
  }),
  celMethod('indexOf', LIST, [DYN], INT, function (wanted) {
    return BigInt([...this].indexOf(wanted));
  }),
  celMethod('lastIndexOf', LIST, [DYN], INT, function (wanted) {
    return BigInt([...this].lastIndexOf(wanted));
  }),
];

/** As Go's `strings.Replace`. The library's own function takes quadratic time, and handles an empty `old` otherwise. */
function replace(text: string, old: string, replacement: string, limit: number): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  const head = parts.slice(0, limit + 1).join(replacement);
  return [head, ...parts.slice(limit + 1)].join(old);
}

function toMap(quantity: Quantity) {
  return celMap(new Map([[QUANTITY_KEY, quantity.toString()]]));
}

function read(map: QuantityMap): Quantity {
  return Quantity.parse(valueText(map.get(QUANTITY_KEY)));
}

function isWhole(quantity: Quantity): boolean {
  return quantity.nanos % 1_000_000_000n === 0n && quantity.value() <= MAX_INT64 && quantity.value() >= -MAX_INT64 - 1n;
}

function toInteger(quantity: Quantity): bigint {
  if (!isWhole(quantity)) throw new Error('cannot convert value to integer');
  return quantity.value();
}

function extreme(items: readonly Value[], sign: number): CelInput {
  if (items.length === 0) throw new Error(`${sign < 0 ? 'min' : 'max'} called on empty list`);
  return items.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best)) as CelInput;
}
