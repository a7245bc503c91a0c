import { SourceText } from './source-text';
import { asRecord, formatFieldPath } from '../../../contract';
import { FieldPath, ListPatch, ReplacedList } from '../model';
import { readDocuments } from '../yaml/documents';

/** The patch as an object whose places are those of its file, or of the field of the kustomization that has it. */
export function listPatchOf(list: ReplacedList): ListPatch {
  const { file, inline, apiVersion, kind, name } = list;
  const source = new SourceText(file);
  const { documents } = readDocuments(source);
  const document = documents.find(({ value }) => inline !== undefined || isPatchOf(value, list)) ?? documents[0];
  const locate = (path: FieldPath) => ({
    file: source.path,
    ...source.position(document?.offsetOf(inline ?? path) ?? 0),
    path: formatFieldPath(path),
  });
  const raw = inline === undefined ? (asRecord(document?.value) ?? {}) : {};
  return { object: { apiVersion, kind, name, raw, locate }, list };
}

/** With a target, the name in the patch may be any. */
function isPatchOf(value: unknown, { path, after }: ReplacedList): boolean {
  const written = path.reduce<unknown>((inner, step) => asRecord(inner)?.[step], value);
  return JSON.stringify(written) === JSON.stringify(after);
}
