import { partsOf } from './document-parts';
import { DocumentProblem } from './document-problem';
import { readByEvents } from './event-documents';
import { ReadDocuments, SourceDocument } from './placed-document';
import { SourceText } from './source-text';
import { readWithTrees } from './tree-documents';

/** Reads all documents of a file. A document with errors is left out, and the others are read all the same. */
export function readDocuments({ text }: SourceText): ReadDocuments {
  const documents: SourceDocument[] = [];
  const problems: DocumentProblem[] = [];
  for (const part of partsOf(text)) {
    const read = readByEvents(part) ?? readWithTrees(part);
    for (const document of read.documents) if (document.value !== null) documents.push(document);
    for (const problem of read.problems) problems.push({ ...problem, offset: part.start + problem.offset });
  }
  return { documents, problems };
}
