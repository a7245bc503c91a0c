import { asRecord, FieldPath } from '../field-problem';
import { Schema } from './schema';

/** A field that is not in the schema. */
export interface UnknownField {
  readonly path: FieldPath;
  readonly value: unknown;
  /** Names of the fields that the schema allows in the same object. */
  readonly knownFields: readonly string[];
}

/** A value as the API server validates it. */
export interface PrunedValue {
  readonly value: unknown;
  readonly unknown: readonly UnknownField[];
}

/**
 * Prunes and defaults a value as the API server does before validation: removes fields that are not in the schema,
 * removes nulls of fields that are not nullable, and fills in defaults.
 */
export function pruneAndDefault(value: unknown, schema: Schema, path: FieldPath = []): PrunedValue {
  const unknown: UnknownField[] = [];
  return { value: processAny(value, schema, path, unknown), unknown };
}

function processAny(value: unknown, schema: Schema, path: FieldPath, unknown: UnknownField[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items
      ? value.map((item, i) => processAny(item ?? itemDefault(item, items), items, [...path, i], unknown))
      : value;
  }
  const record = asRecord(value);
  // Scalars and values of a wrong type stay as they are: validation reports the wrong types.
  return record && schema.type !== 'array' ? processObject(record, schema, path, unknown) : value;
}

function processObject(
  record: Readonly<Record<string, unknown>>,
  schema: Schema,
  path: FieldPath,
  unknown: UnknownField[],
): unknown {
  const { properties = {}, additionalProperties } = schema;
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(record)) {
    const fieldPath = [...path, name];
    const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (value === undefined) continue;
    if (typeof child === 'object') {
      if (value !== null || child.nullable) result[name] = processAny(value, child, fieldPath, unknown);
    } else if (child === true || schema['x-kubernetes-preserve-unknown-fields']) {
      result[name] = value;
    } else if (isOpen(schema)) {
      result[name] = value;
    } else {
      unknown.push({ path: fieldPath, value, knownFields: Object.keys(properties) });
    }
  }
  for (const [name, child] of Object.entries(properties)) {
    if (child.default === undefined || Object.hasOwn(result, name)) continue;
    result[name] = processAny(structuredClone(child.default), child, [...path, name], unknown);
  }
  return result;
}

/** Whether any field is allowed, as in an embedded resource or a schema without a type, such as `metadata` in a CRD. */
function isOpen(schema: Schema): boolean {
  return schema.type === undefined || schema['x-kubernetes-embedded-resource'] === true;
}

function itemDefault(item: unknown, schema: Schema): unknown {
  return item === null && !schema.nullable && schema.default !== undefined ? structuredClone(schema.default) : item;
}
