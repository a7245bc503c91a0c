/** By code point: the same on every machine, whatever its language. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** As people count: `web-2` before `web-10`. */
export function byNameAndOrdinal(a: string, b: string): number {
  const [left, right] = [splitOrdinal(a), splitOrdinal(b)];
  return byCodePoint(left.name, right.name) || left.ordinal - right.ordinal || byCodePoint(a, b);
}

function splitOrdinal(text: string): { name: string; ordinal: number } {
  const dash = text.lastIndexOf('-');
  const digits = text.slice(dash + 1);
  return dash > 0 && /^\d{1,9}$/.test(digits) ? { name: text.slice(0, dash), ordinal: Number(digits) } : { name: text, ordinal: -1 };
}
