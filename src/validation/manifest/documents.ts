import { DocumentPart, documentParts } from './document-parts';
import { DocumentTree, readTrees, rootOf } from './document-trees';
import { FieldPath } from './model';
import { DocumentProblem } from './plain-value';
import { readSimple } from './simple-block';
import { SimpleNode, simpleOffset } from './simple-node';
import { SourceText } from './source-text';
import { TreeCache } from './tree-cache';
import { Tree, treeOf, treeOffset } from './tree-places';

/** One document of a file: its plain value, and where each field of it is written. */
export interface SourceDocument {
  readonly value: unknown;
  /** Offset in the file of a field, or of its nearest existing ancestor. */
  offsetOf(path: FieldPath): number;
}

export interface ReadDocuments {
  readonly documents: readonly SourceDocument[];
  readonly problems: readonly DocumentProblem[];
}

/** Reads all documents of a file. A document with errors is left out, and the others are read all the same. */
export function readDocuments(source: SourceText): ReadDocuments {
  const read = new FileReading(source);
  for (const part of documentParts(source.text)) {
    read.add(part);
    // What the library says of an error depends on the documents around it.
    if (read.isBroken) return readWhole(source);
  }
  return read;
}

function readWhole(source: SourceText): ReadDocuments {
  const read = new FileReading(source);
  read.addByLibrary(0, source.text.length);
  return read;
}

class FileReading implements ReadDocuments {
  public readonly documents: SourceDocument[] = [];
  public readonly problems: DocumentProblem[] = [];
  public isBroken = false;

  public constructor(private readonly source: SourceText) {}

  public add(part: DocumentPart): void {
    const { text } = this.source;
    const simple = readSimple(text.slice(part.contentStart, part.end));
    if (simple === undefined) this.addByLibrary(part.start, part.end);
    else if (simple !== 'empty') this.documents.push(new SimpleDocument(text, part, simple));
  }

  public addByLibrary(start: number, end: number): void {
    const { text } = this.source;
    const problems: DocumentProblem[] = [];
    for (const tree of readTrees(this.source, problems, text.slice(start, end))) {
      if (tree.value !== null) this.documents.push(new ReparsedDocument(text, start, tree));
    }
    for (const problem of problems) {
      this.problems.push({ ...problem, offset: start + problem.offset });
      this.isBroken ||= problem.kind === 'unreadable';
    }
  }
}

const SIMPLE_TREES = new TreeCache<SimpleNode>();
const TREES = new TreeCache<Tree>();

/** Has its tree for a while, as the other. */
class SimpleDocument implements SourceDocument {
  public readonly value: unknown;

  public constructor(private readonly text: string, private readonly part: DocumentPart, root: SimpleNode) {
    this.value = root.value;
    this.keep(root);
  }

  public offsetOf(path: FieldPath): number {
    return this.part.contentStart + simpleOffset(SIMPLE_TREES.get(this) ?? this.parsedAgain(), path);
  }

  private parsedAgain(): SimpleNode {
    return this.keep(readSimple(this.text.slice(this.part.contentStart, this.part.end)) as SimpleNode);
  }

  private keep(root: SimpleNode): SimpleNode {
    return SIMPLE_TREES.add(this, this.part.end - this.part.start, root);
  }
}

/** Has its syntax tree for a while; where it is wanted later, the one document is parsed again. */
class ReparsedDocument implements SourceDocument {
  public readonly value: unknown;
  private readonly start: number;
  private readonly end: number;

  public constructor(private readonly text: string, partStart: number, { root, value, range }: DocumentTree) {
    this.value = value;
    [this.start, this.end] = range.map((offset) => partStart + offset);
    TREES.add(this, this.end - this.start, treeOf(root, partStart));
  }

  public offsetOf(path: FieldPath): number {
    return treeOffset(TREES.get(this) ?? this.parsedAgain(), path);
  }

  private parsedAgain(): Tree {
    return TREES.add(this, this.end - this.start, treeOf(rootOf(this.text.slice(this.start, this.end)), this.start));
  }
}
