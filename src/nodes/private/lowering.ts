/** Converts the value types of cdk8s to the strings that Karpenter reads. */
import { Duration, Size, SizeRoundingBehavior } from 'cdk8s';
import { isUnresolved } from './unresolved';
import { formatGoDuration } from '../../model';

/** In Go's duration format, which has no days: 30 days is `720h`. */
export function toGoDuration(duration: Duration): string {
  return formatGoDuration(duration.toSeconds({ integral: false }));
}

/** As `toGoDuration`, or `Never` without a duration. */
export function toGoDurationOrNever(duration: Duration | undefined): string {
  return duration ? toGoDuration(duration) : 'Never';
}

/** In Gi. A fraction is kept: the check of the field then reports it. */
export function toGibibytes(size: Size): string {
  return `${size.toGibibytes({ rounding: SizeRoundingBehavior.NONE })}Gi`;
}

/** A number without an exponent, which JavaScript would write for small numbers. */
export function toDecimal(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(MAX_DECIMALS).replace(/0+$/, '') : text;
}

/** Like `toDecimal`, but tokens, whose values are known only at synth, stay unchanged. */
export function toDecimalUnlessToken(value: number | undefined): unknown {
  return value === undefined || isUnresolved(value) ? value : toDecimal(value);
}

/** Digits after the decimal point, enough for every price. */
const MAX_DECIMALS = 20;

/**
 * A number that Karpenter reads as a string, or as part of a string.
 *
 * @throws Error for a token, which a template cannot convert to a string
 */
export function toText(field: string, value: number): string {
  if (!isUnresolved(value)) return toDecimal(value);
  throw new Error(
    `${field}: must be known when the app is synthesised, because Karpenter reads it as a string, got a number that is known only at deployment; ` +
      'write the number itself, or read it from the context of the app',
  );
}

/** Undefined for an empty list or map, so that the manifest omits the field. */
export function unlessEmpty<T extends object>(collection: T): T | undefined {
  return Object.keys(collection).length > 0 ? collection : undefined;
}
