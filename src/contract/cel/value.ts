import { costOfText, spend } from './cost';

/**
 * A CEL value: integers are `bigint`, doubles are `number`, and objects and maps have one representation. A
 * CelOpaque is a value of another type.
 */
export type CelValue = null | boolean | bigint | number | string | readonly CelValue[] | CelObject | CelOpaque;
export interface CelObject {
  readonly [key: string]: CelValue;
}

/** A function; a method's receiver is the first operand. */
export type CelFunction = (...operands: CelValue[]) => CelValue;

/** A quantity in billionths, a duration in milliseconds, or a type by its name. */
export class CelOpaque {
  public constructor(
    public readonly type: 'quantity' | 'duration' | 'type',
    public readonly amount: bigint | number | string,
  ) {}
}

/**
 * The evaluation of an expression failed. Kubernetes counts such a rule as violated. It is no Error, because a rule can
 * catch one for each item of a list, and each stack trace would take longer than the expression.
 */
export class CelError {
  public constructor(public readonly message: string) {}
}

/** The expression uses an unsupported function or type, so it cannot be evaluated. */
export class UnknownFunction extends Error {}

export function noSuchOverload(): CelError {
  return new CelError('no such overload');
}

export function isCelObject(value: CelValue): value is CelObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof CelOpaque);
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
  if (left instanceof CelOpaque && right instanceof CelOpaque)
    return left.type === right.type && left.amount === right.amount;
  if (isCelObject(left) && isCelObject(right)) {
    const keys = keysOf(left);
    return (
      keys.length === keysOf(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && equals(left[key], right[key]))
    );
  }
  return left === right;
}

/** @throws CelError if the values cannot be compared */
export function compareValues(left: CelValue, right: CelValue): number {
  if (typeof left === 'string') spend(costOfText(left));
  const [a, b] = isDuration(left) && isDuration(right) ? [left.amount, right.amount] : [left, right];
  const ordered = (isNumeric(a) && isNumeric(b)) || (typeof a === 'string' && typeof b === 'string');
  if (!ordered) throw noSuchOverload();
  if (a === b) return 0;
  return (a as bigint) < (b as bigint) ? -1 : 1;
}

export function isDuration(value: CelValue): value is CelOpaque {
  return value instanceof CelOpaque && value.type === 'duration';
}

function isNumeric(value: CelValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** @throws CelError if the value is no text */
export function celText(value: CelValue): string {
  if (typeof value !== 'string') throw noSuchOverload();
  spend(costOfText(value));
  return value;
}

/** @throws CelError if the value is no list */
export function celList(value: CelValue): readonly CelValue[] {
  if (!Array.isArray(value)) throw noSuchOverload();
  spend(value.length);
  return value as readonly CelValue[];
}

/** @throws CelError if the value is no integer */
export function integerOf(value: CelValue): bigint {
  if (typeof value !== 'bigint') throw noSuchOverload();
  return value;
}
