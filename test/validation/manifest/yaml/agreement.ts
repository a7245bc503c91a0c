import { isDeepStrictEqual } from 'util';
import { readWithTrees } from '../../../../src/validation/manifest/yaml/document-trees';
import { readWithEvents } from '../../../../src/validation/manifest/yaml/event-documents';
import { ReadDocuments, SourceDocument } from '../../../../src/validation/manifest/yaml/source-document';

/** `left` if only the tree reader reads the text, `same` if both readers agree, or a description of the difference. */
export function agreement(text: string): string {
  const read = readWithEvents({ text, start: 0 });
  if (!read) return 'left';
  const expected = readWithTrees({ text, start: 0 });
  const unreadable = expected.problems.find(({ kind }) => kind === 'unreadable');
  if (unreadable) return `unreadable: ${unreadable.message}`;
  if (!isDeepStrictEqual(read.problems, expected.problems)) return `problems: ${JSON.stringify(read.problems)}`;
  return differentDocument(withValue(read), withValue(expected)) ?? 'same';
}

function withValue({ documents }: ReadDocuments): SourceDocument[] {
  return documents.filter(({ value }) => value !== null);
}

function differentDocument(
  documents: readonly SourceDocument[],
  expected: readonly SourceDocument[],
): string | undefined {
  if (documents.length !== expected.length) return `${documents.length} documents, not ${expected.length}`;
  for (const [index, document] of documents.entries()) {
    // Also distinguishes -0 from 0, and compares prototypes.
    if (!isDeepStrictEqual(document.value, expected[index].value))
      return `value: ${JSON.stringify(document.value)}, not ${JSON.stringify(expected[index].value)}`;
    for (const path of pathsIn(document.value)) {
      const [offset, expectedOffset] = [document, expected[index]].map((candidate) => candidate.offsetOf(path));
      if (offset !== expectedOffset) return `offset of ${JSON.stringify(path)}: ${offset}, not ${expectedOffset}`;
    }
  }
  return undefined;
}

function* pathsIn(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  yield [...path, 'missing'];
  for (const [key, part] of Object.entries(value))
    yield* pathsIn(part, [...path, Array.isArray(value) ? Number(key) : key]);
}
