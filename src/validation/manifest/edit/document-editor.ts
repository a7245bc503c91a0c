import { isCollection, isMap, isScalar, isSeq, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import {
  appendToBlock,
  emptyBlock,
  insertIntoBlock,
  removeFromBlock,
  removeFromBlockList,
  replaceBlock,
} from './block-style';
import { Collection, DocumentText, MapEntry, insertion, isBlockScalar, isEmptyNode, isFlow } from './document-text';
import { appendToFlow, insertIntoFlow, removeFromFlow, removeFromFlowList } from './flow-style';
import { OffsetEdit } from './offset-edit';
import { blockLines, inlineText, writtenScalar } from './value-text';
import { FieldEdit, FieldPath } from '../../../contract';

/** A field edit on the text of a document; undefined if the way in which the document is written does not allow it. */
export function textEditsOf(document: DocumentText, edit: FieldEdit): readonly OffsetEdit[] | undefined {
  const editor = new DocumentEditor(document);
  switch (edit.operation) {
    case 'rename':
      return editor.rename(edit.path, edit.to);
    case 'set':
      return editor.set(edit.path, edit.value, edit.isFirst === true);
    case 'append':
      return editor.append(edit.path, edit.value);
    case 'remove':
      return editor.remove(edit.path);
    case 'quote':
      return editor.quote(edit.path);
  }
}

class DocumentEditor {
  public constructor(private readonly document: DocumentText) {}

  public rename(path: FieldPath, to: string): OffsetEdit[] | undefined {
    const key = this.document.placeOf(path)?.entry?.key;
    return key && isScalar(key) ? this.replaceScalar(key, to) : undefined;
  }

  public quote(path: FieldPath): OffsetEdit[] | undefined {
    const node = this.document.placeOf(path)?.node ?? null;
    if (!isScalar(node) || node.type !== Scalar.PLAIN || !node.range) return undefined;
    const [start, end] = node.range;
    return [{ start, end, text: JSON.stringify(this.document.text.slice(start, end)) }];
  }

  public set(path: FieldPath, value: unknown, isFirst: boolean): readonly OffsetEdit[] | undefined {
    const place = this.document.placeOf(path);
    if (place)
      return place.entry && isEmptyNode(place.node)
        ? this.setEmpty(place.entry, value, isFlow(place.parent!))
        : this.replace(place.node, value);
    const name = path[path.length - 1];
    const parentPath = path.slice(0, -1);
    if (typeof name !== 'string') return undefined;
    const parent = this.document.placeOf(parentPath);
    if (!parent || isEmptyNode(parent.node))
      return path.length === 1 ? undefined : this.set(parentPath, { [name]: value }, isFirst);
    if (!isMap(parent.node)) return undefined;
    const map = parent.node as YAMLMap<Node, Node | null>;
    return isFlow(map)
      ? insertIntoFlow(this.document, map, name, value)
      : insertIntoBlock(this.document, map, name, value, isFirst);
  }

  public append(path: FieldPath, value: unknown): readonly OffsetEdit[] | undefined {
    const place = this.document.placeOf(path);
    if (!place || isEmptyNode(place.node)) return this.set(path, [value], false);
    if (!isSeq(place.node)) return undefined;
    const list = place.node as YAMLSeq<Node | null>;
    return isFlow(list) ? appendToFlow(this.document, list, value) : appendToBlock(this.document, list, value);
  }

  public remove(path: FieldPath): readonly OffsetEdit[] | undefined {
    const place = this.document.placeOf(path);
    const around = this.document.placeOf(path.slice(0, -1));
    if (place?.parent?.items.length === 1 && around?.entry && !isFlow(place.parent))
      return emptyBlock(this.document, around.entry.key, place.parent, isSeq(place.parent) ? '[]' : '{}');
    if (isSeq(place?.parent)) return this.removeItem(place.parent as YAMLSeq<Node | null>, place.index);
    if (!place?.parent || !place.entry) return undefined;
    const map = place.parent as YAMLMap<Node, Node | null>;
    return isFlow(map) ? removeFromFlow(map, place.index) : removeFromBlock(this.document, map, place.index);
  }

  private removeItem(list: YAMLSeq<Node | null>, index: number): readonly OffsetEdit[] | undefined {
    return isFlow(list) ? removeFromFlowList(list, index) : removeFromBlockList(this.document, list, index);
  }

  private replace(node: Node | null, value: unknown): OffsetEdit[] | undefined {
    if (isScalar(node) && (typeof value !== 'object' || value === null)) return this.replaceScalar(node, value);
    if (!node?.range || isBlockScalar(node)) return undefined;
    if (isCollection(node) && !isFlow(node as Collection)) return replaceBlock(this.document, node, value);
    const [start, end] = node.range;
    return [{ start, end, text: inlineText(value, this.document.notation) }];
  }

  private replaceScalar(node: Scalar, value: unknown): OffsetEdit[] | undefined {
    if (!node.range) return undefined;
    if (isBlockScalar(node)) return this.replaceLine(node, value);
    const [start, end] = node.range;
    return [{ start, end, text: writtenScalar(value, this.document.notation, this.document.text[start]) }];
  }

  /** Replaces the only line in which a literal text, such as user data, is another one. */
  private replaceLine(node: Scalar, value: unknown): OffsetEdit[] | undefined {
    if (node.type !== Scalar.BLOCK_LITERAL || typeof node.value !== 'string' || typeof value !== 'string')
      return undefined;
    const [before, after] = [node.value, value].map((text) => text.split('\n'));
    const [index, ...others] = before.flatMap((line, position) => (line === after[position] ? [] : [position]));
    if (index === undefined || others.length > 0 || before.length !== after.length || before[index] === '')
      return undefined;
    const { text } = this.document;
    let start = node.range![0];
    for (let line = 0; line <= index; line++) start = text.indexOf('\n', start) + 1;
    const lineEnd = text.indexOf('\n', start);
    const from = text.indexOf(before[index], start);
    const isInLine = from >= start && (lineEnd < 0 || from < lineEnd);
    return isInLine ? [{ start: from, end: from + before[index].length, text: after[index] }] : undefined;
  }

  /** Writes a value after `key:`. */
  private setEmpty({ key }: MapEntry, value: unknown, isInFlow: boolean): OffsetEdit[] | undefined {
    const { text, lineEnd } = this.document;
    const colon = text.indexOf(':', key.range?.[1] ?? text.length);
    if (colon < 0) return undefined;
    const lines = isInFlow ? undefined : blockLines(value);
    if (!lines) return [insertion(colon + 1, ` ${inlineText(value, this.document.notation)}`)];
    const indent = this.document.indentOf(key.range![0]) + (Array.isArray(value) ? '' : '  ');
    return [insertion(this.document.lineEndAt(colon), lines.map((line) => lineEnd + indent + line).join(''))];
  }
}
