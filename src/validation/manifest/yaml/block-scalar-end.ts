const HEADER = /[|>](?:[-+]?\d?|\d[-+])[ \t]*(?:#.*)?\r?$/;
/** A line that may follow a block scalar: a key, a list item, or the end of a flow mapping. */
const NEXT_FIELD = /^\s*(?:- |-\r?$|[\w."'/-]+\s*:(?:\s|$)|[}\]])/;

/**
 * The line, from 1, of the block scalar that ends too early at an offset, because a line of its text is less indented
 * than its first one. Undefined if the error at the offset is another one.
 */
export function blockScalarBefore(text: string, offset: number): number | undefined {
  const lines = text.slice(0, Math.max(0, text.indexOf('\n', offset)) || text.length).split('\n');
  const last = lines.pop() ?? '';
  if (last.trim() === '' || NEXT_FIELD.test(last)) return undefined;
  let least = Infinity;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index];
    if (line.trim() === '') continue;
    if (HEADER.test(line) && indentOf(line) < least && least > indentOf(last) && least < Infinity) return index + 1;
    least = Math.min(least, indentOf(line));
    if (least <= indentOf(last)) return undefined;
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
