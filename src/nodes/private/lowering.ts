/** From the value types of cdk8s to the texts that Karpenter reads. */
import { Duration, Size, SizeRoundingBehavior } from 'cdk8s';
import { isUnresolved } from './unresolved';
import { formatGoDuration } from '../../model';

/** As Go writes it; days become hours. */
export function toGoDuration(duration: Duration): string {
  return formatGoDuration(duration.toSeconds({ integral: false }));
}

/** In whole Gi where the size allows it; otherwise with a fraction, which the check of the field then names. */
export function toGibibytes(size: Size): string {
  return `${size.toGibibytes({ rounding: SizeRoundingBehavior.NONE })}Gi`;
}

/** A number as a text, without the exponent that a small one would otherwise have. */
export function toDecimal(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(LAST_DECIMAL).replace(/0+$/, '') : text;
}

/** The same for a number that may only be known at synth: a token stays what it is. */
export function toDecimalUnlessToken(value: number | undefined): unknown {
  return value === undefined || isUnresolved(value) ? value : toDecimal(value);
}

/** `toFixed` takes no more. */
const LAST_DECIMAL = 20;

/**
 * A number that Karpenter reads as a text, or as a part of one.
 *
 * @throws Error for a token: a template has no way to make a text of it
 */
export function toText(field: string, value: number): string {
  if (!isUnresolved(value)) return toDecimal(value);
  throw new Error(`${field}: must be known when the app is synthesised, since Karpenter reads it as a text, got a number that is known only at deployment; `
    + 'write the number itself, or read it from the context of the app');
}

/** Undefined for an empty list or map, so that the manifest does not show it. */
export function unlessEmpty<T extends object>(collection: T): T | undefined {
  return Object.keys(collection).length > 0 ? collection : undefined;
}
