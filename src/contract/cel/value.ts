import { costOfText, spend } from './cost';

/** A CEL value: integers are `bigint`, doubles are `number`, and objects and maps have one representation. */
export type CelValue = null | boolean | bigint | number | string | readonly CelValue[] | CelObject;
export interface CelObject {
  readonly [key: string]: CelValue;
}

/** The evaluation of an expression failed. Kubernetes counts such a rule as violated. */
export class CelError extends Error {}

/** The expression calls an unsupported function, so it cannot be evaluated. */
export class UnknownFunction extends Error {}

export function isObject(value: CelValue): value is CelObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function keysOf(object: CelObject): readonly string[] {
  const keys = Object.keys(object);
  spend(keys.length);
  return keys;
}

export function equals(left: CelValue, right: CelValue): boolean {
  spend(typeof left === 'string' ? costOfText(left) : 1);
  if (isNumeric(left) && isNumeric(right)) return left == right;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, i) => equals(item, right[i]));
  if (isObject(left) && isObject(right)) {
    const keys = keysOf(left);
    return (
      keys.length === keysOf(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && equals(left[key], right[key]))
    );
  }
  return left === right;
}

/** @throws CelError if the values cannot be compared */
export function compare(left: CelValue, right: CelValue): number {
  const ordered = (isNumeric(left) && isNumeric(right)) || (typeof left === 'string' && typeof right === 'string');
  if (!ordered) throw new CelError('no such overload');
  if (typeof left === 'string') spend(costOfText(left));
  if (left === right) return 0;
  return (left as bigint) < (right as bigint) ? -1 : 1;
}

function isNumeric(value: CelValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
