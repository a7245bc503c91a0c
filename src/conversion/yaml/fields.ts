import { isMap, isNode, isScalar, isSeq, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { jsonOf, renderAsComment, yamlNodeOf } from './values';
import { pairKey } from './yaml-normalizer';
import { valueText } from '../../model';

export type Field = Pair<Scalar<string>, Node> & { value: Node };

/**
 * The fields of one object, with their comments. The conversion takes out the fields that it knows; the remaining
 * fields are kept as comments, so nothing is lost.
 */
export class Fields {
  public static empty(): Fields {
    return new Fields(new YAMLMap());
  }

  public static from(value: Readonly<Record<string, unknown>>): Fields {
    return new Fields(yamlNodeOf(value) as YAMLMap);
  }

  public constructor(public readonly map: YAMLMap) {}

  public get isEmpty(): boolean {
    return this.map.items.length === 0;
  }

  public get entries(): Field[] {
    return [...this.map.items] as Field[];
  }

  public has(key: string): boolean {
    return this.find(key) !== undefined;
  }

  public find(key: string): Field | undefined {
    return (this.map.items as Field[]).find((pair) => pairKey(pair) === key);
  }

  /** JSON value of a field; undefined if it is absent. */
  public json(key: string): unknown {
    const field = this.find(key);
    return field && jsonOf(field.value);
  }

  /** String value of a field; undefined if it is absent, empty or not a string. */
  public text(key: string): string | undefined {
    const value = this.json(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** The object in a field; undefined if the field is absent or has another type. Does not remove the field. */
  public inner(key: string): Fields | undefined {
    const field = this.find(key);
    return field && isMap(field.value) ? new Fields(field.value) : undefined;
  }

  public items(key: string): Node[] {
    const field = this.find(key);
    return field && isSeq(field.value) ? ([...field.value.items] as Node[]) : [];
  }

  /** Removes a field and returns it. */
  public take(key: string): Field | undefined {
    const field = this.find(key);
    if (field) this.map.items.splice(this.map.items.indexOf(field), 1);
    return field;
  }

  /**
   * Removes a field that holds an object and returns the object. The comment of the field moves to the first field of
   * the object. A field with another type stays.
   */
  public takeInner(key: string): Fields | undefined {
    const inner = this.inner(key);
    if (!inner) return undefined;
    inner.prependComment(this.take(key)!.key.commentBefore);
    return inner;
  }

  /** Adds a field that was taken from another object, with its comments, under `name` if given. */
  public add(field: Field | undefined, name?: string): void {
    if (!field) return;
    if (name !== undefined) field.key.value = name;
    this.map.items.push(field);
  }

  /** Adds a field that was taken from another object with a new name and value; its comments stay. */
  public addChanged(field: Field, name: string, value: unknown): void {
    const node = toNode(value);
    node.comment = field.value.comment;
    field.key.value = name;
    this.map.items.push(new Pair(field.key, node));
  }

  /** Like `addChanged` if there is an old field; otherwise sets a new one. */
  public addOrSet(field: Field | undefined, name: string, value: unknown): void {
    if (field) this.addChanged(field, name, value);
    else this.set(name, value);
  }

  public set(key: string, value: unknown, comment?: string): void {
    const node = toNode(value);
    const name = new Scalar(key);
    if (comment !== undefined) name.commentBefore = ` ${comment}`;
    const field = this.find(key);
    if (field) field.value = node;
    else this.map.items.push(new Pair(name, node));
  }

  /** Sets a field to an object. If the object is empty, only its comments are added here. */
  public setUnlessEmpty(key: string, value: Fields): void {
    if (value.isEmpty) this.addComment(value.map.comment);
    else this.set(key, value);
  }

  /** Removes a field whose object is empty; its comments stay here. */
  public dropEmpty(key: string): void {
    const inner = this.inner(key);
    if (!inner?.isEmpty) return;
    this.addComment(this.take(key)!.key.commentBefore);
    this.addComment(inner.map.comment);
  }

  /** Writes a field as a comment at the end of this object. */
  public keepAsComment(field: Field, why: string): void {
    const map = new YAMLMap();
    map.items = [field];
    this.addComment([` ${why}:`, ...renderAsComment(map)].join('\n'));
  }

  public prependComment(text: string | null | undefined): void {
    const first = this.entries[0]?.key;
    if (!text) return;
    if (first) first.commentBefore = first.commentBefore ? `${text}\n${first.commentBefore}` : text;
    else this.addComment(text);
  }

  /** Adds a comment at the end of this object. */
  public addComment(text: string | null | undefined): void {
    if (text) this.map.comment = this.map.comment ? `${this.map.comment}\n${text}` : text;
  }
}

/** Value of a scalar field as a string; undefined for an object or a list. */
export function scalarOf(field: Field | undefined): string | undefined {
  return field && isScalar(field.value) ? valueText(jsonOf(field.value)) : undefined;
}

function toNode(value: unknown): Node {
  if (value instanceof Fields) return value.map;
  return isNode(value) ? value : yamlNodeOf(value);
}
