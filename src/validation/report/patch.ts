import { Finding } from '../vocabulary/verdict';

/**
 * The fix of a finding as a patch for `patch -p1`, with the lines around it as context. Undefined if the finding has no
 * fix, or if its excerpt does not contain all changed lines in full.
 */
export function patchOf({ fix, excerpt, location }: Finding): string | undefined {
  if (!fix || !excerpt || fix.file !== location.file || fix.edits.length === 0) return undefined;
  const { line: first, lines } = excerpt;
  const last = first + lines.length - 1;
  if (lines.some((text) => text.endsWith('…')) || fix.edits.some(({ line, endLine }) => line < first || endLine > last))
    return undefined;
  let after = `${lines.join('\n')}\n`;
  for (const { line, column, endLine, endColumn, text } of [...fix.edits].reverse()) {
    const [from, to] = [offsetOf(after, line - first, column - 1), offsetOf(after, endLine - first, endColumn - 1)];
    after = after.slice(0, from) + text.replace(/\r\n/g, '\n') + after.slice(to);
  }
  const changed = after.endsWith('\n') ? after.slice(0, -1).split('\n') : after.split('\n');
  const [head, tail] = commonEnds(lines, changed);
  const context = (part: readonly string[]) => part.map((text) => ` ${text}`);
  return [
    `--- a/${fix.file}`,
    `+++ b/${fix.file}`,
    `@@ -${first},${lines.length} +${first},${changed.length} @@`,
    ...context(lines.slice(0, head)),
    ...lines.slice(head, lines.length - tail).map((text) => `-${text}`),
    ...changed.slice(head, changed.length - tail).map((text) => `+${text}`),
    ...context(lines.slice(lines.length - tail)),
    '',
  ].join('\n');
}

function offsetOf(text: string, line: number, column: number): number {
  let offset = 0;
  for (let passed = 0; passed < line; passed++) offset = text.indexOf('\n', offset) + 1;
  return offset + column;
}

/** How many lines both have in common at the start and at the end. */
function commonEnds(before: readonly string[], after: readonly string[]): [head: number, tail: number] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [head, tail];
}
