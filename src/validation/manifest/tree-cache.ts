import { Tree } from './tree-places';

/** Text whose trees are kept: a tree is some fifty times its text. */
const MOST_CHARACTERS = 2 ** 18;

/** The latest syntax trees, as many as small inputs have: positions are wanted for findings only, and few documents have any. */
export class TreeCache {
  private readonly trees = new Map<object, { readonly tree: Tree; readonly characters: number }>();
  private characters = 0;

  public add(document: object, characters: number, tree: Tree): Tree {
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
