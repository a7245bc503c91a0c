import { isObject } from './equality';
import { libraries } from './evaluate';
import { call, Entry, entry, Expression, list, literal, name, object, Path } from './expression';

/** A value of a manifest with its path. */
export class Cursor {
  public constructor(
    public readonly value: unknown,
    public readonly path?: Path,
  ) {}

  public get fields(): Readonly<Record<string, unknown>> {
    return isObject(this.value) ? this.value : {};
  }

  public at(...steps: Path): Cursor | undefined {
    return steps.reduce<Cursor | undefined>((cursor, step) => cursor?.child(step), this);
  }

  public get items(): Cursor[] | undefined {
    return Array.isArray(this.value)
      ? this.value.map((value, i) => new Cursor(value, this.path && [...this.path, i]))
      : undefined;
  }

  private child(step: string | number): Cursor | undefined {
    const { value } = this;
    const child =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined;
    return child === undefined ? undefined : new Cursor(child, this.path && [...this.path, step]);
  }
}

/** Writes a value as an expression; undefined if there is none, and a JSON patch adds the value instead. */
export type Writer = (cursor: Cursor) => Expression | undefined;

/** A string of two lines is split only if it is longer than this, in characters. */
const MAX_TWO_LINE_LENGTH = 100;

/** A string. Long strings of several lines are written as a list of lines with `join`. */
export const text: Writer = ({ value }) => {
  if (typeof value !== 'string') return undefined;
  const lines = value.split('\n');
  return lines.length > 2 || (lines.length === 2 && value.length > MAX_TWO_LINE_LENGTH)
    ? call(list(lines.map(literal)), 'join', literal('\n'))
    : literal(value);
};

export const number: Writer = ({ value }) => (typeof value === 'number' ? literal(value) : undefined);

export const flag: Writer = ({ value }) => (typeof value === 'boolean' ? literal(value) : undefined);

/** Any JSON value. */
export const json: Writer = (cursor) => {
  const { items, value } = cursor;
  if (items)
    return { kind: 'list', items: items.map((item) => ({ value: json(item)!, from: item.path, comments: [] })) };
  if (isObject(value))
    return object(Object.keys(value).map((key) => entry(key, json(cursor.at(key)!)!, cursor.at(key)!.path)));
  return typeof value === 'string' ? text(cursor) : literal(value as number | boolean | null);
};

/** A list; undefined if one of its items cannot be written. */
export function listOf(write: Writer): Writer {
  return ({ items }) => {
    const slots = items?.map((item) => ({ value: write(item), from: item.path, comments: [] }));
    return slots?.every((slot): slot is typeof slot & { value: Expression } => slot.value !== undefined)
      ? { kind: 'list', items: slots }
      : undefined;
  };
}

/** A map; undefined if one of its values cannot be written. */
export function mapOf(write: Writer): Writer {
  return (cursor) => {
    if (!isObject(cursor.value)) return undefined;
    const entries = Object.keys(cursor.value).map((key) => ({
      key,
      from: cursor.at(key)?.path,
      value: cursor.at(key) && write(cursor.at(key)!),
      comments: [],
    }));
    return entries.every((candidate): candidate is typeof candidate & Entry => candidate.value !== undefined)
      ? object(entries)
      : undefined;
  };
}

export const textMap = mapOf(text);

/** Dotted path of a field, and the writer of its value. */
type Field = readonly [string, Writer];

/**
 * A struct. Properties whose field is absent are omitted.
 *
 * @param properties for each property its field, or several fields that exclude each other
 * @param required properties without which the struct does not compile: undefined is returned if one is missing
 */
export function struct(
  properties: Readonly<Record<string, Field | readonly Field[]>>,
  required: readonly string[] = [],
): Writer {
  return (cursor) => {
    if (!isObject(cursor.value)) return undefined;
    const entries = Object.entries(properties).flatMap(([property, fields]) => {
      const written = (isField(fields) ? [fields] : fields).flatMap(([field, write]) => {
        const child = cursor.at(...field.split('.'));
        const value = child && write(child);
        return value ? [entry(property, value, child.path)] : [];
      });
      return written.length === 1 ? written : [];
    });
    return required.every((property) => entries.some(({ key }) => key === property)) ? object(entries) : undefined;
  };
}

function isField(fields: Field | readonly Field[]): fields is Field {
  return typeof fields[0] === 'string';
}

/** A static method of a class of `nodes`, called with the written value. */
export function made(className: string, method: string, write: Writer): Writer {
  return (cursor) => {
    const value = write(cursor);
    return value && call(`nodes.${className}`, method, value);
  };
}

/** A member of an enum of `nodes`. */
export function enumOf(enumName: string): Writer {
  return ({ value }) => {
    const members = (libraries.nodes as unknown as Record<string, Record<string, unknown>>)[enumName];
    const member = Object.keys(members).find((key) => members[key] === value);
    return member === undefined ? undefined : name(`nodes.${enumName}.${member}`);
  };
}

/** A constant of an enum-like class of `nodes`, or a call of its `of`. */
export function constantOf(className: string): Writer {
  return ({ value }) => {
    if (typeof value !== 'string') return undefined;
    const type = (libraries.nodes as unknown as Record<string, Record<string, { readonly value?: unknown }>>)[
      className
    ];
    const member = Object.keys(type).find((key) => type[key]?.value === value);
    return member === undefined
      ? call(`nodes.${className}`, 'of', literal(value))
      : name(`nodes.${className}.${member}`);
  };
}
