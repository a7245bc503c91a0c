import { costOfText, spend } from './cost';
import { CelError, CelValue, isObject, keysOf } from './value';
import { Pattern, compilePattern } from '../regexp';

type CelFunction = (...operands: CelValue[]) => CelValue;

const INTEGER = /^[-+]?\d{1,19}$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** Functions in the rules of Karpenter's CRDs, by name and operand count. A method's receiver is the first operand. */
export const FUNCTIONS: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ['size/1', size],
  ['int/1', toInteger],
  ['startsWith/2', (text, start) => string(text).startsWith(string(start))],
  ['endsWith/2', (text, end) => string(text).endsWith(string(end))],
  ['matches/2', (text, pattern) => search(text, pattern).test(string(text))],
  ['find/2', (text, pattern) => search(text, pattern).find(string(text)) ?? ''],
  [
    'split/2',
    (text, separator) => (string(separator) === '' ? [...string(text)] : string(text).split(string(separator))),
  ],
]);

export function hasFunction(name: string, operands: number): boolean {
  return FUNCTIONS.has(`${name}/${operands}`);
}

export function call(name: string, operands: CelValue[]): CelValue {
  const implementation = FUNCTIONS.get(`${name}/${operands.length}`);
  if (!implementation) throw new CelError(`no such function: ${name}`);
  return implementation(...operands);
}

function size(value: CelValue): bigint {
  if (typeof value === 'string') return BigInt([...string(value)].length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (isObject(value)) return BigInt(keysOf(value).length);
  throw new CelError('no such overload');
}

function toInteger(value: CelValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && INTEGER.test(value)) {
    const integer = BigInt(value.replace('+', ''));
    if (integer <= MAX_INT64 && integer >= -MAX_INT64 - 1n) return integer;
  }
  if (typeof value === 'string') throw new CelError("type conversion error from 'string' to 'int'");
  throw new CelError('no such overload');
}

/** The pattern, after the cost of searching the text is counted. */
function search(text: CelValue, pattern: CelValue): Pattern {
  const compiled = compilePattern(string(pattern));
  spend((string(text).length * compiled.size) / 10);
  return compiled;
}

function string(value: CelValue): string {
  if (typeof value === 'string') {
    spend(costOfText(value));
    return value;
  }
  throw new CelError('no such overload');
}
