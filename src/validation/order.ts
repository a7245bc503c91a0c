/** By code point: the same on every machine, whatever its language. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** As people count: `web-2` before `web-10`. */
export function inNameOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items.map((item) => ({ item, key: keyOf(nameOf(item)) })).sort((a, b) => byKey(a.key, b.key)).map(({ item }) => item);
}

interface NameKey { readonly text: string; readonly name: string; readonly ordinal: number }

function byKey(a: NameKey, b: NameKey): number {
  return byCodePoint(a.name, b.name) || a.ordinal - b.ordinal || byCodePoint(a.text, b.text);
}

function keyOf(text: string): NameKey {
  const dash = text.lastIndexOf('-');
  const digits = text.slice(dash + 1);
  return dash > 0 && /^\d{1,9}$/.test(digits) ? { text, name: text.slice(0, dash), ordinal: Number(digits) } : { text, name: text, ordinal: -1 };
}
