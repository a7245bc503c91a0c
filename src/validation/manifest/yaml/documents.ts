import { moreText } from '../../../model';
import { partsOf } from './document-parts';
import { HELM_TEMPLATE, readWithTrees } from './document-trees';
import { readWithEvents } from './event-documents';
import { DocumentProblem, PositionCache, ReadDocuments, SourceDocument } from './source-document';
import { SourceText } from '../source/source-text';

/** Only a marker, blank lines and comments: parsing a document costs as much as reading a hundred such lines. */
const EMPTY_DOCUMENT = /^(?:---(?=[ \r\n]|$))?(?: *(?:#[^\r\n]*)?\r?\n)* *(?:#[^\r\n]*)?$/;

/** Reads all documents of a file. A document with errors is left out and reported; the other documents are read. */
export function readDocuments({ text }: SourceText, cache = new PositionCache()): ReadDocuments {
  const documents: SourceDocument[] = [];
  const problems: DocumentProblem[] = [];
  for (const part of partsOf(text)) {
    if (EMPTY_DOCUMENT.test(part.text)) continue;
    const read = readWithEvents(part, cache) ?? readWithTrees(part, cache);
    for (const document of read.documents) if (document.value !== null) documents.push(document);
    for (const problem of read.problems) problems.push({ ...problem, offset: part.start + problem.offset });
  }
  return { documents, problems: oneForHelmTemplate(problems) };
}

/** Rendering the template mends all of its documents, so the first problem stands for all. */
function oneForHelmTemplate(problems: readonly DocumentProblem[]): DocumentProblem[] {
  const [first, ...others] = problems.filter(({ remedy }) => remedy === HELM_TEMPLATE);
  if (others.length === 0) return [...problems];
  const message = `${first.message} (${moreText(others.length, 'document')} of the file cannot be read)`;
  return problems.flatMap((problem) =>
    problem === first ? [{ ...problem, message }] : others.includes(problem) ? [] : [problem],
  );
}
