import { asRecord } from '../../contract';

export type PlainRecord = Readonly<Record<string, unknown>>;

/** The objects of a list; anything else in it, or another value altogether, reads as nothing. */
export function recordsOf(raw: unknown): PlainRecord[] {
  if (!Array.isArray(raw)) return [];
  return raw.map(asRecord).filter((item) => item !== undefined);
}

/** As a text, what stands where one should: nothing is none, and neither is a map or a list. */
export function textOf(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value);
}
