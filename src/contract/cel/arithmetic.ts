import { checkedInteger } from './conversions';
import { costOfLength, spend } from './cost';
import { CelError, CelOpaque, CelValue, isDuration, noSuchOverload } from './value';

type Two<T, R = T> = (left: T, right: T) => R;

/** @throws CelError if the values cannot be added */
export function add(left: CelValue, right: CelValue): CelValue {
  if (typeof left === 'string' && typeof right === 'string') {
    spend(costOfLength(left.length + right.length));
    return left + right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    spend(left.length + right.length);
    return [...(left as readonly CelValue[]), ...(right as readonly CelValue[])];
  }
  return numbers(
    left,
    right,
    (a, b) => a + b,
    (a, b) => a + b,
  );
}

export function minus(left: CelValue, right: CelValue): CelValue {
  return numbers(
    left,
    right,
    (a, b) => a - b,
    (a, b) => a - b,
  );
}

export function multiply(left: CelValue, right: CelValue): CelValue {
  if (isDuration(left)) throw noSuchOverload();
  return numbers(
    left,
    right,
    (a, b) => a * b,
    (a, b) => a * b,
  );
}

export function divide(left: CelValue, right: CelValue): CelValue {
  if (isDuration(left)) throw noSuchOverload();
  return numbers(
    left,
    right,
    (a, b) => a / nonZero(b, 'division'),
    (a, b) => a / b,
  );
}

/** The remainder of integers; doubles have none. */
export function modulo(left: CelValue, right: CelValue): CelValue {
  if (typeof left !== 'bigint' || typeof right !== 'bigint') throw noSuchOverload();
  return left % nonZero(right, 'modulus');
}

export function negate(value: CelValue): CelValue {
  if (typeof value === 'bigint') return checkedInteger(-value);
  if (typeof value === 'number') return -value;
  throw noSuchOverload();
}

/** Both operands have one type: CEL converts no operand. */
function numbers(left: CelValue, right: CelValue, integers: Two<bigint>, doubles: Two<number>): CelValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') return checkedInteger(integers(left, right));
  if (typeof left === 'number' && typeof right === 'number') return doubles(left, right);
  if (isDuration(left) && isDuration(right))
    return new CelOpaque('duration', doubles(Number(left.amount), Number(right.amount)));
  throw noSuchOverload();
}

function nonZero(value: bigint, operation: string): bigint {
  if (value === 0n) throw new CelError(`${operation} by zero`);
  return value;
}
