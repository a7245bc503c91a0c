import { isDeepStrictEqual } from 'util';
import { readByEvents } from '../../../../src/validation/manifest/event-documents';
import { ReadDocuments, SourceDocument } from '../../../../src/validation/manifest/placed-document';
import { readWithTrees } from '../../../../src/validation/manifest/tree-documents';

/** `left` to the reader with trees, read the same by both, or what is different. */
export function agreement(text: string): string {
  const read = readByEvents({ text, start: 0 });
  if (!read) return 'left';
  const expected = readWithTrees({ text, start: 0 });
  const refused = expected.problems.find(({ kind }) => kind === 'unreadable');
  if (refused) return `refused: ${refused.message}`;
  if (!isDeepStrictEqual(read.problems, expected.problems)) return `problems: ${JSON.stringify(read.problems)}`;
  return differentDocument(withValue(read), withValue(expected)) ?? 'same';
}

function withValue({ documents }: ReadDocuments): SourceDocument[] {
  return documents.filter(({ value }) => value !== null);
}

function differentDocument(documents: readonly SourceDocument[], expected: readonly SourceDocument[]): string | undefined {
  if (documents.length !== expected.length) return `${documents.length} documents, not ${expected.length}`;
  for (const [at, document] of documents.entries()) {
    // Also tells -0 from 0, and looks at the prototypes.
    if (!isDeepStrictEqual(document.value, expected[at].value)) return `value: ${JSON.stringify(document.value)}, not ${JSON.stringify(expected[at].value)}`;
    for (const path of pathsIn(document.value)) {
      const [offset, wanted] = [document, expected[at]].map((each) => each.offsetOf(path));
      if (offset !== wanted) return `place of ${JSON.stringify(path)}: ${offset}, not ${wanted}`;
    }
  }
  return undefined;
}

function* pathsIn(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  yield [...path, 'not there'];
  for (const [key, part] of Object.entries(value)) yield* pathsIn(part, [...path, Array.isArray(value) ? Number(key) : key]);
}
