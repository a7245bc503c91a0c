import { isAlias, isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isAmbiguous, renderAsComment, SourceNumber } from './values';
import { valueText } from '../../model';
import { isMergeKey, keyText as keyInJson, scalarValue } from '../../validation';

/**
 * Copies a document into a normal form: without aliases, merge keys, nulls and duplicate keys. Of duplicate keys the
 * last one wins, as in the API server, and the others become comments. Comments stay with their fields, and block style
 * replaces JSON.
 */
export class YamlNormalizer {
  private readonly anchors = new Map<string, Node>();

  public normalize(node: Node | null): Node | null {
    if (isAlias(node)) return this.copyAlias(node.source);
    if (node && 'anchor' in node && node.anchor) this.anchors.set(node.anchor, node);
    if (isMap(node)) return this.copyMap(node);
    if (isSeq(node)) return this.copySeq(node);
    return isScalar(node) ? copyScalar(node) : null;
  }

  private copyAlias(anchor: string): Node | null {
    const copy = this.normalize(this.anchors.get(anchor) ?? null);
    // Comments belong to the place of the anchor, not to the aliases.
    if (copy) Object.assign(copy, { comment: undefined, commentBefore: undefined, spaceBefore: undefined });
    return copy;
  }

  private copySeq(seq: YAMLSeq): YAMLSeq {
    const copy = withComments(new YAMLSeq(), seq);
    copy.items = seq.items.map((item) => this.normalize(item as Node | null) ?? new Scalar(null));
    copy.flow = seq.flow && copy.items.every((item) => isScalar(item));
    return moveCommentToFirst(copy, copy.items[0] as Node | undefined);
  }

  private copyMap(map: YAMLMap): YAMLMap {
    const copy = withComments(new YAMLMap(), map);
    const merged: YAMLMap[] = [];
    const ownKeys = new Set<string>();
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      const key = this.keyOf(pair);
      const value = this.normalize(pair.value);
      if (isMergeKey(pair.key)) {
        merged.push(...(isSeq(value) ? value.items : [value]).filter((source) => isMap(source)));
        continue;
      }
      setEntry(copy, key, value);
      ownKeys.add(key.value);
    }
    for (const source of merged) {
      for (const pair of source.items) {
        if (!ownKeys.has(pairKey(pair)) && !copy.has(pairKey(pair))) copy.items.push(pair);
      }
    }
    return moveCommentToFirst(copy, copy.items[0]?.key as Node | undefined);
  }

  private keyOf(pair: Pair<Node | null, Node | null>): Scalar<string> {
    const node = (isAlias(pair.key) ? this.anchors.get(pair.key.source) : pair.key) as Scalar;
    const copy = new Scalar(keyInJson(node));
    // YAML 1.2 reads `on` as a string, but kubectl reads YAML 1.1, where it is `true`.
    if (isAmbiguous(copy.value)) copy.type = Scalar.QUOTE_DOUBLE;
    copy.range = pair.key?.range;
    return Object.assign(copy, {
      commentBefore: pair.key?.commentBefore,
      spaceBefore: pair.key?.spaceBefore,
      comment: pair.key?.comment,
    });
  }
}

/**
 * Adds an entry. An earlier entry with the same key becomes a comment above it; a null only removes the earlier one.
 */
function setEntry(map: YAMLMap, key: Scalar<string>, value: Node | null): void {
  const earlier = map.items.findIndex((pair) => pairKey(pair) === key.value);
  if (earlier >= 0) {
    const [{ key: oldKey, value: old }] = map.items.splice(earlier, 1) as Pair<Scalar, Node>[];
    const lines = [` duplicate key ${key.value}: this value had no effect:`, ...textOfEntry(key.value, old!)];
    key.commentBefore = [oldKey.commentBefore, lines.join('\n'), key.commentBefore].filter(Boolean).join('\n');
  }
  if (value && !isNull(value)) map.items.push(new Pair(key, value));
}

function textOfEntry(key: string, value: Node): string[] {
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar(key), value)];
  return renderAsComment(map);
}

function copyScalar(scalar: Scalar): Scalar {
  const copy = withComments(new Scalar<unknown>(scalar.value), scalar);
  const { value, source, tag } = scalar;
  copy.type = tag && typeof value === 'string' && isAmbiguous(value) ? Scalar.QUOTE_DOUBLE : scalar.type;
  if (typeof value === 'number' && source !== undefined && valueText(value) !== source)
    copy.value = new SourceNumber(scalarValue(scalar), source);
  return copy;
}

function withComments<T extends Node>(copy: T, original: Node): T {
  const { comment, commentBefore, spaceBefore, range } = original;
  return Object.assign(copy, { comment, commentBefore, spaceBefore, range });
}

/** A comment above the first entry belongs to that entry, and must move with it. */
function moveCommentToFirst<T extends YAMLMap | YAMLSeq>(collection: T, first: Node | undefined): T {
  if (first && collection.commentBefore) {
    first.commentBefore = [collection.commentBefore, first.commentBefore].filter(Boolean).join('\n');
    collection.commentBefore = undefined;
  }
  return collection;
}

function isNull(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

export function pairKey(pair: Pair): string {
  return valueText((pair.key as Scalar).value);
}
