import { isDeepStrictEqual } from 'node:util';
import { FieldPath, formatFieldPath } from '../field-problem';
import { asRecord } from '../value-rule';
import { missing } from './expectation';
import { checkListType } from './list-type';
import { Schema } from './schema';
import { checkCount, checkEnum, checkNumber, checkText, checkType } from './value-checks';
import { invalid, refusal, schemaPath, Violation } from './violation';

/** What of a schema a value breaks, rules in CEL left aside. The value has its defaults already. */
export function validate(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const mistyped = checkType(path, value, schema);
  if (mistyped.length > 0) return mistyped;
  if (value === null) return [];
  const enumProblems = checkEnum(path, value, schema);
  if (enumProblems.length > 0) return enumProblems;
  return [...checkKind(path, value, schema), ...checkCombinations(path, value, schema)];
}

function checkKind(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  if (typeof value === 'string') return checkText(path, value, schema);
  if (typeof value === 'number') return checkNumber(path, value, schema);
  if (Array.isArray(value)) return checkList(path, value, schema);
  const record = asRecord(value);
  return record ? checkObject(path, record, schema) : [];
}

function checkList(path: FieldPath, value: readonly unknown[], schema: Schema): Violation[] {
  const { items, minItems, maxItems, uniqueItems } = schema;
  return [
    ...checkCount(path, value.length, minItems, maxItems, 'items'),
    ...(items ? value.flatMap((item, i) => validate([...path, i], item, items)) : []),
    ...(uniqueItems ? checkUnique(path, value) : []),
    ...checkListType(path, value, schema),
  ];
}

function checkUnique(path: FieldPath, value: readonly unknown[]): Violation[] {
  const repeated = value.findIndex((item, i) => value.slice(0, i).some((earlier) => isDeepStrictEqual(item, earlier)));
  if (repeated < 0) return [];
  const apiServer = invalid(path, value, `${schemaPath(path)} in body shouldn't contain duplicates`);
  return [refusal('uniqueItems', [...path, repeated], 'must not repeat another item', value[repeated], 'remove one of them', apiServer)];
}

function checkObject(path: FieldPath, value: Readonly<Record<string, unknown>>, schema: Schema): Violation[] {
  const { properties = {}, additionalProperties, required = [], minProperties, maxProperties } = schema;
  const entries = Object.entries(value);
  return [
    ...checkCount(path, entries.length, minProperties, maxProperties, 'properties'),
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => checkMissing([...path, name], name, properties[name] ?? {})),
    ...entries.flatMap(([name, child]) => {
      const childSchema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof childSchema !== 'object') return [];
      const found = validate([...path, name], child, childSchema);
      return childSchema === additionalProperties && asRecord(child) ? found.map((violation) => tooDeep(violation, path)) : found;
    }),
  ];
}

/** A map within a map of plain values, such as `limits.resources` of a Provisioner, is one too many. */
function tooDeep(violation: Violation, map: FieldPath): Violation {
  const isOneTooMany = violation.rule === 'type' && violation.path.length === map.length + 1;
  return isOneTooMany ? { ...violation, remedy: `move what is in it to ${formatFieldPath(map)}` } : violation;
}

function checkMissing(path: FieldPath, name: string, schema: Schema): Violation {
  const { what, remedy } = missing(name, schema);
  return refusal('required', path, `must be ${what}`, undefined, remedy, `${schemaPath(path)}: Required value`);
}

function checkCombinations(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const holds = (alternative: Schema) => validate(path, value, alternative).length === 0;
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const found = (rule: 'anyOf' | 'oneOf' | 'not', problem: string, detail: string) =>
    [refusal(rule, path, problem, value, 'write a value that the CRD takes', invalid(path, value, detail))];
  return [
    ...allOf.flatMap((part) => validate(path, value, part)),
    ...(anyOf.length > 0 && !anyOf.some(holds) ? found('anyOf', 'must be of one of the forms that the CRD has', 'must validate at least one schema (anyOf)') : []),
    ...(oneOf.length > 0 && oneOf.filter(holds).length !== 1 ?
      found('oneOf', 'must be of exactly one of the forms that the CRD has', 'must validate one and only one schema (oneOf)') : []),
    ...(not && holds(not) ? found('not', 'must not be of the form that the CRD excludes', 'must not validate the schema (not)') : []),
  ];
}
