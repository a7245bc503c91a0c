const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const INTEGER = /^[+-]?\d+$/;
/** An int64 has 19 digits; leading zeros beyond this are cut before conversion, so that no text is slow. */
const LONGEST_DIRECT = 20;

/** Go's `strconv.Atoi` on 64 bits: an optional sign and decimal digits; undefined for anything else and out of range. */
export function parseIntegerLikeGo(text: string): bigint | undefined {
  const value = INTEGER.test(text) ? toBigInt(text) : undefined;
  return value === undefined || value > MAX_INT64 || value < MIN_INT64 ? undefined : value;
}

/** The number that `strconv.Atoi` returns beside its error: 0 for a bad text, the nearest int64 out of range. */
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

/** What Go's int64 wraps to on overflow. */
export function wrapInt64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function toBigInt(text: string): bigint {
  const negative = text.startsWith('-');
  const digits = text.replace(/^[+-]?0*(?=\d)/, '');
  const magnitude = digits.length > LONGEST_DIRECT ? MAX_INT64 + 2n : BigInt(digits);
  return negative ? -magnitude : magnitude;
}
