import { Composer, Document, isAlias, isMap, isScalar, isSeq, Node, Pair, Parser } from 'yaml';
import { FieldPath } from './model';
import { DocumentError, DocumentProblem, isMergeKey, PlainValueReader, startOf } from './plain-value';
import { SourceText } from './source-text';
import { Tree, TreeCache } from './tree-cache';

/** One document of a file: its plain value, and where each field of it is written. */
export interface SourceDocument {
  readonly value: unknown;
  /** Offset in the file. */
  readonly start: number;
  /** Offset of a field, or of its nearest existing ancestor. */
  offsetOf(path: FieldPath): number;
}

export interface ReadDocuments {
  readonly documents: readonly SourceDocument[];
  readonly problems: readonly DocumentProblem[];
}

/** Reads all documents of a file. A document with errors is left out, and the others are read all the same. */
export function readDocuments(source: SourceText): ReadDocuments {
  const documents: SourceDocument[] = [];
  const problems: DocumentProblem[] = [];
  for (const { value, root, range: [start, end] } of readTrees(source, problems)) {
    if (value !== null) documents.push(new ReparsedDocument(source.text, start, end, value, root));
  }
  return { documents, problems };
}

/** One document with its syntax tree, for whoever changes documents. */
export interface DocumentTree {
  readonly root: Node | null;
  readonly value: unknown;
  /** Offsets in the file: the first character, and the one behind the last. */
  readonly range: readonly [number, number];
}

/** The trees of a file one by one, so that no more than one of them need be kept. What cannot be read is added to the problems. */
export function* readTrees(source: SourceText, problems: DocumentProblem[]): Generator<DocumentTree> {
  try {
    for (const document of compose(source.text)) {
      const tree = readTree(source, document, problems);
      if (tree) yield tree;
    }
  } catch (error) {
    problems.push(problemOf(error, source.text));
  }
}

function compose(text: string): Iterable<Document.Parsed> {
  return new Composer({ uniqueKeys: false, logLevel: 'silent' }).compose(new Parser().parse(text));
}

function readTree(source: SourceText, document: Document.Parsed, problems: DocumentProblem[]): DocumentTree | undefined {
  const [error] = document.errors;
  if (error) {
    problems.push({ kind: 'unreadable', offset: error.pos[0], message: `not YAML: ${plainMessage(error.message)}`, remedy: syntaxRemedy(source.text) });
    return undefined;
  }
  const reader = new PlainValueReader();
  try {
    const root = document.contents as Node | null;
    const value = reader.read(root);
    problems.push(...reader.problems);
    return { root, value, range: [document.range[0], document.range[2]] };
  } catch (cause) {
    problems.push(problemOf(cause, source.text));
    return undefined;
  }
}

const TREES = new TreeCache();

/** Has its syntax tree for a while; where it is wanted later, the one document is parsed again. */
class ReparsedDocument implements SourceDocument {
  public constructor(
    private readonly text: string, public readonly start: number, private readonly end: number, public readonly value: unknown, root: Node | null,
  ) {
    TREES.add(this, end - start, root, 0);
  }

  public offsetOf(path: FieldPath): number {
    const { root, start, anchors } = TREES.get(this) ?? this.parsedAgain();
    let node = root;
    let offset = startOf(root);
    for (const step of path) {
      const found = child(resolved(node, anchors), step, anchors);
      if (!found) break;
      offset = found.offset;
      node = found.node;
    }
    return start + offset;
  }

  private parsedAgain(): Tree {
    const [document] = compose(this.text.slice(this.start, this.end));
    return TREES.add(this, this.end - this.start, document.contents as Node | null, this.start);
  }
}

interface Found { readonly offset: number; readonly node: Node | null }

function child(node: Node | null, step: string | number, anchors: Tree['anchors']): Found | undefined {
  if (isSeq(node)) {
    const item = typeof step === 'number' ? node.items[step] as Node | undefined : undefined;
    return item && { offset: startOf(item), node: item };
  }
  if (!isMap(node)) return undefined;
  const pairs = node.items as Pair<Node | null, Node | null>[];
  // The last one of several wins, as in the value.
  for (let i = pairs.length - 1; i >= 0; i -= 1) {
    const key = resolved(pairs[i].key, anchors);
    if (isScalar(key) && (key.value === step || key.source === step)) return { offset: startOf(pairs[i].key), node: pairs[i].value };
  }
  return childOfMerged(pairs, step, anchors);
}

function childOfMerged(pairs: readonly Pair<Node | null, Node | null>[], step: string | number, anchors: Tree['anchors']): Found | undefined {
  for (const pair of pairs.filter((p) => isMergeKey(p.key))) {
    const merged = resolved(pair.value, anchors);
    for (const source of isSeq(merged) ? merged.items as Node[] : [merged]) {
      const found = child(resolved(source, anchors), step, anchors);
      if (found) return found;
    }
  }
  return undefined;
}

function resolved(node: Node | null, anchors: Tree['anchors']): Node | null {
  return isAlias(node) ? anchors.get(node.source) ?? null : node;
}

function problemOf(error: unknown, text: string): DocumentProblem {
  if (error instanceof DocumentError) return { kind: 'unreadable', offset: error.offset, message: error.message, remedy: remedyFor(error, text) };
  // The parser descends once a nesting level, so that only absurd nesting can exhaust the stack.
  if (error instanceof RangeError) return { kind: 'unreadable', offset: 0, message: 'values are nested too deep to be read', remedy: 'flatten the document' };
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
  if (first.startsWith('Maximum call stack size exceeded')) return 'values are nested too deep to be read';
  return first.charAt(0).toLowerCase() + first.slice(1);
}
