import { convert } from './conversions';
import { LIST_FUNCTIONS } from './list-functions';
import { QUANTITY_FUNCTIONS } from './quantity-functions';
import { TEXT_FUNCTIONS } from './text-functions';
import { CelFunction, CelValue, isDuration, isCelObject, keysOf, noSuchOverload, celText } from './value';

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
