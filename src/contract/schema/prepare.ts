import { FieldPath } from '../field-problem';
import { asRecord } from '../value-rule';
import { Schema } from './schema';

/** A field that the schema does not have. */
export interface UnknownField {
  readonly path: FieldPath;
  readonly value: unknown;
  /** What the object may have there. */
  readonly known: readonly string[];
}

/** A value as the API server judges it. */
export interface Prepared {
  readonly value: unknown;
  readonly unknown: readonly UnknownField[];
}

/**
 * Does to a value what the API server does before it judges: fields that the schema does not have go away, so do nulls
 * where null is no value, and defaults are filled in.
 */
export function prepare(value: unknown, schema: Schema, path: FieldPath = []): Prepared {
  const unknown: UnknownField[] = [];
  return { value: prepareAny(value, schema, path, unknown), unknown };
}

function prepareAny(value: unknown, schema: Schema, path: FieldPath, unknown: UnknownField[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, i) => prepareAny(item ?? itemDefault(item, items), items, [...path, i], unknown)) : value;
  }
  const record = asRecord(value);
  // A plain value, or one whose kind is wrong: that is found later.
  return record && schema.type !== 'array' ? prepareObject(record, schema, path, unknown) : value;
}

function prepareObject(record: Readonly<Record<string, unknown>>, schema: Schema, path: FieldPath, unknown: UnknownField[]): unknown {
  const { properties = {}, additionalProperties } = schema;
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(record)) {
    const at = [...path, name];
    const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (value === undefined) continue;
    if (typeof child === 'object') {
      if (value !== null || child.nullable) result[name] = prepareAny(value, child, at, unknown);
    } else if (child === true || schema['x-kubernetes-preserve-unknown-fields']) {
      result[name] = value;
    } else if (isOpen(schema)) {
      result[name] = value;
    } else {
      unknown.push({ path: at, value, known: Object.keys(properties) });
    }
  }
  for (const [name, child] of Object.entries(properties)) {
    if (child.default === undefined || Object.hasOwn(result, name)) continue;
    result[name] = prepareAny(structuredClone(child.default), child, [...path, name], unknown);
  }
  return result;
}

/** The schema says nothing about fields: `metadata` of a CRD, which Kubernetes judges by itself. */
function isOpen(schema: Schema): boolean {
  return schema.type === undefined || schema['x-kubernetes-embedded-resource'] === true;
}

function itemDefault(item: unknown, schema: Schema): unknown {
  return item === null && !schema.nullable && schema.default !== undefined ? structuredClone(schema.default) : item;
}
