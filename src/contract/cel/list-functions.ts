import { add } from './arithmetic';
import {
  CelError,
  CelFunction,
  CelValue,
  compareValues,
  equals,
  integerOf,
  celList,
  noSuchOverload,
  celText,
} from './value';

/** Functions of lists, the search for a part of a text, and the `min` and `max` of kubelet expressions. */
export const LIST_FUNCTIONS: ReadonlyArray<readonly [string, CelFunction]> = [
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
