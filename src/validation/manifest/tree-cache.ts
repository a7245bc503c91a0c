import { isMap, isSeq, Node } from 'yaml';

/** The syntax tree of one document, and what its aliases stand for. */
export interface Tree {
  readonly root: Node | null;
  /** Where its offsets start in the file. */
  readonly start: number;
  readonly anchors: ReadonlyMap<string, Node>;
}

/** Text whose trees are kept: a tree is some fifty times its text. */
const MOST_CHARACTERS = 2 ** 18;

/** The latest trees, as many as small inputs have: positions are wanted for findings only, and few documents have any. */
export class TreeCache {
  private readonly trees = new Map<object, { readonly tree: Tree; readonly characters: number }>();
  private characters = 0;

  public add(document: object, characters: number, root: Node | null, start: number): Tree {
    const tree = { root, start, anchors: anchorsOf(root) };
    this.trees.set(document, { tree, characters });
    this.characters += characters;
    for (const [oldest, kept] of this.trees) {
      if (this.characters <= MOST_CHARACTERS || oldest === document) break;
      this.trees.delete(oldest);
      this.characters -= kept.characters;
    }
    return tree;
  }

  public get(document: object): Tree | undefined {
    return this.trees.get(document)?.tree;
  }
}

/** An anchor that is set twice points at its last place: good enough for a position. */
function anchorsOf(root: Node | null): Map<string, Node> {
  const anchors = new Map<string, Node>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop() as Node | null;
    if (node && 'anchor' in node && node.anchor && !anchors.has(node.anchor)) anchors.set(node.anchor, node);
    if (isSeq(node)) pending.push(...node.items);
    if (isMap(node)) for (const pair of node.items) pending.push(pair.key, pair.value);
  }
  return anchors;
}
