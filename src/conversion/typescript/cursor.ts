import { isObject } from './equality';
import { call, Entry, entry, Expression, list, literal, name, object, Path } from './expression';
import { runtime } from './runtime';

/** A value of a manifest, and where it stands. */
export class Cursor {
  public constructor(public readonly value: unknown, public readonly path?: Path) {}

  public get fields(): Readonly<Record<string, unknown>> {
    return isObject(this.value) ? this.value : {};
  }

  public at(...steps: Path): Cursor | undefined {
    return steps.reduce<Cursor | undefined>((cursor, step) => cursor?.child(step), this);
  }

  public get items(): Cursor[] | undefined {
    return Array.isArray(this.value) ? this.value.map((value, i) => new Cursor(value, this.path && [...this.path, i])) : undefined;
  }

  private child(step: string | number): Cursor | undefined {
    const { value } = this;
    const child = typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
    return child === undefined ? undefined : new Cursor(child, this.path && [...this.path, step]);
  }
}

/** Writes a value as the expression that makes it; undefined for a value that has none, which a patch then brings. */
export type Writer = (at: Cursor) => Expression | undefined;

/** Texts of several lines are joined from their lines. */
const LONGEST_LINE = 100;

export const text: Writer = ({ value }) => {
  if (typeof value !== 'string') return undefined;
  const lines = value.split('\n');
  return lines.length > 2 || (lines.length === 2 && value.length > LONGEST_LINE) ? call(list(lines.map(literal)), 'join', literal('\n')) : literal(value);
};

export const number: Writer = ({ value }) => typeof value === 'number' ? literal(value) : undefined;

export const flag: Writer = ({ value }) => typeof value === 'boolean' ? literal(value) : undefined;

/** Any JSON. */
export const json: Writer = (at) => {
  const { items, value } = at;
  if (items) return { kind: 'list', items: items.map((item) => ({ value: json(item)!, from: item.path, comments: [] })) };
  if (isObject(value)) return object(Object.keys(value).map((key) => entry(key, json(at.at(key)!)!, at.at(key)!.path)));
  return typeof value === 'string' ? text(at) : literal(value as number | boolean | null);
};

/** A list whose items can all be written. */
export function listOf(write: Writer): Writer {
  return ({ items }) => {
    const slots = items?.map((item) => ({ value: write(item), from: item.path, comments: [] }));
    return slots?.every((slot): slot is typeof slot & { value: Expression } => slot.value !== undefined) ? { kind: 'list', items: slots } : undefined;
  };
}

/** A map whose values can all be written. */
export function mapOf(write: Writer): Writer {
  return (at) => {
    if (!isObject(at.value)) return undefined;
    const entries = Object.keys(at.value).map((key) => ({ key, from: at.at(key)?.path, value: at.at(key) && write(at.at(key)!), comments: [] }));
    return entries.every((one): one is typeof one & Entry => one.value !== undefined) ? object(entries) : undefined;
  };
}

export const textMap = mapOf(text);

/**
 * A struct: for each property the field that it comes from, with dots, and how it is written. Properties whose field is
 * absent are left out.
 *
 * @param required properties without which the compiler would not take it
 */
export function struct(properties: Readonly<Record<string, readonly [string, Writer]>>, required: readonly string[] = []): Writer {
  return (at) => {
    if (!isObject(at.value)) return undefined;
    const entries = Object.entries(properties).flatMap(([property, [field, write]]) => {
      const cursor = at.at(...field.split('.'));
      const value = cursor && write(cursor);
      return value ? [entry(property, value, cursor.path)] : [];
    });
    return required.every((property) => entries.some(({ key }) => key === property)) ? object(entries) : undefined;
  };
}

/** A member of an enum of `nodes`. */
export function enumOf(enumName: string): Writer {
  return ({ value }) => {
    const members = (runtime.nodes as unknown as Record<string, Record<string, unknown>>)[enumName];
    const member = Object.keys(members).find((key) => members[key] === value);
    return member === undefined ? undefined : name(`nodes.${enumName}.${member}`);
  };
}

/** A constant of an enum-like class of `nodes`, or its `of`. */
export function constantOf(className: string): Writer {
  return ({ value }) => {
    if (typeof value !== 'string') return undefined;
    const type = (runtime.nodes as unknown as Record<string, Record<string, { readonly value?: unknown }>>)[className];
    const member = Object.keys(type).find((key) => type[key]?.value === value);
    return member === undefined ? call(`nodes.${className}`, 'of', literal(value)) : name(`nodes.${className}.${member}`);
  };
}
