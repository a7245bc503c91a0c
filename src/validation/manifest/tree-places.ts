import { isAlias, isMap, isScalar, isSeq, Node, Pair } from 'yaml';
import { FieldPath } from './model';
import { Places } from './places-cache';
import { isMergeKey, keyText, startOf } from './plain-value';

/** The places in the syntax tree of a document, and in what its aliases stand for. */
export class TreePlaces implements Places {
  private readonly anchors: Anchors;

  /** @param start - where the offsets of the tree start */
  public constructor(private readonly root: Node | null, private readonly start: number) {
    this.anchors = anchorsOf(root);
  }

  public offsetOf(path: FieldPath): number {
    let node = this.root;
    let offset = startOf(node);
    for (const step of path) {
      const found = child(resolved(node, this.anchors), step, this.anchors);
      if (!found) break;
      offset = found.offset;
      node = found.node;
    }
    return this.start + offset;
  }
}

type Anchors = ReadonlyMap<string, Node>;

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

interface Found { readonly offset: number; readonly node: Node | null }

function child(node: Node | null, step: string | number, anchors: Anchors): Found | undefined {
  if (isSeq(node)) {
    const item = typeof step === 'number' ? node.items[step] as Node | undefined : undefined;
    return item && { offset: startOf(item), node: item };
  }
  if (!isMap(node)) return undefined;
  const pairs = node.items as Pair<Node | null, Node | null>[];
  // The last one of several wins, as in the value.
  for (let i = pairs.length - 1; i >= 0; i -= 1) {
    const key = resolved(pairs[i].key, anchors);
    if (isScalar(key) && keyText(key) === step) return { offset: startOf(pairs[i].key), node: pairs[i].value };
  }
  return childOfMerged(pairs, step, anchors);
}

function childOfMerged(pairs: readonly Pair<Node | null, Node | null>[], step: string | number, anchors: Anchors): Found | undefined {
  for (const pair of pairs.filter((p) => isMergeKey(p.key))) {
    const merged = resolved(pair.value, anchors);
    for (const source of isSeq(merged) ? merged.items as Node[] : [merged]) {
      const found = child(resolved(source, anchors), step, anchors);
      if (found) return found;
    }
  }
  return undefined;
}

function resolved(node: Node | null, anchors: Anchors): Node | null {
  return isAlias(node) ? anchors.get(node.source) ?? null : node;
}
