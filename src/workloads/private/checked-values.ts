/** Checks of values at the call. Values that are known only at deployment pass. */
import { isTokenNumber, isTokenText, shownNumber } from '../../model';

/** @throws Error if the value is not a whole number in the range */
export function requireWholeNumber(name: string, value: number, min: number, max: number): void {
  if (isTokenNumber(value) || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  throw new Error(
    `${name}: must be a whole number from ${min} to ${max}, got ${shownNumber(value)}; write for example ${min}`,
  );
}

/** @throws Error if the text does not match */
export function requireFormat(name: string, value: string, format: RegExp, example: string): void {
  if (typeof value === 'string' && (isTokenText(value) || format.test(value))) return;
  throw new Error(`${name}: must match ${format.source}, got ${JSON.stringify(value)}; write for example ${example}`);
}
