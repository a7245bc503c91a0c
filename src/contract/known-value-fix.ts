import { nearestName } from '../model';
import { appendItem, FieldEdit, FieldFix, removeField, safeFix, setField } from './field-edit';
import { FieldPath } from './field-path';
import { joinedValues, separatedValues } from './label-syntax';

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

/** What to write instead of several values in one text, with the edit. */
export interface SeparatedList {
  readonly remedy: string;
  readonly fix: FieldFix;
}

/** The list that is meant if at least one of its values is several values in one text. @param path the list */
export function separatedList(path: FieldPath, values: readonly unknown[]): SeparatedList | undefined {
  const separated = separatedValues(values);
  if (separated === undefined) return undefined;
  const divided = values.map((value) => (typeof value === 'string' ? joinedValues(value) : undefined));
  const taken = values.filter((_, index) => divided[index] === undefined);
  const edits = divided.flatMap((parts, index): FieldEdit[] => {
    if (parts === undefined) return [];
    const [first, ...others] = parts.filter((part) => !taken.includes(part));
    taken.push(...parts);
    return [
      first === undefined ? removeField([...path, index]) : setField([...path, index], first),
      ...others.map((part) => appendItem(path, part)),
    ];
  });
  return { remedy: listRemedy(path, separated), fix: safeFix(...edits) };
}

/** The list that is meant if a text is written instead. @param path the list */
export function listInsteadOf(path: FieldPath, text: string): SeparatedList | undefined {
  const values = separatedValues([text]) ?? (text === '' ? undefined : [text]);
  return values && { remedy: listRemedy(path, values), fix: safeFix(setField(path, values)) };
}

function listRemedy(path: FieldPath, values: readonly unknown[]): string {
  return `write ${String(path[path.length - 1])}: [${values.join(', ')}]`;
}
