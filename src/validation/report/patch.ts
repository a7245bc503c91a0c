import { Excerpt, Finding, TextEdit } from '../vocabulary/verdict';

/**
 * The fix of a finding as a patch for `patch -p1`, with the lines around it as context. Undefined if the finding has no
 * fix, or if the excerpts do not contain all changed lines in full.
 */
export function patchOf({ fix, excerpt, location }: Finding): string | undefined {
  if (!fix || fix.edits.length === 0) return undefined;
  const excerpts = fix.excerpts ?? (excerpt && fix.file === location.file ? [excerpt] : []);
  const hunks = excerpts.map((part) => ({ part, edits: fix.edits.filter((edit) => isInside(edit, part)) }));
  const isWhole = hunks.reduce((sum, { edits }) => sum + edits.length, 0) === fix.edits.length;
  if (!isWhole || excerpts.some(({ lines }) => lines.some((text) => text.endsWith('…')))) return undefined;
  let added = 0;
  const texts = hunks.map(({ part, edits }) => {
    const changed = changedLines(part, edits);
    const text = hunkOf(part, changed, added);
    added += changed.length - part.lines.length;
    return text;
  });
  return [`--- a/${fix.file}`, `+++ b/${fix.file}`, ...texts.flat(), ''].join('\n');
}

/** Text may also be added after the last line of the excerpt. */
function isInside({ line, endLine, endColumn }: TextEdit, { line: first, lines }: Excerpt): boolean {
  const last = first + lines.length - 1;
  return line >= first && (endLine <= last || (line === last + 1 && endLine === line && endColumn === 1));
}

function changedLines({ line: first, lines }: Excerpt, edits: readonly TextEdit[]): string[] {
  let after = `${lines.join('\n')}\n`;
  for (const { line, column, endLine, endColumn, text } of [...edits].reverse()) {
    const [from, to] = [offsetOf(after, line - first, column - 1), offsetOf(after, endLine - first, endColumn - 1)];
    after = after.slice(0, from) + text.replace(/\r\n/g, '\n') + after.slice(to);
  }
  return after.endsWith('\n') ? after.slice(0, -1).split('\n') : after.split('\n');
}

/** @param added how many lines the hunks before add */
function hunkOf({ line, lines }: Excerpt, changed: readonly string[], added: number): string[] {
  const [head, tail] = commonEnds(lines, changed);
  const context = (part: readonly string[]) => part.map((text) => ` ${text}`);
  return [
    `@@ -${line},${lines.length} +${line + added},${changed.length} @@`,
    ...context(lines.slice(0, head)),
    ...lines.slice(head, lines.length - tail).map((text) => `-${text}`),
    ...changed.slice(head, changed.length - tail).map((text) => `+${text}`),
    ...context(lines.slice(lines.length - tail)),
  ];
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
