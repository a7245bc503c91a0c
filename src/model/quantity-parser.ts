import { NANOS_PER_UNIT, QuantityFormat } from './quantity-format';
import { suggestQuantity } from './quantity-typo';

/** An invalid quantity, or one out of range. The message has no field path, because only the caller knows it. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}

export interface ParsedQuantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

interface Suffix {
  readonly base: 2n | 10n;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Longer than any meaningful quantity, and short enough to parse in microseconds. */
const MAX_LENGTH = 1000;
const MAX_UNITS = 2n ** 63n - 1n;
const GRAMMAR = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const DECIMAL_EXPONENT = /^[eE]([+-]?\d+)$/;
const SUFFIXES = new Map<string, Suffix>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((suffix, index) => decimal(suffix, 3 * index - 9)),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => binary(suffix, 10 * (index + 1))),
]);

/**
 * Parses a quantity exactly, in bounded time for any text.
 *
 * As in Kubernetes, surrounding blanks are ignored, precision finer than 1n is rounded up (away from zero), and a
 * BinarySI amount beyond the largest int64 is clamped to it.
 *
 * Stricter than Kubernetes in two cases. Larger decimal amounts are errors, because the arithmetic of Kubernetes
 * overflows to 0 for them. A text without a digit is an error: Kubernetes reads it as 0 with some suffixes and rejects
 * it with others.
 *
 * @throws QuantityError
 * @see https://github.com/kubernetes/apimachinery/blob/v0.36.1/pkg/api/resource/quantity.go ParseQuantity
 */
export function parseQuantity(raw: string): ParsedQuantity {
  const text = raw.trim();
  if (text === '') {
    throw new QuantityError('a quantity cannot be empty, got ""; write a number such as 500m or 2Gi');
  }
  if (text.length > MAX_LENGTH) {
    throw new QuantityError(
      `a quantity of ${text.length} characters is too long, got "${text.slice(0, 20)}…"; write at most ${MAX_LENGTH}`,
    );
  }
  const [, sign, whole = '', fraction = '', suffixText] = GRAMMAR.exec(text) ?? [];
  const suffix = suffixText === undefined ? undefined : suffixOf(suffixText);
  if (suffix === undefined || whole + fraction === '') {
    throw new QuantityError(`not a Kubernetes quantity, got "${text}"; ${suggestQuantity(text)}`);
  }
  const magnitude = magnitudeOf(text, whole + fraction, fraction.length, suffix);
  const format =
    suffix.format === 'BinarySI' && magnitude > 0n && magnitude < NANOS_PER_UNIT ? 'DecimalSI' : suffix.format;
  return { nanos: sign === '-' ? -magnitude : magnitude, format };
}

function magnitudeOf(text: string, digits: string, fractionLength: number, suffix: Suffix): bigint {
  const significant = digits.replace(/^0+/, '');
  if (significant === '') {
    return 0n;
  }
  const decimalShift = (suffix.base === 10n ? suffix.exponent : 0) - fractionLength + 9;
  const order = significant.length + decimalShift;
  // The amount is below ten to the `order`, so that no huge power has to be computed.
  if (suffix.base === 10n && order < 0) {
    return 1n;
  }
  if (suffix.base === 10n && order > 9 + 20) {
    throw outOfRange(text);
  }
  const binaryFactor = suffix.base === 2n ? 2n ** BigInt(suffix.exponent) : 1n;
  const nanos = shiftDecimal(BigInt(significant) * binaryFactor, decimalShift);
  if (nanos <= MAX_UNITS * NANOS_PER_UNIT) {
    return nanos;
  }
  if (suffix.format === 'BinarySI') {
    return MAX_UNITS * NANOS_PER_UNIT;
  }
  throw outOfRange(text);
}

function shiftDecimal(value: bigint, places: number): bigint {
  if (places >= 0) {
    return value * 10n ** BigInt(places);
  }
  const divisor = 10n ** BigInt(-places);
  return (value + divisor - 1n) / divisor;
}

function outOfRange(text: string): QuantityError {
  return new QuantityError(`quantity out of range, got "${text}"; write at most ${MAX_UNITS}`);
}

function suffixOf(text: string): Suffix | undefined {
  const suffix = SUFFIXES.get(text);
  if (suffix) {
    return suffix;
  }
  const exponent = DECIMAL_EXPONENT.exec(text)?.[1];
  // Beyond 2^53 Number rounds or overflows to Infinity. As an order of magnitude, that is still on the right side of
  // every limit.
  return exponent === undefined ? undefined : { base: 10n, exponent: Number(exponent), format: 'DecimalExponent' };
}

function decimal(suffix: string, exponent: number): [string, Suffix] {
  return [suffix, { base: 10n, exponent, format: 'DecimalSI' }];
}

function binary(suffix: string, exponent: number): [string, Suffix] {
  return [suffix, { base: 2n, exponent, format: 'BinarySI' }];
}
