import { CelError, CelOpaque, CelValue, noSuchOverload, celText } from './value';
import { parseGoDuration } from '../../model';

const INTEGER = /^[-+]?\d{1,19}$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
/** The texts of Go's strconv.ParseBool. */
const BOOLEANS: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true]),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false]),
]);

/** Names that are values of the type `type`. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'int',
  'double',
  'string',
  'bool',
  'list',
  'map',
  'null_type',
  'type',
]);

type Conversion = (value: CelValue) => CelValue | undefined;

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  int: (value) => {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
    return typeof value === 'string' && INTEGER.test(value) ? BigInt(value.replace('+', '')) : undefined;
  },
  double: (value) => {
    if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
    const number = typeof value === 'string' && value.trim() === value && value !== '' ? Number(value) : NaN;
    return Number.isNaN(number) && value !== 'NaN' ? undefined : number;
  },
  string: (value) => {
    if (value instanceof CelOpaque) return value.type === 'duration' ? `${Number(value.amount) / 1_000}s` : undefined;
    return typeof value === 'object' ? undefined : String(value);
  },
  bool: (value) => {
    if (typeof value === 'boolean') return value;
    return typeof value === 'string' && Object.hasOwn(BOOLEANS, value) ? BOOLEANS[value] : undefined;
  },
  duration: (value) => {
    if (value instanceof CelOpaque) return value;
    const milliseconds = typeof value === 'string' ? parseGoDuration(value) : undefined;
    return milliseconds === undefined ? undefined : new CelOpaque('duration', milliseconds);
  },
  type: (value) => new CelOpaque('type', typeName(value)),
};

/** @throws CelError if the value has no equal in the type */
export function convert(type: string, value: CelValue): CelValue {
  if (typeof value === 'string') celText(value);
  const result = CONVERSIONS[type](value);
  if (typeof result === 'bigint') return checkedInteger(result);
  if (result !== undefined) return result;
  if (typeof value === 'string') throw new CelError(`type conversion error from 'string' to '${type}'`);
  throw noSuchOverload();
}

/** @throws CelError outside 64 bits */
export function checkedInteger(value: bigint): bigint {
  if (value < MIN_INT64 || value > MAX_INT64) throw new CelError('integer overflow');
  return value;
}

function typeName(value: CelValue): string {
  if (value instanceof CelOpaque) return value.type;
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  const names: Readonly<Record<string, string>> = { bigint: 'int', number: 'double', boolean: 'bool', object: 'map' };
  return names[typeof value] ?? typeof value;
}
