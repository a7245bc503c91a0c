import { isMap, isNode, isScalar, isSeq, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { keyText } from './normal-form';
import { nodeOf, plainOf } from './plain';
import { renderAsComment } from './render';

export type Field = Pair<Scalar<string>, Node> & { value: Node };

/**
 * The fields of one object. Conversion takes out the fields that it knows, and what remains in the end is kept as a
 * comment: nothing can be forgotten.
 */
export class Fields {
  public static empty(): Fields {
    return new Fields(new YAMLMap());
  }

  public static from(value: Readonly<Record<string, unknown>>): Fields {
    return new Fields(nodeOf(value) as YAMLMap);
  }

  public constructor(public readonly map: YAMLMap) {}

  public get isEmpty(): boolean {
    return this.map.items.length === 0;
  }

  public get all(): Field[] {
    return [...this.map.items] as Field[];
  }

  public has(key: string): boolean {
    return this.find(key) !== undefined;
  }

  public find(key: string): Field | undefined {
    return (this.map.items as Field[]).find((pair) => keyText(pair) === key);
  }

  /** JSON value of a field. */
  public plain(key: string): unknown {
    const field = this.find(key);
    return field && plainOf(field.value);
  }

  public text(key: string): string | undefined {
    const value = this.plain(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** The object in a field, which stays where it is; undefined where there is another value. */
  public inner(key: string): Fields | undefined {
    const field = this.find(key);
    return field && isMap(field.value) ? new Fields(field.value) : undefined;
  }

  public items(key: string): Node[] {
    const field = this.find(key);
    return field && isSeq(field.value) ? [...field.value.items] as Node[] : [];
  }

  public take(key: string): Field | undefined {
    const field = this.find(key);
    if (field) this.map.items.splice(this.map.items.indexOf(field), 1);
    return field;
  }

  /**
   * Takes an object out of a field, whose comment goes to the first of its fields; any other value stays, and ends as a
   * comment.
   */
  public takeInner(key: string): Fields | undefined {
    const inner = this.inner(key);
    if (!inner) return undefined;
    inner.prependComment(this.take(key)!.key.commentBefore);
    return inner;
  }

  /** Adds a field that was taken elsewhere, with its comments, under this name or another. */
  public add(field: Field | undefined, name?: string): void {
    if (!field) return;
    if (name !== undefined) field.key.value = name;
    this.map.items.push(field);
  }

  /** Adds a field that was taken elsewhere with another value, and its comments. */
  public addChanged(field: Field, name: string, value: unknown): void {
    const node = toNode(value);
    node.comment = field.value.comment;
    field.key.value = name;
    this.map.items.push(new Pair(field.key, node));
  }

  /** The same for a field that need not have been there. */
  public addRenewed(field: Field | undefined, name: string, value: unknown): void {
    if (field) this.addChanged(field, name, value); else this.set(name, value);
  }

  public set(key: string, value: unknown, comment?: string): void {
    const node = toNode(value);
    const name = new Scalar(key);
    if (comment !== undefined) name.commentBefore = ` ${comment}`;
    const field = this.find(key);
    if (field) field.value = node; else this.map.items.push(new Pair(name, node));
  }

  /** An object without fields is not written, and its comments stay here. */
  public setUnlessEmpty(key: string, value: Fields): void {
    if (value.isEmpty) this.addComment(value.map.comment); else this.set(key, value);
  }

  /** Takes away an object that has lost its last field; its comments stay here. */
  public dropEmpty(key: string): void {
    const inner = this.inner(key);
    if (!inner?.isEmpty) return;
    this.addComment(this.take(key)!.key.commentBefore);
    this.addComment(inner.map.comment);
  }

  /** Keeps a field that has no place any more, as a comment at the end. */
  public keepAsComment(field: Field, why: string): void {
    const map = new YAMLMap();
    map.items = [field];
    this.addComment([` ${why}:`, ...renderAsComment(map)].join('\n'));
  }

  public prependComment(text: string | null | undefined): void {
    const first = this.all[0]?.key;
    if (!text) return;
    if (first) first.commentBefore = first.commentBefore ? `${text}\n${first.commentBefore}` : text; else this.addComment(text);
  }

  /** Takes over what stands as a comment at the end of another object. */
  public addComment(text: string | null | undefined): void {
    if (text) this.map.comment = this.map.comment ? `${this.map.comment}\n${text}` : text;
  }
}

/** The text of a field with one value; undefined for an object or a list. */
export function scalarOf(field: Field | undefined): string | undefined {
  return field && isScalar(field.value) ? String(plainOf(field.value)) : undefined;
}

function toNode(value: unknown): Node {
  if (value instanceof Fields) return value.map;
  return isNode(value) ? value : nodeOf(value);
}
