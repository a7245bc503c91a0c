import { DocumentPart, partsOf } from './document-parts';
import { readWithTrees } from './document-trees';
import { readWithEvents } from './event-documents';
import { DocumentProblem, PositionCache, ReadDocuments, SourceDocument } from './source-document';
import { countText } from '../../../model';
import { maskedText } from '../placeholders/mask';
import { fillerOf, fillInRemedy, firstDirective } from '../placeholders/placeholder';
import { SourceText } from '../source/source-text';

/** Only a marker, blank lines and comments: parsing a document costs as much as reading a hundred such lines. */
const EMPTY_DOCUMENT = /^(?:---(?=[ \r\n]|$))?(?: *(?:#[^\r\n]*)?\r?\n)* *(?:#[^\r\n]*)?$/;

/**
 * Reads all documents of a file. A document with errors is left out and reported; the other documents are read. A file
 * that is a template is reported once, because rendering it mends all of its documents.
 */
export function readDocuments({ path, text }: SourceText, cache = new PositionCache()): ReadDocuments {
  const documents: SourceDocument[] = [];
  const problems: DocumentProblem[] = [];
  const unrendered: DocumentProblem[] = [];
  for (const part of partsOf(text)) {
    if (EMPTY_DOCUMENT.test(part.text)) continue;
    const read = readPart(part, cache);
    for (const document of read.documents) if (document.value !== null) documents.push(document);
    for (const problem of read.problems) {
      const placed = { ...problem, offset: part.start + problem.offset };
      const template = problem.kind === 'unreadable' ? templateProblem(placed, { path, text }) : undefined;
      if (template) unrendered.push(template);
      else problems.push(placed);
    }
  }
  return { documents, problems: [...problems, ...onlyOne(unrendered)].sort((a, b) => a.offset - b.offset) };
}

/** Reads a text that is no YAML again, with its placeholders masked. */
function readPart(part: DocumentPart, cache: PositionCache): ReadDocuments {
  const read = readWithEvents(part, cache) ?? readWithTrees(part, cache);
  if (!read.problems.some(({ kind }) => kind === 'unreadable') || firstDirective(part.text)) return read;
  const masked = maskedText(part.text);
  if (!masked) return read;
  const again = readWithTrees({ ...part, text: masked.text }, cache);
  // Then the mistake is beside the placeholders.
  if (again.problems.some(({ kind }) => kind === 'unreadable')) return { ...read, problems: again.problems };
  return {
    ...again,
    documents: again.documents.map((document) => ({
      value: masked.restored(document.value),
      range: document.range,
      isMasked: true,
      offsetOf: (path) => document.offsetOf(path),
    })),
  };
}

/**
 * What to say instead of a syntax error; undefined if the text is no template. A placeholder somewhere else in the text
 * does not explain the error: values of programs may have `${…}`, too.
 */
function templateProblem(
  problem: DocumentProblem,
  { path, text }: Pick<SourceText, 'path' | 'text'>,
): DocumentProblem | undefined {
  const found = firstDirective(text);
  const isNamedTemplate = TEMPLATE_NAME.test(path);
  const directive =
    found?.directive ??
    (isNamedTemplate ? text : linesBefore(text, problem.offset)).match(/\{\{[^\n]*|\$\{[^\n]*/)?.[0].trim();
  const filledInBy = directive === undefined ? undefined : fillerOf(directive, path);
  if (directive === undefined || filledInBy === undefined) return undefined;
  const reason = `the file is a template of ${filledInBy}, and no YAML before it is rendered`;
  return {
    ...problem,
    offset: found?.offset ?? problem.offset,
    message: `${reason}: ${shortened(directive)}`,
    remedy: fillInRemedy(filledInBy),
    isTemplate: true,
  };
}

const TEMPLATE_NAME = /\.(?:tf|tpl|tftpl|tmpl|gotmpl|j2|jinja2?)$/;

/** The line of an offset, and the one before it, at whose end a parser may notice the mistake. */
function linesBefore(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const begin = text.lastIndexOf('\n', offset - 1);
  return text.slice(text.lastIndexOf('\n', begin - 1) + 1, end < 0 ? text.length : end);
}

const MOST_CHARACTERS = 60;

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function onlyOne([first, ...others]: readonly DocumentProblem[]): DocumentProblem[] {
  if (first === undefined) return [];
  if (others.length === 0) return [first];
  const more = countText(others.length, 'more document');
  return [{ ...first, message: `${first.message} (${more} of the file cannot be read)` }];
}
