import { CelValue } from '../cel';
import { asRecord } from '../value-rule';
import { Schema } from './schema';

/** A value as CEL rules see it: whole numbers are integers, except where the schema wants any number. */
export function celValue(value: unknown, schema: Schema | undefined): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items));
  const record = asRecord(value);
  if (!record) return value as string | boolean | null;
  const result: Record<string, CelValue> = Object.create(null);
  for (const [name, item] of Object.entries(record)) result[name] = celValue(item, childSchema(schema, name));
  return result;
}

/** The schema of what stands under a name in an object or a map. */
export function childSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
