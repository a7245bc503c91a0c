import { nearestName } from '../model';
import { FieldFix, safeFix, setField } from './field-edit';
import { FieldPath } from './field-path';

/**
 * Corrects the misspelt values of a requirement. Undefined if one of them resembles no known value, or if a corrected
 * value is in the list already.
 */
export function knownValueFix(
  path: FieldPath,
  values: readonly unknown[],
  known: ReadonlySet<string>,
): FieldFix | undefined {
  const corrected = values.map((value) => (known.has(value as string) ? value : correctionOf(value, known)));
  if (corrected.includes(undefined) || new Set(corrected).size < corrected.length) return undefined;
  return safeFix(
    ...corrected.flatMap((value, index) => (value === values[index] ? [] : [setField([...path, index], value)])),
  );
}

function correctionOf(value: unknown, known: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const words = [...known];
  return words.find((word) => word.toLowerCase() === value.toLowerCase()) ?? nearestName(value.toLowerCase(), words);
}
