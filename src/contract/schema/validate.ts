import { isDeepStrictEqual } from 'node:util';
import { safeFix, setFirstField } from '../field-edit';
import { asRecord, FieldPath, formatFieldPath } from '../field-problem';
import { missingFieldExpectation } from './expectation';
import { Schema } from './schema';
import { checkCount, checkEnum, checkNumber, checkString, checkType } from './value-checks';
import { createViolation, invalidValueText, schemaPath, Violation } from './violation';

/** Validates a value with its defaults against a schema, without the CEL rules. */
export function validate(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const typeErrors = checkType(path, value, schema);
  if (typeErrors.length > 0) return typeErrors;
  if (value === null) return [];
  const enumProblems = checkEnum(path, value, schema);
  if (enumProblems.length > 0) return enumProblems;
  return [...checkKind(path, value, schema), ...checkCombinations(path, value, schema)];
}

function checkKind(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  if (typeof value === 'string') return checkString(path, value, schema);
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
  const apiServer = invalidValueText(path, value, `${schemaPath(path)} in body shouldn't contain duplicates`);
  return [
    createViolation(
      'uniqueItems',
      [...path, repeated],
      'must not repeat another item',
      value[repeated],
      'remove one of them',
      apiServer,
    ),
  ];
}

function checkObject(path: FieldPath, value: Readonly<Record<string, unknown>>, schema: Schema): Violation[] {
  const { properties = {}, additionalProperties, required = [], minProperties, maxProperties } = schema;
  const entries = Object.entries(value);
  return [
    ...checkCount(path, entries.length, minProperties, maxProperties, 'properties'),
    ...required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => checkMissing([...path, name], name, properties[name] ?? {})),
    ...entries.flatMap(([name, child]) => {
      const itemSchema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof itemSchema !== 'object') return [];
      const violations = validate([...path, name], child, itemSchema);
      return itemSchema === additionalProperties && asRecord(child)
        ? violations.map((violation) => nestedMapRemedy(violation, path))
        : violations;
    }),
  ];
}

/** The remedy for a map nested in a map of scalars, such as `limits.resources` of a Provisioner. */
function nestedMapRemedy(violation: Violation, map: FieldPath): Violation {
  const isNestedMap = violation.rule === 'type' && violation.path.length === map.length + 1;
  return isNestedMap ? { ...violation, remedy: `move its entries to ${formatFieldPath(map)}` } : violation;
}

/** The only values that Karpenter for AWS manages. */
const NODE_CLASS_REF: Readonly<Record<string, string>> = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' };

function checkMissing(path: FieldPath, name: string, schema: Schema): Violation {
  const { description, remedy } = missingFieldExpectation(name, schema);
  const violation = createViolation(
    'required',
    path,
    `must be ${description}`,
    undefined,
    remedy,
    `${schemaPath(path)}: Required value`,
  );
  const value =
    path[path.length - 2] === 'nodeClassRef' && Object.hasOwn(NODE_CLASS_REF, name) ? NODE_CLASS_REF[name] : undefined;
  return value === undefined ? violation : { ...violation, fix: safeFix(setFirstField(path, value)) };
}

function checkCombinations(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const holds = (alternative: Schema) => validate(path, value, alternative).length === 0;
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const combinationViolation = (rule: 'anyOf' | 'oneOf' | 'not', problem: string, detail: string) => [
    createViolation(
      rule,
      path,
      problem,
      value,
      'write a value that the CRD accepts',
      invalidValueText(path, value, detail),
    ),
  ];
  return [
    ...allOf.flatMap((part) => validate(path, value, part)),
    ...(anyOf.length > 0 && !anyOf.some(holds)
      ? combinationViolation(
          'anyOf',
          'must match at least one alternative of the CRD (anyOf)',
          'must validate at least one schema (anyOf)',
        )
      : []),
    ...(oneOf.length > 0 && oneOf.filter(holds).length !== 1
      ? combinationViolation(
          'oneOf',
          'must match exactly one alternative of the CRD (oneOf)',
          'must validate one and only one schema (oneOf)',
        )
      : []),
    ...(not && holds(not)
      ? combinationViolation(
          'not',
          'must not match the schema that the CRD excludes (not)',
          'must not validate the schema (not)',
        )
      : []),
  ];
}

/** Duplicates in lists of the type `set` or `map`. Items of a `map` are compared by its list-map keys. */
export function checkListType(path: FieldPath, value: readonly unknown[], schema: Schema): Violation[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return duplicates(
        path,
        value.map((item) => ({ item, got: item })),
      );
    case 'map':
      return duplicates(
        path,
        value.map((item) => {
          const record = asRecord(item) ?? {};
          const key = Object.fromEntries(
            keys.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
          );
          return { item: key, got: key };
        }),
      );
    default:
      return [];
  }
}

/** Reports the second of several equal items, as the API server does. */
function duplicates(path: FieldPath, entries: ReadonlyArray<{ item: unknown; got: unknown }>): Violation[] {
  const counts = new Map<string, number>();
  return entries.flatMap(({ item, got }, i) => {
    const id = JSON.stringify(item);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count !== 2) return [];
    const itemPath = [...path, i];
    return [
      createViolation(
        'list-type',
        itemPath,
        'must not repeat another item',
        got,
        'remove one of them',
        `${schemaPath(itemPath)}: Duplicate value: ${JSON.stringify(got)}`,
      ),
    ];
  });
}
