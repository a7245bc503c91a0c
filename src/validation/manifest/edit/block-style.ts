import { Node, YAMLMap, YAMLSeq } from 'yaml';
import { contentEnd, DocumentText, insertion } from './document-text';
import { OffsetEdit } from './offset-edit';
import { blockLines, fieldLines, itemLines } from './value-text';

type BlockMap = YAMLMap<Node, Node | null>;

/** @param isFirst - the field is written above the others, unless a comment precedes the first of them */
export function insertIntoBlock(
  document: DocumentText,
  map: BlockMap,
  name: string,
  value: unknown,
  isFirst: boolean,
): OffsetEdit[] | undefined {
  const first = map.items[0]?.key.range?.[0];
  if (first === undefined) return undefined;
  const indent = document.indentOf(first);
  const lines = fieldLines(name, value);
  if (isFirst && !isBelowComment(document, first)) {
    return [
      insertion(
        first,
        lines.map((line, index) => (index === 0 ? '' : indent) + line + document.lineEnd).join('') + indent,
      ),
    ];
  }
  const edit = document.insertBelow(map.items[map.items.length - 1], lines, indent);
  return edit && [edit];
}

export function appendToBlock(
  document: DocumentText,
  list: YAMLSeq<Node | null>,
  value: unknown,
): OffsetEdit[] | undefined {
  const dash = list.range?.[0];
  if (dash === undefined || document.text[dash] !== '-') return undefined;
  const edit = document.insertBelow(list.items[list.items.length - 1], itemLines(value), document.indentOf(dash));
  return edit && [edit];
}

/** Replaces a map or list. One with comments stays, because they would be lost. */
export function replaceBlock(document: DocumentText, node: Node, value: unknown): OffsetEdit[] | undefined {
  const lines = Array.isArray(value) && value.length > 0 ? value.flatMap(itemLines) : blockLines(value);
  const [start, end] = [node.range?.[0], contentEnd(node)];
  if (start === undefined || end === undefined || end.isBlockScalar || lines === undefined) return undefined;
  if (/(^|\s)#/.test(document.text.slice(start, end.offset))) return undefined;
  return [{ start, end: end.offset, text: lines.join(document.lineEnd + document.indentOf(start)) }];
}

/** Writes an empty map or list after its key, instead of the only field or item. One with comments stays. */
export function emptyBlock(document: DocumentText, key: Node, node: Node, empty: string): OffsetEdit[] | undefined {
  const [start, end] = [document.text.indexOf(':', key.range?.[1]) + 1, contentEnd(node)];
  if (start === 0 || end === undefined || end.isBlockScalar) return undefined;
  if (/(^|\s)#/.test(document.text.slice(start, document.lineEndAt(end.offset)))) return undefined;
  return [{ start, end: end.offset, text: ` ${empty}` }];
}

/** Removes a field with its lines. A field that follows `- ` is removed up to the next one. */
export function removeFromBlock(document: DocumentText, map: BlockMap, index: number): OffsetEdit[] | undefined {
  const entry = map.items[index];
  const start = entry.key.range?.[0];
  const end = contentEnd(entry);
  if (start === undefined || end === undefined) return undefined;
  const next = map.items[index + 1]?.key.range?.[0];
  if (!document.isFirstOnLine(start)) {
    return next === undefined || document.text.slice(end.offset, next).includes('#')
      ? undefined
      : [{ start, end: next, text: '' }];
  }
  const lineStart = document.lineStart(start);
  const lineEnd = end.isBlockScalar ? end.offset : document.lineEndAt(end.offset);
  const newline = end.isBlockScalar ? 0 : (/^\r?\n/.exec(document.text.slice(lineEnd, lineEnd + 2))?.[0].length ?? 0);
  const isLastLine = newline === 0 && !end.isBlockScalar;
  // At the end of a file without a last line end, the line end before the field goes.
  return [
    {
      start:
        isLastLine && lineStart > 0
          ? document.lineEndAt(lineStart - 1 - Number(document.lineEnd === '\r\n'))
          : lineStart,
      end: lineEnd + newline,
      text: '',
    },
  ];
}

/** Removes an item with its lines. The only item stays: without it, the list would be null. */
export function removeFromBlockList(
  document: DocumentText,
  { items }: YAMLSeq<Node | null>,
  index: number,
): OffsetEdit[] | undefined {
  const [start, end] = [items[index]?.range?.[0], contentEnd(items[index])];
  if (start === undefined || end === undefined || end.isBlockScalar || items.length < 2) return undefined;
  const lineStart = document.lineStart(start);
  const lineEnd = document.lineEndAt(end.offset);
  const newline = /^\r?\n/.exec(document.text.slice(lineEnd, lineEnd + 2))?.[0].length ?? 0;
  const isAlone = /^\s*-\s+$/.test(document.text.slice(lineStart, start)) && newline > 0;
  return isAlone ? [{ start: lineStart, end: lineEnd + newline, text: '' }] : undefined;
}

function isBelowComment(document: DocumentText, offset: number): boolean {
  const start = document.lineStart(offset);
  return (
    document.isFirstOnLine(offset) &&
    start > 0 &&
    document.text
      .slice(document.lineStart(start - 1), start)
      .trimStart()
      .startsWith('#')
  );
}
