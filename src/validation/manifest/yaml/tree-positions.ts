import { isAlias, isMap, isScalar, isSeq, Node, Pair } from 'yaml';
import { FieldPositions } from './source-document';
import { isMergeKey, keyText, startOf } from './tree-values';
import { FieldPath } from '../model';

/** Positions in the syntax tree of a document; a path may lead through aliases. */
export class TreePositions implements FieldPositions {
  private readonly anchors: Anchors;

  /** @param start - added to the offsets of the tree */
  public constructor(
    private readonly root: Node | null,
    private readonly start: number,
  ) {
    this.anchors = anchorsOf(root);
  }

  public offsetOf(path: FieldPath): number {
    let node = this.root;
    let offset = startOf(node);
    for (const step of path) {
      const child = childOf(resolved(node, this.anchors), step, this.anchors);
      if (!child) break;
      offset = child.offset;
      node = child.node;
    }
    return this.start + offset;
  }
}

type Anchors = ReadonlyMap<string, Node>;

/** If an anchor is set twice, its last node is used: that is good enough for a position. */
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

/** For a field, the offset is that of its key. */
interface ChildNode {
  readonly offset: number;
  readonly node: Node | null;
}

function childOf(node: Node | null, step: string | number, anchors: Anchors): ChildNode | undefined {
  if (isSeq(node)) {
    const item = typeof step === 'number' ? (node.items[step] as Node | undefined) : undefined;
    return item && { offset: startOf(item), node: item };
  }
  if (!isMap(node)) return undefined;
  const pairs = node.items as Pair<Node | null, Node | null>[];
  // If a key is written several times, the last one wins, as in the value.
  for (let i = pairs.length - 1; i >= 0; i -= 1) {
    const key = resolved(pairs[i].key, anchors);
    if (isScalar(key) && keyText(key) === step) return { offset: startOf(pairs[i].key), node: pairs[i].value };
  }
  return mergedChildOf(pairs, step, anchors);
}

function mergedChildOf(
  pairs: readonly Pair<Node | null, Node | null>[],
  step: string | number,
  anchors: Anchors,
): ChildNode | undefined {
  for (const pair of pairs.filter(({ key }) => isMergeKey(key))) {
    const merged = resolved(pair.value, anchors);
    for (const source of isSeq(merged) ? (merged.items as Node[]) : [merged]) {
      const child = childOf(resolved(source, anchors), step, anchors);
      if (child) return child;
    }
  }
  return undefined;
}

function resolved(node: Node | null, anchors: Anchors): Node | null {
  return isAlias(node) ? (anchors.get(node.source) ?? null) : node;
}
