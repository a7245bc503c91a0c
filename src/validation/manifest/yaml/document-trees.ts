import { Composer, CST, Document, Node, Parser } from 'yaml';
import { blockScalarBefore } from './block-scalar-end';
import { DocumentPart } from './document-parts';
import { DocumentProblem, PositionCache, PositionedDocument, ReadDocuments } from './source-document';
import { TreePositions } from './tree-positions';
import { DocumentError, MAX_NESTING, PlainValueReader } from './tree-values';

/** The remedy for all documents of a Helm template, which is no YAML. */
export const HELM_TEMPLATE =
  'this looks like a Helm template; render it first: `helm template <chart> | karpenter-constructs check -`';

/** One document with its syntax tree, for code that changes documents. */
export interface DocumentTree {
  readonly root: Node | null;
  readonly value: unknown;
  /** Offset of the first character, and offset after the last one. */
  readonly range: readonly [number, number];
}

/** Reads documents that use any feature of YAML. A document with errors is left out and reported. */
export function readWithTrees(part: DocumentPart, cache = new PositionCache()): ReadDocuments {
  const problems: DocumentProblem[] = [];
  const documents = Array.from(readTrees(part.text, problems), (tree) => positioned(part, tree, cache));
  return { documents, problems };
}

function positioned(
  { text, start }: DocumentPart,
  { root, value, range: [from, to] }: DocumentTree,
  cache: PositionCache,
): PositionedDocument {
  const parsePositions = () => new TreePositions(rootOf(text.slice(from, to)), from);
  return new PositionedDocument(
    value,
    start,
    [start + from, start + to],
    cache,
    new TreePositions(root, 0),
    parsePositions,
  );
}

/**
 * The syntax trees of a text, one at a time, so that only one has to be in memory. Documents with errors are added to
 * the problems.
 */
export function* readTrees(text: string, problems: DocumentProblem[]): Generator<DocumentTree> {
  try {
    for (const document of compose(text, problems)) {
      const tree = readTree(text, document, problems);
      if (tree) yield tree;
    }
  } catch (error) {
    problems.push(problemOf(error, text));
  }
}

/** The root of a text with one document, which has been read without errors before. */
function rootOf(text: string): Node | null {
  const [document] = compose(text, []);
  return document.contents as Node | null;
}

function* compose(text: string, problems: DocumentProblem[]): Generator<Document.Parsed> {
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' });
  for (const token of new Parser().parse(text)) {
    const tooDeep = token.type === 'document' ? firstTooDeep(token.value) : undefined;
    if (tooDeep) problems.push(problemOf(new DocumentError(tooDeep.offset, TOO_DEEP, 'flatten the document'), text));
    else yield* withoutStackTraces(() => [...composer.next(token)]);
  }
  yield* withoutStackTraces(() => [...composer.end()]);
}

/** A text may have thousands of errors. Each would take the time of a stack trace, which nobody reads. */
function withoutStackTraces<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 0;
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const TOO_DEEP = `values are nested more than ${MAX_NESTING} levels deep`;

/**
 * The composer recurses once for each nesting level. Catching its stack overflow is not enough: V8 ends the process if
 * it has to compile a regular expression with little stack left.
 */
function firstTooDeep(token: CST.Token | null | undefined, depth = 0): CST.Token | undefined {
  if (!token || !('items' in token)) return undefined;
  if (depth > MAX_NESTING) return token;
  for (const { key, value } of token.items) {
    const tooDeep = firstTooDeep(key, depth + 1) ?? firstTooDeep(value, depth + 1);
    if (tooDeep) return tooDeep;
  }
  return undefined;
}

function readTree(text: string, document: Document.Parsed, problems: DocumentProblem[]): DocumentTree | undefined {
  const [error] = document.errors;
  if (error) {
    problems.push({ kind: 'unreadable', offset: error.pos[0], ...syntaxError(text, error) });
    return undefined;
  }
  const reader = new PlainValueReader();
  try {
    const root = document.contents as Node | null;
    const value = reader.read(root);
    problems.push(...reader.problems);
    return { root, value, range: [document.range[0], document.range[2]] };
  } catch (cause) {
    problems.push(problemOf(cause, text));
    return undefined;
  }
}

function problemOf(error: unknown, text: string): DocumentProblem {
  if (!(error instanceof DocumentError)) throw error;
  const remedy = text.includes('{{') ? syntaxRemedy(text) : error.remedy;
  return { kind: 'unreadable', offset: error.offset, message: error.message, remedy };
}

function syntaxError(
  text: string,
  { message, pos: [offset] }: Document.Parsed['errors'][number],
): Pick<DocumentProblem, 'message' | 'remedy'> {
  const header = blockScalarBefore(text, offset);
  if (header === undefined) return { message: `invalid YAML: ${plainMessage(message)}`, remedy: syntaxRemedy(text) };
  return {
    message: `invalid YAML: the block scalar of line ${header} ends here, because this line is less indented than its first line`,
    remedy: 'indent this line, and the others of the text, like the first line of the block scalar',
  };
}

function syntaxRemedy(text: string): string {
  if (text.includes('{{')) return HELM_TEMPLATE;
  return 'fix the syntax: indent with spaces, and quote strings that contain ": " or " #"';
}

/** The parser's messages have a code frame after the first line. */
function plainMessage(message: string): string {
  const first = message.split('\n')[0].replace(/ at line \d+, column \d+:?$/, '');
  return first.charAt(0).toLowerCase() + first.slice(1);
}
