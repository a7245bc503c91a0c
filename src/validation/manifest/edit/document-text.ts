import { isCollection, isMap, isScalar, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { OffsetEdit } from './offset-edit';
import { Notation } from './value-text';
import { FieldPath } from '../../../contract';
import { valueText } from '../../../model';

export type Collection = YAMLMap<Node, Node | null> | YAMLSeq<Node | null>;
export type MapEntry = Pair<Node, Node | null>;

/** A value of a document, and its field if it has one. */
export interface Place {
  readonly parent?: Collection;
  readonly index: number;
  readonly entry?: MapEntry;
  readonly node: Node | null;
}

/** The text of one document with its syntax tree. Offsets are those of the text. */
export class DocumentText {
  public readonly notation: Notation;
  public readonly lineEnd: string;

  public constructor(
    public readonly text: string,
    private readonly root: Node | null,
  ) {
    this.notation = isJson(text) ? 'json' : 'yaml';
    this.lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** Undefined if the path does not exist, or leads through an alias or a merge key. */
  public placeOf(path: FieldPath): Place | undefined {
    let place: Place | undefined = { index: 0, node: this.root };
    for (const step of path) {
      place = childOf(place.node, step);
      if (!place) return undefined;
    }
    return place;
  }

  /** Spaces up to the column of an offset. */
  public indentOf(offset: number): string {
    return ' '.repeat(offset - this.lineStart(offset));
  }

  public lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** The offset of the line end at or after an offset. */
  public lineEndAt(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    if (end < 0) return this.text.length;
    return end > offset && this.text[end - 1] === '\r' ? end - 1 : end;
  }

  /** Whether only spaces precede an offset on its line. */
  public isFirstOnLine(offset: number): boolean {
    return this.text.slice(this.lineStart(offset), offset).trim() === '';
  }

  /** Inserts lines below the line on which the content of an entry ends. */
  public insertBelow(last: MapEntry | Node | null, lines: readonly string[], indent: string): OffsetEdit | undefined {
    const end = contentEnd(last);
    if (end === undefined) return undefined;
    const text = lines.map((line) => indent + line).join(this.lineEnd);
    if (!end.isBlockScalar) return insertion(this.lineEndAt(end.offset), this.lineEnd + text);
    const isAfterLine = this.text[end.offset - 1] === '\n';
    return insertion(end.offset, isAfterLine ? text + this.lineEnd : this.lineEnd + text);
  }
}

export function insertion(offset: number, text: string): OffsetEdit {
  return { start: offset, end: offset, text };
}

export function isFlow(node: Node | null): boolean {
  return isCollection(node) && node.flow === true;
}

export function isEmptyNode(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range?.[0] === node.range?.[1]);
}

export function isBlockScalar(node: Node | null): boolean {
  return isScalar(node) && (node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL);
}

/** Where the content of a value ends, without comments and line ends after it. */
export function contentEnd(
  part: MapEntry | Node | null,
): { readonly offset: number; readonly isBlockScalar: boolean } | undefined {
  if (part === null) return undefined;
  if ('key' in part && 'value' in part && !('range' in part)) {
    const { key, value } = part as MapEntry;
    return isEmptyNode(value) ? contentEnd(key) : contentEnd(value);
  }
  const node = part as Node;
  if (isCollection(node) && !isFlow(node))
    return contentEnd((node.items[node.items.length - 1] ?? null) as MapEntry | Node | null);
  return node.range ? { offset: node.range[1], isBlockScalar: isBlockScalar(node) } : undefined;
}

function childOf(node: Node | null, step: string | number): Place | undefined {
  if (!isCollection(node)) return undefined;
  if (isMap(node)) {
    const parent = node as YAMLMap<Node, Node | null>;
    const index = parent.items.findIndex(({ key }) => isScalar(key) && valueText(key.value) === valueText(step));
    if (index < 0) return undefined;
    const entry = parent.items[index];
    return { parent, index, entry, node: entry.value };
  }
  const parent = node as YAMLSeq<Node | null>;
  return typeof step === 'number' && step < parent.items.length
    ? { parent, index: step, node: parent.items[step] }
    : undefined;
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
