import { add } from './arithmetic';
import { convert } from './conversions';
import { QUANTITY_FUNCTIONS } from './quantity-functions';
import { TEXT_FUNCTIONS } from './text-functions';
import {
  CelFunction,
  CelValue,
  isDuration,
  isCelObject,
  keysOf,
  noSuchOverload,
  celText,
  CelError,
  compareValues,
  equals,
  integerOf,
  celList,
} from './value';

/** Functions of lists, the search for a part of a text, and the `min` and `max` of kubelet expressions. */
const LIST_FUNCTIONS: ReadonlyArray<readonly [string, CelFunction]> = [
  ['isSorted/1', (list) => celList(list).every((item, i, all) => i === 0 || compareValues(all[i - 1], item) <= 0)],
  ['sum/1', (list) => celList(list).reduce((sum, item, i) => (i === 0 ? item : add(sum, item)), 0n)],
  ['min/1', (list) => extreme(celList(list), -1)],
  ['max/1', (list) => extreme(celList(list), 1)],
  ['min/2', (left, right) => extremeOfTwo(left, right, -1)],
  ['max/2', (left, right) => extremeOfTwo(left, right, 1)],
  ['indexOf/2', (where, wanted) => indexOf(where, wanted, 0)],
  ['indexOf/3', (where, wanted, from) => indexOf(celText(where), wanted, Number(integerOf(from)))],
  ['lastIndexOf/2', (where, wanted) => lastIndexOf(where, wanted)],
];

function extreme(items: readonly CelValue[], sign: number): CelValue {
  if (items.length === 0) throw new CelError(`${sign < 0 ? 'min' : 'max'} called on empty list`);
  return items.reduce((best, item) => (compareValues(item, best) * sign > 0 ? item : best));
}

/** The result of two integers is an integer, any other result is a double. */
function extremeOfTwo(left: CelValue, right: CelValue, sign: number): CelValue {
  if (typeof left === 'string' || typeof right === 'string') throw noSuchOverload();
  const result = compareValues(left, right) * sign > 0 ? left : right;
  return typeof left === 'bigint' && typeof right === 'bigint' ? result : Number(result);
}

function indexOf(where: CelValue, wanted: CelValue, from: number): bigint {
  if (Array.isArray(where)) return BigInt(where.findIndex((item: CelValue) => equals(item, wanted)));
  const { text, part } = searchedParts(where, wanted);
  const at = text.findIndex((_, i) => i >= from && startsAt(text, part, i));
  return BigInt(at < 0 && part.length === 0 ? text.length : at);
}

function lastIndexOf(where: CelValue, wanted: CelValue): bigint {
  if (Array.isArray(where)) return BigInt(where.map((item: CelValue) => equals(item, wanted)).lastIndexOf(true));
  const { text, part } = searchedParts(where, wanted);
  if (part.length === 0) return BigInt(text.length);
  return BigInt(text.map((_, i) => startsAt(text, part, i)).lastIndexOf(true));
}

function searchedParts(where: CelValue, wanted: CelValue): { text: string[]; part: string[] } {
  return { text: [...celText(where)], part: [...celText(wanted)] };
}

function startsAt(text: readonly string[], part: readonly string[], at: number): boolean {
  celText(part.join(''));
  return part.every((character, i) => text[at + i] === character);
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  getMilliseconds: 1,
  getSeconds: 1_000,
  getMinutes: 60_000,
  getHours: 3_600_000,
};

/**
 * Functions of CEL and of Kubernetes, by name and operand count. A method's receiver is the first operand.
 *
 * @see https://kubernetes.io/docs/reference/using-api/cel/
 */
const FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ['size/1', size],
  ['dyn/1', (value) => value],
  ...['int', 'double', 'string', 'bool', 'type', 'duration'].map((type): [string, CelFunction] => [
    `${type}/1`,
    (value) => convert(type, value),
  ]),
  ...Object.entries(MILLISECONDS).map(([name, milliseconds]): [string, CelFunction] => [
    `${name}/1`,
    (value) => whole(value, milliseconds),
  ]),
  ...TEXT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...QUANTITY_FUNCTIONS,
]);

export function functionOf(name: string, operands: number): CelFunction | undefined {
  return FUNCTIONS.get(`${name}/${operands}`);
}

function size(value: CelValue): bigint {
  if (typeof value === 'string') return BigInt([...celText(value)].length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (isCelObject(value)) return BigInt(keysOf(value).length);
  throw noSuchOverload();
}

/** The whole hours, minutes, seconds or milliseconds of a duration. */
function whole(value: CelValue, milliseconds: number): bigint {
  if (!isDuration(value)) throw noSuchOverload();
  return BigInt(Math.trunc(Number(value.amount) / milliseconds));
}
