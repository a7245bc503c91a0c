import { FieldPath } from './model';
import { NOT_SIMPLE } from './simple-text';

/** A value, and where it is written: the offset of its key, or its own where it has none. */
export interface SimpleNode {
  readonly start: number;
  readonly value: unknown;
  /** Of a mapping: one for each of its parts. */
  readonly keys?: readonly string[];
  readonly parts?: readonly SimpleNode[];
}

/** Deeper than any Kubernetes object. */
const DEEPEST = 100;

export function listOf(start: number, parts: readonly SimpleNode[]): SimpleNode {
  return { start, value: parts.map(({ value }) => value), parts };
}

/** A mapping in the making. Keys with a null are left out of its value, which is how the API server reads them. */
export class SimpleMap {
  private readonly keys: string[] = [];
  private readonly parts: SimpleNode[] = [];
  private readonly value: Record<string, unknown> = Object.create(null);
  private nulls?: Set<string>;

  public add(key: string, part: SimpleNode): void {
    // The library reports a key written twice.
    if (key in this.value || this.nulls?.has(key)) throw NOT_SIMPLE;
    if (part.value === null) (this.nulls ??= new Set()).add(key); else this.value[key] = part.value;
    this.keys.push(key);
    this.parts.push(part);
  }

  public at(start: number): SimpleNode {
    return { start, value: this.value, keys: this.keys, parts: this.parts };
  }
}

export function checkDepth(depth: number): void {
  if (depth > DEEPEST) throw NOT_SIMPLE;
}

/** Offset of a field, or of its nearest existing ancestor. */
export function simpleOffset(root: SimpleNode, path: FieldPath): number {
  let node = root;
  for (const step of path) {
    const part = partOf(node, step);
    if (!part) break;
    node = part;
  }
  return node.start;
}

function partOf({ keys, parts }: SimpleNode, step: string | number): SimpleNode | undefined {
  if (keys) return typeof step === 'string' ? parts?.[keys.indexOf(step)] : undefined;
  return typeof step === 'number' ? parts?.[step] : undefined;
}
