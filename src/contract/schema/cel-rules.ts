import { listText, suggestLabelKey } from '../../model';
import {
  CelError,
  CelValue,
  compileCached,
  CompiledRule,
  CostBudgetExceeded,
  resetCost,
  UnknownFunction,
} from '../cel';
import { removeField, safeFix, setField, unsafeFix } from '../field-edit';
import { asRecord, FieldPath } from '../field-problem';
import { adviceFor } from './rule-advice';
import { CelRule, childSchema, Schema } from './schema';
import { createViolation, invalidValueText, isInside, Violation } from './violation';

/** The longest valid label key. For a longer key, no well-known key is suggested. */
const MAX_KEY_LENGTH = 316;

/**
 * The CEL rules that a value violates when the object is created.
 *
 * @param broken fields with schema errors. Rules on a value that contains one are not evaluated.
 */
export function checkCelRules(value: unknown, schema: Schema, broken: readonly FieldPath[]): Violation[] {
  resetCost();
  const path: FieldPath = [];
  try {
    return checkValue(path, value, schema, broken);
  } catch (error) {
    if (!(error instanceof CostBudgetExceeded)) throw error;
    const detail = 'validation failed due to running out of cost budget, no further validation rules will be run';
    return [
      createViolation(
        'cel',
        path,
        'exceeds the cost that Kubernetes allows for a CEL rule, or for all of an object',
        undefined,
        'make the object smaller',
        invalidValueText(path, 'object', detail),
      ),
    ];
  }
}

function checkValue(path: FieldPath, value: unknown, schema: Schema, broken: readonly FieldPath[]): Violation[] {
  if (value === null || value === undefined || !hasRules(schema)) return [];
  const inside = broken.filter((field) => isInside(field, path));
  return [...(inside.length > 0 ? [] : checkOwn(path, value, schema)), ...checkChildren(path, value, schema, inside)];
}

/** Hot path: a CRD is searched for rules once, since its schema never changes. */
const rulesBySchema = new WeakMap<Schema, boolean>();

/** Whether the schema, or a schema inside it, has CEL rules. */
function hasRules(schema: Schema): boolean {
  const cached = rulesBySchema.get(schema);
  if (cached !== undefined) return cached;
  const { properties = {}, items, additionalProperties } = schema;
  const children = [...Object.values(properties), items, additionalProperties].filter(
    (child): child is Schema => typeof child === 'object',
  );
  const result = (schema['x-kubernetes-validations'] ?? []).length > 0 || children.some(hasRules);
  rulesBySchema.set(schema, result);
  return result;
}

function checkChildren(path: FieldPath, value: unknown, schema: Schema, broken: readonly FieldPath[]): Violation[] {
  if (broken.some((field) => field.length === path.length)) return [];
  if (Array.isArray(value))
    return schema.items ? value.flatMap((item, i) => checkValue([...path, i], item, schema.items!, broken)) : [];
  return Object.entries(asRecord(value) ?? {}).flatMap(([name, item]) => {
    const child = childSchema(schema, name);
    return child ? checkValue([...path, name], item, child, broken) : [];
  });
}

function checkOwn(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const rules = schema['x-kubernetes-validations'];
  if (!rules || rules.length === 0) return [];
  const self = celValue(value, schema);
  const violations = rules.flatMap((rule) => {
    // The API server refuses a CRD with such a rule.
    if (typeof rule?.rule !== 'string') return [];
    const compiled = compileCached(rule.rule);
    if (compiled.isTransition) return [];
    const failure = failureOf(compiled, self);
    if (failure instanceof UnknownFunction) return [notEvaluated(path, rule, value, failure)];
    if (failure === undefined) return [];
    const apiServer = apiServerText(path, schema, value, rule, failure);
    return failingPaths(compiled, self, rule).map((item) =>
      violationOf(rule, [...path, ...item], valueAt(value, item), apiServer),
    );
  });
  // An empty list also violates rules that are meant for its items, such as `!self.all(…)`. Only the first is reported.
  return Array.isArray(value) && value.length === 0 ? violations.slice(0, 1) : violations;
}

/** An empty string if the rule fails, the unknown function if it cannot be evaluated, undefined if it passes. */
function failureOf(rule: CompiledRule, self: CelValue): string | UnknownFunction | undefined {
  try {
    return rule.holds(self) ? undefined : '';
  } catch (error) {
    if (error instanceof UnknownFunction) return error;
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

function notEvaluated(
  path: FieldPath,
  { rule, message }: CelRule,
  value: unknown,
  { message: why }: UnknownFunction,
): Violation {
  const problem = `cannot be evaluated against the rule ${JSON.stringify(message ?? rule)}: ${why}`;
  return createViolation(
    'cel',
    path,
    problem,
    value,
    'apply it with --dry-run=server to see whether the API server accepts it',
    '',
    'misread',
  );
}

/** Paths from `self` to the values that violate the rule. */
function failingPaths(compiled: CompiledRule, self: CelValue, rule: CelRule): FieldPath[] {
  const items = compiled.failingItems(self);
  return items.length === 0 ? [[]] : items.slice(adviceFor(rule).lastOnly ? -1 : 0).map((item) => [item]);
}

function violationOf(rule: CelRule, item: FieldPath, value: unknown, apiServer: string): Violation {
  const { field: fixedField, missingOf, problem, remedy, remedyOf, keeps = [], corrected } = adviceFor(rule);
  const field = fixedField ?? missingOf?.find((name) => asRecord(value)?.[name] === undefined);
  const path = field === undefined ? item : [...item, field];
  const got = field === undefined ? value : asRecord(value)?.[field];
  const violation = createViolation(
    'cel',
    path,
    problem,
    got,
    labelRemedy(rule, got) ?? remedyOf?.(value) ?? remedy,
    apiServer,
  );
  const fields = Object.keys(asRecord(value) ?? {});
  const kept = keeps.find((name) => fields.includes(name));
  if (kept !== undefined) {
    const others = fields.filter((name) => name !== kept);
    const [other, ...more] = others;
    const onlyKept = { [kept]: asRecord(value)![kept] };
    const fix = unsafeFix(more.length === 0 ? removeField([...path, other]) : setField(path, onlyKept));
    return { ...violation, remedy: `remove ${listText(others)}: ${kept} selects the AMI`, fix };
  }
  const meant = corrected?.(got);
  return meant === undefined
    ? violation
    : { ...violation, remedy: `write ${meant}`, fix: safeFix(setField(path, meant)) };
}

/** For a misspelt key in one of Karpenter's own domains: suggests the nearest well-known label. */
function labelRemedy({ message = '' }: CelRule, key: unknown): string | undefined {
  const meant =
    message.startsWith('label domain ') && typeof key === 'string' && key.length <= MAX_KEY_LENGTH
      ? suggestLabelKey(key)
      : undefined;
  return meant === undefined ? undefined : `write ${meant}, or use a domain of your own`;
}

/** The offending value. In a map, the item is a key, and the key itself is the offending value. */
function valueAt(value: unknown, [item]: FieldPath): unknown {
  if (item === undefined) return value;
  return typeof item === 'number' ? (value as readonly unknown[])[item] : item;
}

function apiServerText(
  path: FieldPath,
  schema: Schema,
  value: unknown,
  { rule, message }: CelRule,
  failure: string,
): string {
  const detail =
    failure === ''
      ? (message?.trim() ?? `failed rule: ${rule.trim()}`)
      : `${failure} evaluating rule: ${message?.trim() ?? rule.trim()}`;
  return invalidValueText(path, schema.type === 'object' || schema.type === 'array' ? schema.type : value, detail);
}

/** A value as CEL rules see it: whole numbers are integers, unless the schema's type is `number`. */
export function celValue(value: unknown, schema: Schema | undefined): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items));
  const record = asRecord(value);
  if (!record) return value as string | boolean | null;
  const result: Record<string, CelValue> = Object.create(null);
  for (const [name, item] of Object.entries(record)) result[name] = celValue(item, childSchema(schema, name));
  return result;
}
