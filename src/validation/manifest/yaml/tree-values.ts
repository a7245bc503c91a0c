import { Alias, isAlias, isMap, isScalar, isSeq, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { MappingValue } from './mapping-value';
import { numberValue, plainScalarKey, plainScalarValue } from './plain-scalar';
import { DocumentProblem } from './source-document';
import { valueText } from '../../../model';

/**
 * Limit for the values that aliases add to the written ones: a document of nested aliases could expand without bound.
 */
const MAX_ALIASED_VALUES = 1_000_000;
/** Nesting levels: more than any Kubernetes object has, and few enough for recursion. */
export const MAX_NESTING = 500;

/** A value with the number of values in it, itself included, and its nesting levels. */
interface MeasuredValue {
  readonly value: unknown;
  readonly size: number;
  readonly depth: number;
}

/**
 * Turns YAML nodes into plain JSON values, with aliases and merge keys resolved. Numbers that JSON cannot represent
 * exactly stay the string that was written.
 */
export class PlainValueReader {
  public readonly problems: DocumentProblem[] = [];
  private readonly anchors = new Map<string, Node>();
  /** The values of nodes with an anchor. */
  private readonly anchored = new Map<Node, MeasuredValue>();
  private aliasedValues = 0;

  /**
   * @throws DocumentError if a key is not a scalar, an alias cannot be resolved, or the value is too large or nested
   * too deep
   */
  public read(node: Node | null): unknown {
    return this.measure(node).value;
  }

  private measure(node: Node | null): MeasuredValue {
    if (isAlias(node)) return this.resolve(node);
    if (node && 'anchor' in node && node.anchor) this.anchors.set(node.anchor, node);
    const result = taggedValue(node, this.measureWritten(node));
    if (result.depth > MAX_NESTING) throw tooDeep(node);
    if (node && 'anchor' in node && node.anchor) this.anchored.set(node, result);
    return result;
  }

  private measureWritten(node: Node | null): MeasuredValue {
    if (isScalar(node)) return { value: scalarValue(node), size: 1, depth: 1 };
    if (isMap(node)) return this.measureMap(node);
    if (isSeq(node)) return this.measureSequence(node);
    return { value: null, size: 1, depth: 1 };
  }

  private measureSequence({ items }: YAMLSeq): MeasuredValue {
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

  private measureMap(map: YAMLMap): MeasuredValue {
    const value = new MappingValue(this.problems);
    let [size, depth] = [1, 0];
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      const key = this.keyOf(pair, map);
      const part = this.measure(pair.value);
      size += part.size;
      depth = Math.max(depth, part.depth);
      if (isMergeKey(pair.key)) value.merge(part.value);
      else value.add(key, part.value, startOf(pair.key));
    }
    return { value: value.result(), size, depth: depth + 1 };
  }

  private keyOf(pair: Pair<Node | null, Node | null>, map: YAMLMap): string {
    const key = isAlias(pair.key) ? this.anchors.get(pair.key.source) : pair.key;
    if (isScalar(key)) return keyText(key);
    throw new DocumentError(startOf(pair.key ?? map), 'a key must be a string', 'put the key in quotes');
  }

  private resolve(alias: Alias): MeasuredValue {
    const target = this.anchors.get(alias.source);
    const measured = target && this.anchored.get(target);
    if (!measured) {
      const message = target
        ? `alias *${alias.source} refers to a value that contains it`
        : `alias *${alias.source} has no anchor before it`;
      throw new DocumentError(
        startOf(alias),
        message,
        `write the value itself, or set the anchor &${alias.source} before the alias`,
      );
    }
    this.aliasedValues += measured.size;
    if (this.aliasedValues > MAX_ALIASED_VALUES) {
      throw new DocumentError(
        startOf(alias),
        `aliases expand to more than ${MAX_ALIASED_VALUES} values`,
        'write the values themselves, without aliases of aliases',
      );
    }
    return measured;
  }
}

/** A mistake that makes the whole document unreadable. */
export class DocumentError extends Error {
  public constructor(
    public readonly offset: number,
    message: string,
    public readonly remedy: string,
  ) {
    super(message);
  }
}

/** Whether the key merges another mapping into this one; kubectl supports this. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}

export function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/** CloudFormation's short forms: `!Ref Queue` is `Ref: Queue`, `!Sub …` is `Fn::Sub: …`. Other tags are ignored. */
const TEMPLATE_FUNCTIONS: ReadonlySet<string> = new Set([
  '!Ref',
  '!Condition',
  '!GetAtt',
  '!Sub',
  '!Join',
  '!Select',
  '!Split',
  '!If',
  '!Equals',
  '!And',
  '!Or',
  '!Not',
  '!FindInMap',
  '!ImportValue',
  '!Base64',
  '!Cidr',
  '!GetAZs',
  '!Transform',
  '!ToJsonString',
  '!Length',
]);

function taggedValue(node: Node | null, written: MeasuredValue): MeasuredValue {
  const tag = node && 'tag' in node ? node.tag : undefined;
  if (typeof tag !== 'string' || !TEMPLATE_FUNCTIONS.has(tag)) return written;
  const result: Record<string, unknown> = Object.create(null);
  result[tag === '!Ref' || tag === '!Condition' ? tag.slice(1) : `Fn::${tag.slice(1)}`] = written.value;
  return { value: result, size: written.size + 1, depth: written.depth + 1 };
}

/** A scalar as a JSON key. */
export function keyText(scalar: Scalar): string {
  const { value, source } = scalar;
  if (isPlain(scalar)) return plainScalarKey(source ?? valueText(value));
  return typeof value === 'string' ? value : (source ?? valueText(value));
}

function isPlain({ type, tag }: Scalar): boolean {
  return type === Scalar.PLAIN && !tag;
}

/** A scalar as a JSON value. */
export function scalarValue(scalar: Scalar): unknown {
  const { value, source } = scalar;
  if (isPlain(scalar)) return plainScalarValue(source ?? valueText(value));
  if (typeof value === 'number') return numberValue(value, source ?? valueText(value));
  return value === null || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : (source ?? valueText(value));
}

function tooDeep(node: Node | null): DocumentError {
  return new DocumentError(
    startOf(node),
    `values are nested more than ${MAX_NESTING} levels deep`,
    'flatten the document',
  );
}
