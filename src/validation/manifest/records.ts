import { asRecord } from '../../contract';
import { valueText } from '../../model';

export type PlainRecord = Readonly<Record<string, unknown>>;

/** The objects of a list. Other items are left out, and any other value is an empty list. */
export function recordsOf(raw: unknown): PlainRecord[] {
  if (!Array.isArray(raw)) return [];
  return raw.map(asRecord).filter((item) => item !== undefined);
}

/** The string entries of a mapping, such as labels. Any other value is an empty mapping. */
export function stringMapOf(raw: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asRecord(raw) ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The strings of a list. Any other value is an empty list. */
export function stringsOf(raw: unknown): string[] {
  return Array.isArray(raw) ? raw.filter((item): item is string => typeof item === 'string') : [];
}

/** A scalar as a string. A missing value, a mapping and a list are the empty string. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : valueText(value);
}

export function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
