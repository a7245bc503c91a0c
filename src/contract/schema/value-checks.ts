import { FieldPath } from '../field-problem';
import { patternOf } from '../regexp';
import { enumRemedy, expectationOf } from './expectation';
import { matchesFormat } from './format';
import { patternRemedy } from './pattern-meaning';
import { Schema } from './schema';
import { BrokenRule, invalid, refusal, schemaPath, Violation } from './violation';

/** From here on the API server reads whole numbers as fractions. */
const INTEGERS_END = 2 ** 63;

/** The type that JSON Schema has for a value. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < INTEGERS_END ? 'integer' : 'number';
  return typeof value;
}

/** Whether the value is of a type that the schema takes; nothing is found in a value of the wrong one. */
export function checkType(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const types = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const type = jsonType(value);
  const fits = types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number')) || (value === null && schema.nullable === true);
  // Of a text with a format the API server looks at the format alone, and that is for texts: a list passes.
  if (fits || (type === 'array' && schema.type === 'string' && matchesFormat.isKnown(schema.format))) return [];
  const { what, remedy } = expectationOf(schema);
  const advice = types.includes('string') && isTextWithoutQuotes(path, value, schema) ? 'put the value in quotes' : remedy;
  const detail = `${schemaPath(path)} in body must be of type ${types.join(',')}: "${type}"`;
  return [refusal('type', path, `must be ${what}`, value, advice, `${schemaPath(path)}: Invalid value: "${type}": ${detail}`)];
}

/** What YAML takes for a number or a boolean, and would do as a text. */
function isTextWithoutQuotes(path: FieldPath, value: unknown, schema: Schema): boolean {
  return (typeof value === 'number' || typeof value === 'boolean') && checkText(path, String(value), schema).length === 0;
}

export function checkEnum(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  if (!schema.enum || schema.enum.includes(value)) return [];
  const allowed = schema.enum.map(String);
  const words = schema.enum.map((word) => typeof word === 'string' ? JSON.stringify(word) : JSON.stringify(JSON.stringify(word))).join(', ');
  const apiServer = `${schemaPath(path)}: Unsupported value: ${JSON.stringify(value)}: supported values: ${words}`;
  return [refusal('enum', path, `must be one of ${allowed.join(', ')}`, value, enumRemedy(value, allowed), apiServer)];
}

export function checkText(path: FieldPath, value: string, schema: Schema): Violation[] {
  const { minLength, maxLength, pattern, format } = schema;
  const { what, remedy } = expectationOf(schema);
  const found = (rule: BrokenRule, problem: string, advice: string, detail: string) =>
    [refusal(rule, path, problem, value, advice, invalid(path, value, `${schemaPath(path)} in body ${detail}`))];
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) {
    const apiServer = `${schemaPath(path)}: Too long: may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
    return [refusal('maxLength', path, `must be at most ${maxLength} characters`, value, `shorten it by ${length - maxLength}`, apiServer)];
  }
  if (minLength !== undefined && length < minLength) {
    const problem = minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters`;
    return found('minLength', problem, 'write the value', `should be at least ${minLength} chars long`);
  }
  if (pattern !== undefined && !patternOf(pattern).test(value)) return found('pattern', `must be ${what}`, patternRemedy(pattern, value), `should match '${pattern}'`);
  if (!matchesFormat(value, format)) return found('format', `must be ${what}`, remedy, `must be of type ${format}: "${value}"`);
  return [];
}

const INT_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

export function checkNumber(path: FieldPath, value: number, schema: Schema): Violation[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const { what, remedy } = expectationOf(schema);
  const found = (rule: BrokenRule, detail: string) =>
    [refusal(rule, path, `must be ${what}`, value, remedy, invalid(path, value, `${schemaPath(path)} in body ${detail}`))];
  const range = schema.type === 'integer' ? INT_RANGES[schema.format ?? 'int64'] ?? INT_RANGES.int64 : undefined;
  if (range && (BigInt(value) < range[0] || BigInt(value) > range[1])) return found('format', `must be an integer of ${schema.format ?? 'int64'}`);
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum && value === maximum))) {
    return found('maximum', `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum && value === minimum))) {
    return found('minimum', `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) return found('multipleOf', `should be a multiple of ${multipleOf}`);
  return [];
}

/** The count of a list's items or of a map's entries. */
export function checkCount(path: FieldPath, count: number, min: number | undefined, max: number | undefined, what: 'items' | 'properties'): Violation[] {
  const name = what === 'items' ? nounOf(path) : 'entries';
  if (max !== undefined && count > max) {
    const apiServer = `${schemaPath(path)}: Too many: ${count}: must have at most ${max} items`;
    return [refusal(what === 'items' ? 'maxItems' : 'maxProperties', path, `must hold at most ${max} ${name}`, count, `remove ${count - max}, or split the object`, apiServer)];
  }
  if (min !== undefined && count < min) {
    const detail = `${schemaPath(path)} in body should have at least ${min} ${what}`;
    return [refusal(what === 'items' ? 'minItems' : 'minProperties', path, `must hold at least ${min} ${name}`, count, `add ${name}`, invalid(path, count, detail))];
  }
  return [];
}

/** `terms` of `subnetSelectorTerms`. */
function nounOf(path: FieldPath): string {
  const name = path.filter((step) => typeof step === 'string').pop() ?? 'items';
  return /[A-Z][a-z]*s$/.exec(name)?.[0].toLowerCase() ?? (name.endsWith('s') ? name : 'items');
}
