import { valueText } from './printable';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const INTEGER = /^[+-]?\d+$/;
/** An int64 has 19 digits. Longer texts are not converted, because BigInt would be slow. */
const MAX_DIGITS = 20;

/**
 * Go's `strconv.Atoi` on 64 bits: an optional sign and decimal digits. Undefined for any other text and out of range.
 */
export function parseIntegerLikeGo(text: string): bigint | undefined {
  const value = INTEGER.test(text) ? toBigInt(text) : undefined;
  return value === undefined || value > MAX_INT64 || value < MIN_INT64 ? undefined : value;
}

/**
 * The number that `strconv.Atoi` returns together with its error: 0 for an invalid text, the nearest int64 out of
 * range.
 */
export function clampIntegerLikeGo(text: string): bigint {
  if (!INTEGER.test(text)) {
    return 0n;
  }
  const value = toBigInt(text);
  if (value > MAX_INT64) {
    return MAX_INT64;
  }
  return value < MIN_INT64 ? MIN_INT64 : value;
}

/** The value of an int64 after overflow. */
export function wrapInt64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function toBigInt(text: string): bigint {
  const negative = text.startsWith('-');
  const digits = text.replace(/^[+-]?0*(?=\d)/, '');
  const magnitude = digits.length > MAX_DIGITS ? MAX_INT64 + 2n : BigInt(digits);
  return negative ? -magnitude : magnitude;
}

/**
 * A boolean as Go's `strconv.ParseBool` reads it, undefined if invalid, such as a mapping. Karpenter receives
 * settings as text, whatever their type in a manifest.
 *
 * @see https://pkg.go.dev/strconv#ParseBool
 */
export function parseGoBool(value: unknown): boolean | undefined {
  const text = valueText(value);
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined;
}
