import { suggestLabelKey } from '../../model';
import { CelError, CelValue, CompiledRule, compiledRule, resetCost, TooCostly, UnknownFunction } from '../cel';
import { FieldPath } from '../field-problem';
import { asRecord } from '../value-rule';
import { celValue, childSchema } from './cel-value';
import { adviceFor } from './rule-advice';
import { CelRule, Schema } from './schema';
import { invalid, isInside, refusal, Violation } from './violation';

/** Longer keys are no misspelt ones. */
const LONGEST_KEY = 316;

/**
 * What of the rules in CEL a value breaks when it is created.
 *
 * @param broken fields in which the schema has found what would confuse the rules: those over them are not asked
 */
export function checkCelRules(value: unknown, schema: Schema, broken: readonly FieldPath[]): Violation[] {
  resetCost();
  const path: FieldPath = [];
  try {
    return checkValue(path, value, schema, broken);
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    const detail = 'validation failed due to running out of cost budget, no further validation rules will be run';
    return [refusal('cel', path, 'takes more work to judge than Kubernetes spends on one object', undefined, 'split the object', invalid(path, 'object', detail))];
  }
}

function checkValue(path: FieldPath, value: unknown, schema: Schema, broken: readonly FieldPath[]): Violation[] {
  if (value === null || value === undefined || !hasRules(schema)) return [];
  const inside = broken.filter((field) => isInside(field, path));
  return [...(inside.length > 0 ? [] : checkOwn(path, value, schema)), ...checkChildren(path, value, schema, inside)];
}

const withRules = new WeakMap<Schema, boolean>();

/** Whether there is anything to ask of a value or of what is in it. */
function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, items, additionalProperties } = schema;
  const children = [...Object.values(properties), items, additionalProperties].filter((child): child is Schema => typeof child === 'object');
  const found = (schema['x-kubernetes-validations'] ?? []).length > 0 || children.some(hasRules);
  withRules.set(schema, found);
  return found;
}

function checkChildren(path: FieldPath, value: unknown, schema: Schema, broken: readonly FieldPath[]): Violation[] {
  if (broken.some((field) => field.length === path.length)) return [];
  if (Array.isArray(value)) return schema.items ? value.flatMap((item, i) => checkValue([...path, i], item, schema.items!, broken)) : [];
  return Object.entries(asRecord(value) ?? {}).flatMap(([name, item]) => {
    const child = childSchema(schema, name);
    return child ? checkValue([...path, name], item, child, broken) : [];
  });
}

function checkOwn(path: FieldPath, value: unknown, schema: Schema): Violation[] {
  const rules = schema['x-kubernetes-validations'];
  if (!rules || rules.length === 0) return [];
  const self = celValue(value, schema);
  const found = rules.flatMap((rule) => {
    const compiled = compiledRule(rule.rule);
    if (compiled.isTransition) return [];
    const failure = failureOf(compiled, self);
    if (failure instanceof UnknownFunction) return [unjudged(path, rule, value, failure)];
    if (failure === undefined) return [];
    const apiServer = apiServerText(path, schema, value, rule, failure);
    return places(compiled, self, rule).map((item) => violation(rule, [...path, ...item], valueAt(value, item), apiServer));
  });
  // A list without items breaks also what is meant of its items, as in `!self.all(…)`.
  return Array.isArray(value) && value.length === 0 ? found.slice(0, 1) : found;
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

function unjudged(path: FieldPath, { rule, message }: CelRule, value: unknown, { message: why }: UnknownFunction): Violation {
  const problem = `cannot be judged by the rule ${JSON.stringify(message ?? rule)}: ${why}`;
  return refusal('cel', path, problem, value, 'apply it with --dry-run=server to see what the API server says', '', 'misread');
}

/** Steps from `self` to what breaks the rule. */
function places(compiled: CompiledRule, self: CelValue, rule: CelRule): FieldPath[] {
  const items = compiled.failingItems(self);
  return items.length === 0 ? [[]] : items.slice(adviceFor(rule).lastOnly ? -1 : 0).map((item) => [item]);
}

function violation(rule: CelRule, item: FieldPath, value: unknown, apiServer: string): Violation {
  const { field: named, missingOf, problem, remedy } = adviceFor(rule);
  const field = named ?? missingOf?.find((name) => asRecord(value)?.[name] === undefined);
  const path = field === undefined ? item : [...item, field];
  const got = field === undefined ? value : asRecord(value)?.[field];
  return refusal('cel', path, problem, got, labelRemedy(rule, got) ?? remedy, apiServer);
}

/** Of a key in one of Karpenter's own domains: the well-known one that was likely meant. */
function labelRemedy({ message = '' }: CelRule, key: unknown): string | undefined {
  const meant = message.startsWith('label domain ') && typeof key === 'string' && key.length <= LONGEST_KEY ? suggestLabelKey(key) : undefined;
  return meant === undefined ? undefined : `write ${meant}, or use a domain of your own`;
}

/** Of a map, the item is a key, which is what is wrong with it. */
function valueAt(value: unknown, [item]: FieldPath): unknown {
  if (item === undefined) return value;
  return typeof item === 'number' ? (value as readonly unknown[])[item] : item;
}

function apiServerText(path: FieldPath, schema: Schema, value: unknown, { rule, message }: CelRule, failure: string): string {
  const detail = failure === '' ? message?.trim() ?? `failed rule: ${rule.trim()}` : `${failure} evaluating rule: ${message?.trim() ?? rule.trim()}`;
  return invalid(path, schema.type === 'object' || schema.type === 'array' ? schema.type : value, detail);
}
