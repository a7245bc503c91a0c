import { Composer, CST, Document, Node, Parser } from 'yaml';
import { DocumentProblem } from './document-problem';
import { DEEPEST_NESTING, DocumentError, PlainValueReader } from './plain-value';

/** One document with its syntax tree, for whoever changes documents. */
export interface DocumentTree {
  readonly root: Node | null;
  readonly value: unknown;
  /** Offsets: the first character, and the one behind the last. */
  readonly range: readonly [number, number];
}

/** The trees of a text, one by one, so that no more than one of them need be kept. What cannot be read is added to the problems. */
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

/** The root of the only document in a text that has been read before. */
export function rootOf(text: string): Node | null {
  const [document] = compose(text, []);
  return document.contents as Node | null;
}

function* compose(text: string, problems: DocumentProblem[]): Generator<Document.Parsed> {
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' });
  for (const token of new Parser().parse(text)) {
    const tooDeep = token.type === 'document' ? firstTooDeep(token.value) : undefined;
    if (tooDeep) problems.push(problemOf(new DocumentError(tooDeep.offset, TOO_DEEP, 'flatten the document'), text));
    else yield* composer.next(token);
  }
  yield* composer.end();
}

const TOO_DEEP = 'values are nested too deep to be read';

/**
 * The composer descends once a nesting level. To let it run out of stack and catch that is not enough: V8 ends the process where it has to
 * compile a regular expression with little of the stack left.
 */
function firstTooDeep(token: CST.Token | null | undefined, depth = 0): CST.Token | undefined {
  if (!token || !('items' in token)) return undefined;
  if (depth > DEEPEST_NESTING) return token;
  for (const { key, value } of token.items) {
    const found = firstTooDeep(key, depth + 1) ?? firstTooDeep(value, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function readTree(text: string, document: Document.Parsed, problems: DocumentProblem[]): DocumentTree | undefined {
  const [error] = document.errors;
  if (error) {
    problems.push({ kind: 'unreadable', offset: error.pos[0], message: `not YAML: ${plainMessage(error.message)}`, remedy: syntaxRemedy(text) });
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
  if (error instanceof DocumentError) return { kind: 'unreadable', offset: error.offset, message: error.message, remedy: remedyFor(error, text) };
  throw error;
}

function remedyFor(error: DocumentError, text: string): string {
  return text.includes('{{') ? syntaxRemedy(text) : error.remedy;
}

function syntaxRemedy(text: string): string {
  if (text.includes('{{')) return 'this looks like a Helm template: render it first, as in `helm template <chart> | karpenter-constructs check -`';
  return 'correct the syntax there: indentation is spaces, and texts with ": " or " #" in them are quoted';
}

/** The parser's messages carry a code frame after the first line. */
function plainMessage(message: string): string {
  const first = message.split('\n')[0].replace(/ at line \d+, column \d+:?$/, '');
  return first.charAt(0).toLowerCase() + first.slice(1);
}
