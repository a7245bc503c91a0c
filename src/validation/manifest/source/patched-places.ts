import { listPatchOf } from './list-patch';
import { findUnreadable, SourceText } from './source-text';
import { asRecord, FieldPath, formatFieldPath } from '../../../contract';
import { valueText } from '../../../model';
import { ManifestObject, PatchedField, ReplacedList, SourceFile, SourceLocation } from '../model';
import { PlainRecord } from '../records';
import { readDocuments } from '../yaml/documents';
import { SourceDocument } from '../yaml/source-document';

/**
 * Where a patch of the kustomization writes the value that an object has after the build. Undefined if the file of the
 * object writes it: an edit there has no effect if the patch replaces it.
 *
 * @param built the object after the build
 */
export function patchedPlace(
  { raw }: Pick<ManifestObject, 'raw'>,
  built: PlainRecord,
  path: FieldPath,
  patches: readonly SourceFile[],
): SourceLocation | undefined {
  const changed = changedPart(raw, built, path);
  if (changed === undefined) return undefined;
  const value = JSON.stringify(valueAt(built, changed));
  for (const file of patches) {
    if (findUnreadable(file)) continue;
    const source = new SourceText(file);
    const document = readDocuments(source).documents.find(
      (patch) =>
        isFor(patch, raw) && JSON.stringify(valueAt(patch.value, pathIn(patch.value, built, changed))) === value,
    );
    if (document !== undefined) {
      const place = pathIn(document.value, built, path);
      return { file: file.path, ...source.position(document.offsetOf(place)), path: formatFieldPath(path) };
    }
  }
  return undefined;
}

/**
 * Where the last patch that replaces a whole list writes a field in it, or leaves it out: the list of the base has no
 * effect. Undefined if a later change makes another list of it.
 *
 * @param built the object after the build
 */
export function replacedPlace(
  { raw }: Pick<ManifestObject, 'raw'>,
  built: PlainRecord,
  path: FieldPath,
  lists: readonly ReplacedList[],
): SourceLocation | undefined {
  const names = [raw, built].map(({ metadata }) => asRecord(metadata)?.name);
  const list = lists
    .filter(({ kind, name, path: listPath }) => {
      return kind === raw.kind && names.includes(name) && listPath.every((step, depth) => step === path[depth]);
    })
    .at(-1);
  if (list === undefined || !isListAt(built, list)) return undefined;
  const { object } = listPatchOf(list);
  return list.inline !== undefined || isListAt(object.raw, list) ? object.locate(path) : undefined;
}

/**
 * Where the last JSON patch writes a field. Undefined if none does, or if the value is another one after the build,
 * as it is when a later patch moves the entries of a list.
 */
export function writtenPlace(
  { raw }: Pick<ManifestObject, 'raw'>,
  built: PlainRecord,
  path: FieldPath,
  fields: readonly PatchedField[],
): SourceLocation | undefined {
  const names = [raw, built].map(({ metadata }) => asRecord(metadata)?.name);
  const field = fields
    .filter(
      (one) =>
        one.kind === raw.kind &&
        names.includes(one.name) &&
        one.path.length > 0 &&
        one.path.every((step, depth) => step === String(path[depth])) &&
        JSON.stringify(valueAt(built, path.slice(0, one.path.length))) === JSON.stringify(one.value),
    )
    .at(-1);
  if (field === undefined) return undefined;
  const source = new SourceText(field.file);
  const [document] = readDocuments(source).documents;
  const place = field.inline ?? [field.operation, 'value', ...path.slice(field.path.length)];
  const offset = document?.offsetOf(place) ?? 0;
  const inline = field.inline && document && valueAt(document.value, field.inline);
  const at =
    typeof inline === 'string' ? offsetInText(source.text, offset, inline, path, valueAt(built, path)) : offset;
  return { file: source.path, ...source.position(at), path: formatFieldPath(path) };
}

/** Where the text of a patch in a kustomization writes a value: at the line with the value and its key, if any. */
function offsetInText(text: string, start: number, patch: string, path: FieldPath, value: unknown): number {
  const key = [...path].reverse().find((step) => typeof step === 'string') ?? '';
  const end = start + 2 * patch.length + 200;
  const lines = text.slice(start, end).split('\n');
  const hasValue = (line: string) => line.includes(typeof value === 'object' ? `${key}` : valueText(value));
  const found = [lines.findIndex((line) => hasValue(line) && line.includes(`${key}`)), lines.findIndex(hasValue)].find(
    (index) => index > 0,
  );
  if (found === undefined) return start;
  const before = lines.slice(0, found).reduce((sum, line) => sum + line.length + 1, 0);
  return start + before + lines[found].search(/\S/);
}

function isListAt(value: unknown, { path, after }: ReplacedList): boolean {
  return JSON.stringify(valueAt(value, path)) === JSON.stringify(after);
}

/** The first part of a path whose value the build has added or replaced; undefined if it is as written. */
function changedPart(raw: unknown, built: unknown, path: FieldPath): FieldPath | undefined {
  for (let length = 1; length <= path.length; length++) {
    const part = path.slice(0, length);
    const [before, after] = [valueAt(raw, pathIn(raw, built, part)), valueAt(built, part)];
    if (after === undefined) return undefined;
    const isInner = typeof before === 'object' && typeof after === 'object' && length < path.length;
    if (!isInner && JSON.stringify(before) !== JSON.stringify(after)) return part;
  }
  return undefined;
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof step === 'number' ? (inner as unknown[] | undefined)?.[step] : asRecord(inner)?.[step]),
    value,
  );
}

/** The path of a field of a built object in the object that it is built from: entries of lists keep their names. */
export function pathIn(other: unknown, built: unknown, path: FieldPath): FieldPath {
  return path.map((step, depth) => {
    const [list, entry] = [valueAt(built, path.slice(0, depth)), valueAt(built, path.slice(0, depth + 1))];
    const name = asRecord(entry)?.name;
    if (typeof step !== 'number' || name === undefined || !Array.isArray(list)) return step;
    const entries = valueAt(other, pathIn(other, built, path.slice(0, depth)));
    const index = Array.isArray(entries) ? entries.findIndex((one) => asRecord(one)?.name === name) : -1;
    return index < 0 ? step : index;
  });
}

/** A patch with a target may have another name. */
function isFor({ value }: SourceDocument, { kind }: PlainRecord): boolean {
  return asRecord(value)?.kind === kind;
}
