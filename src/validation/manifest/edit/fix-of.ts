import { Node } from 'yaml';
import { textEditsOf } from './document-editor';
import { DocumentText } from './document-text';
import { editedValue, isSameValue, valueAt } from './edited-value';
import { hasOverlap, inTextOrder, OffsetEdit, withEdits } from './offset-edit';
import { blockLines, inlineText } from './value-text';
import { FieldEdit, FieldFix, FieldPath, formatFieldPath } from '../../../contract';
import { listText, valueText } from '../../../model';
import { Fix } from '../../vocabulary/verdict';
import { ManifestObject, ObjectSource } from '../object';
import { DocumentTree, readTrees } from '../yaml/document-trees';
import { DocumentProblem } from '../yaml/source-document';

/** A change of one object. */
export interface ObjectFix {
  readonly object: ManifestObject;
  readonly fix: FieldFix;
}

/**
 * The changes of several objects as one fix. Undefined if one of them cannot be made, or if they are in several files.
 */
export function fixOfObjects(changes: readonly ObjectFix[]): Fix | undefined {
  const fixes = changes.map(({ object, fix }) => fixOf(withRenderedSource(object), fix));
  const [first] = fixes;
  if (first === undefined || fixes.some((fix) => fix?.file !== first.file)) return undefined;
  const whole = fixes.flatMap((fix) => fix ?? []);
  return {
    title: listText(whole.map(({ title }) => title)),
    file: first.file,
    safe: whole.every(({ safe }) => safe),
    edits: whole
      .flatMap(({ edits }) => edits)
      .sort((left, right) => left.line - right.line || left.column - right.column),
  };
}

/** The object with the text that helm has made as its source. An edit of it may become one of the chart's values. */
export function withRenderedSource(object: ManifestObject): ManifestObject {
  return object.source === undefined && object.rendered !== undefined ? { ...object, source: object.rendered } : object;
}

/**
 * The remedy as an edit of the file. Undefined if the file is generated, if its notation does not allow the edit
 * (aliases, for example), or if the field is not what is written there, because a kustomization changes it.
 *
 * The edited document is read again: the result must be the object with these edits and nothing else.
 */
export function fixOf({ source, raw }: ManifestObject, { safe, edits }: FieldFix): Fix | undefined {
  const original = source && treeOf(source.file.text.slice(...source.range));
  if (!source || !original || !edits.every((edit) => isWrittenHere(edit, source, original.value, raw)))
    return undefined;
  const [start, end] = source.range;
  const text = source.file.text.slice(start, end);
  const inDocument = edits.map((edit): FieldEdit => ({ ...edit, path: [...source.path, ...edit.path] }));
  const document = new DocumentText(text, original.root);
  const textEdits = inDocument.map((edit) => textEditsOf(document, edit));
  if (textEdits.some((part) => part === undefined)) return undefined;
  const offsets = inTextOrder(textEdits.flatMap((part) => part ?? []));
  if (hasOverlap(offsets) || !isExact(original, withEdits(text, offsets), inDocument)) return undefined;
  return { title: fixTitle(edits), file: source.file.path, safe, edits: offsets.map((edit) => placed(edit, source)) };
}

/** Whether the edited text has the edited value, and differs from the original. */
function isExact({ value, root }: DocumentTree, newText: string, edits: readonly FieldEdit[]): boolean {
  const expected = editedValue(
    value,
    edits.map((edit) => (edit.operation === 'quote' ? quoted(edit.path, root) : edit)),
  );
  const tree = expected === undefined || isSameValue(expected, value) ? undefined : treeOf(newText);
  return tree !== undefined && isSameValue(tree.value, expected);
}

function quoted(path: FieldPath, root: Node | null): FieldEdit {
  const node = new DocumentText('', root).placeOf(path)?.node;
  return { operation: 'set', path, value: node && 'source' in node ? node.source : undefined };
}

/** The only document of a text; undefined if it has problems. */
function treeOf(text: string): DocumentTree | undefined {
  const problems: DocumentProblem[] = [];
  const trees = [...readTrees(text, problems)].filter(({ root }) => root !== null);
  return trees.length === 1 && problems.length === 0 ? trees[0] : undefined;
}

/** Whether the object around the field is as the file has it. A kustomization may have changed it. */
function isWrittenHere({ path }: FieldEdit, source: ObjectSource, document: unknown, raw: unknown): boolean {
  for (let length = path.length - 1; length >= 0; length--) {
    const parent = path.slice(0, length);
    const [written, judged] = [valueAt(document, [...source.path, ...parent]), valueAt(raw, parent)];
    if (judged !== undefined || written !== undefined) return isSameValue(written, judged);
  }
  return false;
}

function placed({ start, end, text }: OffsetEdit, source: ObjectSource): Fix['edits'][number] {
  const [from, to] = [start, end].map((offset) => source.file.position(source.range[0] + offset));
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column, text };
}

/** Whether a field that is indented too far goes to an object around it. */
function isMove(to: FieldPath, from: FieldPath): boolean {
  return (
    to.length < from.length &&
    to.at(-1) === from.at(-1) &&
    formatFieldPath(from.slice(0, to.length - 1)) === formatFieldPath(to.slice(0, -1))
  );
}

const MAX_LENGTH = 100;

/** What the edits do, in the imperative. */
export function fixTitle(edits: readonly FieldEdit[]): string {
  const [set, removal] = edits;
  if (edits.length === 2 && set.operation === 'set' && removal.operation === 'remove' && isMove(set.path, removal.path))
    return `move ${formatFieldPath(removal.path)} to ${formatFieldPath(set.path)}`;
  const isReplaced = (path: FieldPath) =>
    edits.some((edit) => edit.operation === 'rename' && formatFieldPath(edit.path) === formatFieldPath(path));
  const texts = edits.flatMap((edit) =>
    edit.operation === 'set' && isReplaced(edit.path) ? [] : [textOf(edit, edits)],
  );
  const title = texts
    .map((text, index) => (index > 0 && texts[index - 1].startsWith('write ') ? text.replace(/^write /, '') : text))
    .join(', ');
  return title.length > MAX_LENGTH ? `${title.slice(0, MAX_LENGTH)}…` : title;
}

function textOf(edit: FieldEdit, edits: readonly FieldEdit[]): string {
  const name = nameOf(edit.path);
  switch (edit.operation) {
    case 'rename': {
      const set = edits.find(
        (other) => other.operation === 'set' && formatFieldPath(other.path) === formatFieldPath(edit.path),
      );
      return set?.operation === 'set'
        ? `write ${edit.to}: ${inlineText(set.value, 'yaml')} instead of ${name}`
        : `rename ${name} to ${edit.to}`;
    }
    case 'set':
      // An edit of a long text changes one of its lines.
      if (typeof edit.value === 'string' && edit.value.trim().includes('\n')) return `correct ${name}`;
      return `write ${name}: ${inlineText(edit.value, 'yaml')}`;
    case 'append':
      return `add ${inlineText(edit.value, 'yaml')} to ${name}`;
    case 'remove':
      return `remove ${name}`;
    case 'quote':
      return `put ${name} in quotes`;
  }
}

/** The field's name, with its indices if it is an item of a list. The name of a resource or label has its map, too. */
function nameOf(path: FieldPath): string {
  const last = path.map((step) => typeof step === 'string').lastIndexOf(true);
  const isQuoted = /[./]/.test(String(path[last]));
  return formatFieldPath(path.slice(Math.max(0, isQuoted ? last - 1 : last)));
}

/** A new object, to be written after an object of the same file. */
export interface AddedObject {
  readonly after: ManifestObject;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Undefined if the file is generated, has another notation than YAML, or if the object is one of a list. */
export function additionOf({ after: { source }, object }: AddedObject): Fix | undefined {
  if (source === undefined || source.path.length > 0) return undefined;
  const { file, range } = source;
  const text = file.text.slice(...range);
  const { notation, lineEnd } = new DocumentText(text, null);
  const lines = blockLines(object);
  if (notation !== 'yaml' || lines === undefined || /^\.\.\./m.test(text)) return undefined;
  const isLineStart = range[1] === 0 || file.text[range[1] - 1] === '\n';
  const added = `${isLineStart ? '' : lineEnd}${['---', ...lines].join(lineEnd)}${lineEnd}`;
  const { kind, metadata } = object as { kind?: unknown; metadata?: { name?: unknown } };
  return {
    title: `add ${valueText(kind)} ${valueText(metadata?.name)}`,
    file: file.path,
    safe: false,
    edits: [placed({ start: range[1] - range[0], end: range[1] - range[0], text: added }, source)],
  };
}
