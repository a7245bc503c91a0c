import { DocumentTree, readTrees, rootOf } from './document-trees';
import { FieldPath } from './model';
import { DocumentProblem } from './plain-value';
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
  const documents: SourceDocument[] = [];
  const problems: DocumentProblem[] = [];
  for (const tree of readTrees(source, problems)) if (tree.value !== null) documents.push(new ReparsedDocument(source.text, tree));
  return { documents, problems };
}

const TREES = new TreeCache();

/** Has its syntax tree for a while; where it is wanted later, the one document is parsed again. */
class ReparsedDocument implements SourceDocument {
  public readonly value: unknown;
  private readonly start: number;
  private readonly end: number;

  public constructor(private readonly text: string, { root, value, range: [start, end] }: DocumentTree) {
    this.value = value;
    this.start = start;
    this.end = end;
    TREES.add(this, end - start, treeOf(root, 0));
  }

  public offsetOf(path: FieldPath): number {
    return treeOffset(TREES.get(this) ?? this.parsedAgain(), path);
  }

  private parsedAgain(): Tree {
    return TREES.add(this, this.end - this.start, treeOf(rootOf(this.text.slice(this.start, this.end)), this.start));
  }
}
