/** Compares by code point, so that the order is the same in every locale. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Sorts by name, with the ordinal at its end as a number: `web-2` before `web-10`. */
export function inNameOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: keyOf(nameOf(item)) }))
    .sort((a, b) => byKey(a.key, b.key))
    .map(({ item }) => item);
}

/** A longer number at the end of a name is not an ordinal. */
const MAX_ORDINAL_DIGITS = 9;

interface NameKey {
  readonly text: string;
  readonly name: string;
  readonly ordinal: number;
}

function byKey(a: NameKey, b: NameKey): number {
  return byCodePoint(a.name, b.name) || a.ordinal - b.ordinal || byCodePoint(a.text, b.text);
}

function keyOf(text: string): NameKey {
  let dash = text.length - 1;
  while (dash > 0 && isDigit(text.charCodeAt(dash))) dash -= 1;
  const digits = text.length - 1 - dash;
  if (dash <= 0 || text[dash] !== '-' || digits === 0 || digits > MAX_ORDINAL_DIGITS)
    return { text, name: text, ordinal: -1 };
  return { text, name: text.slice(0, dash), ordinal: Number(text.slice(dash + 1)) };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
