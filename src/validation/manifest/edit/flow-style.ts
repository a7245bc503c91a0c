import { Node, YAMLMap, YAMLSeq } from 'yaml';
import { contentEnd, DocumentText, insertion } from './document-text';
import { OffsetEdit } from './offset-edit';
import { inlineText, writtenScalar } from './value-text';

type FlowMap = YAMLMap<Node, Node | null>;

/** Adds a field after the last one, on a line of its own if that one has its own. */
export function insertIntoFlow(
  document: DocumentText,
  map: FlowMap,
  name: string,
  value: unknown,
): OffsetEdit[] | undefined {
  const text = `${writtenScalar(name, document.notation)}: ${inlineText(value, document.notation)}`;
  const last = map.items[map.items.length - 1];
  return last
    ? insertAfter(document, last.key.range?.[0], contentEnd(last)?.offset, text)
    : intoEmpty(map, ` ${text} `);
}

export function appendToFlow(
  document: DocumentText,
  list: YAMLSeq<Node | null>,
  value: unknown,
): OffsetEdit[] | undefined {
  const text = inlineText(value, document.notation);
  const last = list.items[list.items.length - 1];
  return last ? insertAfter(document, last.range?.[0], contentEnd(last)?.offset, text) : intoEmpty(list, text);
}

/** Removes a field with the comma after it, or before it if it is the last one. */
export function removeFromFlow(map: FlowMap, index: number): OffsetEdit[] | undefined {
  const entry = map.items[index];
  const [start, end] = [entry.key.range?.[0], contentEnd(entry)?.offset];
  const next = map.items[index + 1]?.key.range?.[0];
  if (start === undefined || end === undefined) return undefined;
  if (next !== undefined) return [{ start, end: next, text: '' }];
  const previous = index === 0 ? start : contentEnd(map.items[index - 1])?.offset;
  return previous === undefined ? undefined : [{ start: previous, end, text: '' }];
}

/** Removes an item with the comma after it, or before it if it is the last one. */
export function removeFromFlowList({ items }: YAMLSeq<Node | null>, index: number): OffsetEdit[] | undefined {
  const [start, end] = [items[index]?.range?.[0], contentEnd(items[index])?.offset];
  if (start === undefined || end === undefined) return undefined;
  const next = items[index + 1]?.range?.[0];
  if (next !== undefined) return [{ start, end: next, text: '' }];
  const previous = index === 0 ? start : contentEnd(items[index - 1])?.offset;
  return previous === undefined ? undefined : [{ start: previous, end, text: '' }];
}

function insertAfter(
  document: DocumentText,
  start: number | undefined,
  end: number | undefined,
  text: string,
): OffsetEdit[] | undefined {
  if (start === undefined || end === undefined) return undefined;
  const separator = document.isFirstOnLine(start) ? document.lineEnd + document.indentOf(start) : ' ';
  return [insertion(end, `,${separator}${text}`)];
}

function intoEmpty({ range }: FlowMap | YAMLSeq<Node | null>, text: string): OffsetEdit[] | undefined {
  return range ? [{ start: range[0] + 1, end: range[1] - 1, text }] : undefined;
}
