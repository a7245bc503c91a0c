import { Alias, isAlias, isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { DocumentProblem } from './document-problem';
import { MappingValue } from './mapping-value';
import { numberValue, plainKey, plainValue } from './written-scalar';

/** Values that aliases may add to those written down. A document with more expands without bound. */
const MOST_ALIASED_VALUES = 1_000_000;
/** Deeper than any Kubernetes object, and shallow enough for every recursion. */
export const DEEPEST_NESTING = 500;

interface Measured { readonly value: unknown; readonly size: number; readonly depth: number }

/**
 * Turns YAML nodes into plain JSON values, aliases and merge keys resolved. Numbers that JSON cannot hold exactly stay the text that was
 * written.
 */
export class PlainValueReader {
  public readonly problems: DocumentProblem[] = [];
  private readonly anchors = new Map<string, Node>();
  private readonly measured = new Map<Node, Measured>();
  private aliased = 0;

  /** @throws DocumentError if the document can have no value. */
  public read(node: Node | null): unknown {
    return this.measure(node).value;
  }

  private measure(node: Node | null): Measured {
    if (isAlias(node)) return this.resolve(node);
    if (node && 'anchor' in node && node.anchor) this.anchors.set(node.anchor, node);
    const result = taggedValue(node, this.measureWritten(node));
    if (result.depth > DEEPEST_NESTING) throw tooDeep(node);
    if (node && 'anchor' in node && node.anchor) this.measured.set(node, result);
    return result;
  }

  private measureWritten(node: Node | null): Measured {
    if (isScalar(node)) return { value: scalarValue(node), size: 1, depth: 1 };
    if (isMap(node)) return this.measureMap(node);
    if (isSeq(node)) return this.measureSequence(node);
    return { value: null, size: 1, depth: 1 };
  }

  private measureSequence({ items }: YAMLSeq): Measured {
    const value: unknown[] = [];
    let [size, depth] = [1, 0];
    for (const item of items) {
      const part = this.measure(item as Node | null);
      value.push(part.value);
      size += part.size;
      depth = Math.max(depth, part.depth);
    }
    return { value, size, depth: depth + 1 };
  }

  private measureMap(map: YAMLMap): Measured {
    const value = new MappingValue(this.problems);
    let [size, depth] = [1, 0];
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      const key = this.keyOf(pair, map);
      const part = this.measure(pair.value);
      size += part.size;
      depth = Math.max(depth, part.depth);
      if (isMergeKey(pair.key)) value.merge(part.value); else value.add(key, part.value, startOf(pair.key));
    }
    return { value: value.result(), size, depth: depth + 1 };
  }

  private keyOf(pair: Pair<Node | null, Node | null>, map: YAMLMap): string {
    const key = isAlias(pair.key) ? this.anchors.get(pair.key.source) : pair.key;
    if (isScalar(key)) return keyText(key);
    throw new DocumentError(startOf(pair.key ?? map), 'a key must be a plain text', 'put the key in quotes');
  }

  private resolve(alias: Alias): Measured {
    const target = this.anchors.get(alias.source);
    const result = target && this.measured.get(target);
    if (!result) {
      const message = target ? `the alias *${alias.source} is inside what it stands for` : `the alias *${alias.source} has no anchor before it`;
      throw new DocumentError(startOf(alias), message, `write the value out, or put &${alias.source} before it`);
    }
    this.aliased += result.size;
    if (this.aliased > MOST_ALIASED_VALUES) {
      throw new DocumentError(startOf(alias), `aliases expand to more than ${MOST_ALIASED_VALUES} values`, 'write the values out, without aliases of aliases');
    }
    return result;
  }
}

/** A document that cannot be read at all. */
export class DocumentError extends Error {
  public constructor(public readonly offset: number, message: string, public readonly remedy: string) {
    super(message);
  }
}

/** Whether the key merges another mapping into this one, as kubectl does. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}

export function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/** CloudFormation's short form: `!Ref Queue` is `Ref: Queue`, `!Sub …` is `Fn::Sub: …`. Other tags mean nothing here. */
const TEMPLATE_FUNCTIONS: ReadonlySet<string> = new Set([
  '!Ref', '!Condition', '!GetAtt', '!Sub', '!Join', '!Select', '!Split', '!If', '!Equals', '!And', '!Or', '!Not', '!FindInMap', '!ImportValue', '!Base64',
  '!Cidr', '!GetAZs', '!Transform', '!ToJsonString', '!Length',
]);

function taggedValue(node: Node | null, written: Measured): Measured {
  const tag = node && 'tag' in node ? node.tag : undefined;
  if (typeof tag !== 'string' || !TEMPLATE_FUNCTIONS.has(tag)) return written;
  const result: Record<string, unknown> = Object.create(null);
  result[tag === '!Ref' || tag === '!Condition' ? tag.slice(1) : `Fn::${tag.slice(1)}`] = written.value;
  return { value: result, size: written.size + 1, depth: written.depth + 1 };
}

/** The key that a scalar is in JSON. */
export function keyText(scalar: Scalar): string {
  const { value, source } = scalar;
  if (isPlain(scalar)) return plainKey(source ?? String(value));
  return typeof value === 'string' ? value : source ?? String(value);
}

function isPlain({ type, tag }: Scalar): boolean {
  return type === Scalar.PLAIN && !tag;
}

/** What a scalar is in JSON. */
export function scalarValue(scalar: Scalar): unknown {
  const { value, source } = scalar;
  if (isPlain(scalar)) return plainValue(source ?? String(value));
  if (typeof value === 'number') return numberValue(value, source ?? String(value));
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? value : source ?? String(value);
}

function tooDeep(node: Node | null): DocumentError {
  return new DocumentError(startOf(node), `values are nested more than ${DEEPEST_NESTING} deep`, 'flatten the document');
}
