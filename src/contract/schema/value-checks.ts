import { quoteField, safeFix, setField } from '../field-edit';
import { FieldPath } from '../field-problem';
import { listInsteadOf } from '../known-value-fix';
import { compilePattern } from '../regexp';
import { enumRemedy, expectationOf, nearestWord } from './expectation';
import { matchesFormat } from './format';
import { patternFix, patternRemedy } from './pattern-meaning';
import { Schema } from './schema';
import { createViolation, invalidValueText, schemaPath, ValidationRule, Violation } from './violation';
import { valueText } from '../../model';

/** The API server reads whole numbers of this size and above as doubles. */
const INTEGER_LIMIT = 2 ** 63;

/** The JSON Schema type of a value. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < INTEGER_LIMIT ? 'integer' : 'number';
  return typeof value;
}

/** Checks the type of a value. Values of a wrong type are not checked any further. */
export function checkType(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const types = schema['x-kubernetes-int-or-string']
    ? ['integer', 'string']
    : typeof schema.type === 'string'
      ? [schema.type]
      : [];
  const type = jsonType(value);
  const fits =
    types.length === 0 ||
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (value === null && schema.nullable === true);
  // If a string has a format, the API server checks only the format, which ignores lists. So a list passes.
  if (fits || (type === 'array' && schema.type === 'string' && matchesFormat.isKnown(schema.format))) return [];
  const { description, remedy } = expectationOf(schema);
  const isUnquoted = types.includes('string') && isUnquotedString(path, value, schema);
  const ofNumber =
    typeof value === 'number' && schema.pattern !== undefined ? patternRemedy(schema.pattern, String(value)) : remedy;
  const advice = isUnquoted ? 'put the value in quotes' : ofNumber;
  const detail = `${schemaPath(path)} in body must be of type ${types.join(',')}: "${type}"`;
  const violation = createViolation(
    'type',
    path,
    `must be ${description}`,
    value,
    advice,
    `${schemaPath(path)}: Invalid value: "${type}": ${detail}`,
  );
  const list = isListOfStrings(schema) && typeof value === 'string' ? listInsteadOf(path, value) : undefined;
  if (list !== undefined) return [{ ...violation, ...list }];
  const unquoted = schema.type === undefined ? undefined : unquotedValue(value, schema);
  if (isUnquoted) return [{ ...violation, fix: safeFix(quoteField(path)) }];
  const ofText =
    typeof value === 'number' && schema.pattern ? patternFix(schema.pattern, path, String(value)) : undefined;
  if (ofText !== undefined) return [{ ...violation, fix: ofText }];
  if (unquoted === undefined) return [violation];
  return [{ ...violation, remedy: `write ${unquoted} without quotes`, fix: safeFix(setField(path, unquoted)) }];
}

function isListOfStrings({ type, items }: Schema): boolean {
  return type === 'array' && items?.type === 'string';
}

/** Whether YAML reads the value as a number or boolean, but it would be valid as a string. */
function isUnquotedString(path: FieldPath, value: unknown, schema: Schema): boolean {
  return (
    (typeof value === 'number' || typeof value === 'boolean') &&
    checkString(path, valueText(value), schema).length === 0
  );
}

/** The number or boolean in quotes that the schema expects without quotes. */
function unquotedValue(
  value: unknown,
  { type, minimum = -Infinity, maximum = Infinity }: Schema,
): number | boolean | undefined {
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  const isNumber = typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value);
  const isAllowed = isNumber && Number(value) >= minimum && Number(value) <= maximum;
  return isAllowed && (type === 'integer' || type === 'number') ? Number(value) : undefined;
}

export function checkEnum(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  if (!schema.enum || schema.enum.includes(value)) return [];
  const allowed = schema.enum.map(String);
  const words = schema.enum
    .map((word) => (typeof word === 'string' ? JSON.stringify(word) : JSON.stringify(JSON.stringify(word))))
    .join(', ');
  const apiServer = `${schemaPath(path)}: Unsupported value: ${JSON.stringify(value)}: supported values: ${words}`;
  const meant = typeof value === 'string' ? nearestWord(value, allowed) : undefined;
  const violation = createViolation(
    'enum',
    path,
    `must be one of ${allowed.join(', ')}`,
    value,
    enumRemedy(value, allowed),
    apiServer,
  );
  return [meant === undefined ? violation : { ...violation, fix: safeFix(setField(path, meant)) }];
}

export function checkString(path: FieldPath, value: string, schema: Schema): Violation[] {
  const { minLength, maxLength, pattern, format } = schema;
  const { description, remedy } = expectationOf(schema);
  const stringViolation = (rule: ValidationRule, problem: string, advice: string, detail: string) => [
    createViolation(
      rule,
      path,
      problem,
      value,
      advice,
      invalidValueText(path, value, `${schemaPath(path)} in body ${detail}`),
    ),
  ];
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) {
    const apiServer = `${schemaPath(path)}: Too long: may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
    return [
      createViolation(
        'maxLength',
        path,
        `must be at most ${maxLength} characters`,
        value,
        `shorten it by ${length - maxLength}`,
        apiServer,
      ),
    ];
  }
  if (minLength !== undefined && length < minLength) {
    const problem = minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters`;
    return stringViolation('minLength', problem, 'write the value', `should be at least ${minLength} chars long`);
  }
  if (pattern !== undefined && !compilePattern(pattern).test(value)) {
    const violations = stringViolation(
      'pattern',
      `must be ${description}`,
      patternRemedy(pattern, value),
      `should match '${pattern}'`,
    );
    const fix = patternFix(pattern, path, value);
    return fix === undefined ? violations : violations.map((violation) => ({ ...violation, fix }));
  }
  if (!matchesFormat(value, format))
    return stringViolation('format', `must be ${description}`, remedy, `must be of type ${format}: "${value}"`);
  return [];
}

const INT_RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

export function checkNumber(path: FieldPath, value: number, schema: Schema): Violation[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const { description, remedy } = expectationOf(schema);
  const numberViolation = (rule: ValidationRule, detail: string) => [
    createViolation(
      rule,
      path,
      `must be ${description}`,
      value,
      remedy,
      invalidValueText(path, value, `${schemaPath(path)} in body ${detail}`),
    ),
  ];
  const range = schema.type === 'integer' ? (INT_RANGES[schema.format ?? 'int64'] ?? INT_RANGES.int64) : undefined;
  if (range && (BigInt(value) < range[0] || BigInt(value) > range[1]))
    return numberViolation('format', `must be an integer of ${schema.format ?? 'int64'}`);
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum && value === maximum))) {
    return numberViolation('maximum', `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum && value === minimum))) {
    return numberViolation('minimum', `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    return numberViolation('multipleOf', `should be a multiple of ${multipleOf}`);
  return [];
}

/** Checks the number of items in a list, or of entries in a map. */
export function checkCount(
  path: FieldPath,
  count: number,
  min: number | undefined,
  max: number | undefined,
  what: 'items' | 'properties',
): Violation[] {
  const noun = what === 'items' ? nounOf(path) : 'entries';
  if (max !== undefined && count > max) {
    const apiServer = `${schemaPath(path)}: Too many: ${count}: must have at most ${max} items`;
    return [
      createViolation(
        what === 'items' ? 'maxItems' : 'maxProperties',
        path,
        `must have at most ${max} ${noun}`,
        count,
        `remove ${count - max}, or split the object`,
        apiServer,
      ),
    ];
  }
  if (min !== undefined && count < min) {
    const detail = `${schemaPath(path)} in body should have at least ${min} ${what}`;
    return [
      createViolation(
        what === 'items' ? 'minItems' : 'minProperties',
        path,
        `must have at least ${min} ${noun}`,
        count,
        `add ${noun}`,
        invalidValueText(path, count, detail),
      ),
    ];
  }
  return [];
}

/** The noun for a list's items: `terms` for `subnetSelectorTerms`. */
function nounOf(path: FieldPath): string {
  const name = path.filter((step) => typeof step === 'string').pop() ?? 'items';
  return /[A-Z][a-z]*s$/.exec(name)?.[0].toLowerCase() ?? (name.endsWith('s') ? name : 'items');
}
