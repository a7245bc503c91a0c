import { FieldReader, isToken } from './field-reader';
import { FieldPath } from './model';
import { PlainRecord } from './records';
import { isLabelValue, isQualifiedName } from '../../contract';
import { Operator, parseIntegerLikeGo, RequirementSpec, Toleration } from '../../model';
import { NodeSelectorTerm, PreferredTerm } from '../../scheduling';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const LABEL_VALUE_REMEDY = 'use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

export function readNodeSelector(reader: FieldReader, path: FieldPath, raw: unknown): Record<string, string> {
  const selector = reader.textMap(path, raw);
  for (const [key, value] of Object.entries(selector)) {
    checkKey(reader, [...path, key], key);
    if (!isLabelValue(value)) reader.reject([...path, key], 'must be a label value', value, LABEL_VALUE_REMEDY);
  }
  return selector;
}

export function readRequiredTerms(reader: FieldReader, path: FieldPath, affinity: PlainRecord | undefined): NodeSelectorTerm[] {
  const at = [...path, 'requiredDuringSchedulingIgnoredDuringExecution'];
  const required = reader.record(at, affinity?.requiredDuringSchedulingIgnoredDuringExecution);
  if (!required) return [];
  const terms = reader.records([...at, 'nodeSelectorTerms'], required.nodeSelectorTerms);
  if (terms.length === 0) reader.reject([...at, 'nodeSelectorTerms'], 'must hold a term', required.nodeSelectorTerms, 'add a term, or remove the affinity');
  return terms.map((term) => readTerm(reader, term.at, term.item));
}

export function readPreferredTerms(reader: FieldReader, path: FieldPath, affinity: PlainRecord | undefined): PreferredTerm[] {
  const at = [...path, 'preferredDuringSchedulingIgnoredDuringExecution'];
  return reader.records(at, affinity?.preferredDuringSchedulingIgnoredDuringExecution).map((term) => {
    const weight = reader.count([...term.at, 'weight'], term.item.weight ?? 0) ?? 1;
    if (weight < 1 || weight > 100) reader.reject([...term.at, 'weight'], 'must be an integer from 1 to 100', weight, 'write 1 to 100');
    const preference = reader.record([...term.at, 'preference'], term.item.preference ?? {});
    return { weight, term: readTerm(reader, [...term.at, 'preference'], preference ?? {}) };
  });
}

function readTerm(reader: FieldReader, path: FieldPath, term: PlainRecord): NodeSelectorTerm {
  const at = [...path, 'matchExpressions'];
  return { matchExpressions: reader.records(at, term.matchExpressions).flatMap((e) => readExpression(reader, e.at, e.item) ?? []) };
}

function readExpression(reader: FieldReader, path: FieldPath, raw: PlainRecord): RequirementSpec | undefined {
  const key = reader.text([...path, 'key'], raw.key ?? '');
  const operator = reader.oneOf([...path, 'operator'], raw.operator ?? '', OPERATORS);
  const values = reader.texts([...path, 'values'], raw.values);
  if (key === undefined || operator === undefined) return undefined;
  checkKey(reader, [...path, 'key'], key);
  const problem = valuesProblem(operator, values);
  if (problem && reader.tokens.length === 0) reader.reject([...path, 'values'], problem, raw.values, 'correct the values, or use another operator');
  return { key, operator: operator as Operator, values };
}

function valuesProblem(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'Exists' || operator === 'DoesNotExist') return values.length > 0 ? `must be empty when the operator is ${operator}` : undefined;
  if (operator === 'Gt' || operator === 'Lt') {
    const number = values.length === 1 ? parseIntegerLikeGo(values[0]) : undefined;
    return number === undefined || number < 0n ? `must be one integer of 0 or more, as a string, when the operator is ${operator}` : undefined;
  }
  if (values.length === 0) return `must hold a value when the operator is ${operator}`;
  return values.every(isLabelValue) ? undefined : 'must be label values';
}

export function readTolerations(reader: FieldReader, path: FieldPath, raw: unknown): Toleration[] {
  return reader.records(path, raw).map(({ at, item }) => {
    const operator = reader.oneOf([...at, 'operator'], item.operator, ['Exists', 'Equal', 'Lt', 'Gt', '']);
    const key = reader.text([...at, 'key'], item.key);
    const value = reader.text([...at, 'value'], item.value);
    if (!key && operator !== 'Exists') reader.reject([...at, 'operator'], 'must be Exists where there is no key', item.operator, 'write Exists, or a key');
    if (value && operator === 'Exists') reader.reject([...at, 'value'], 'must be empty when the operator is Exists', value, 'remove the value, or write Equal');
    const effect = reader.oneOf([...at, 'effect'], item.effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute', '']);
    return { key, operator, value, effect, tolerationSeconds: readTolerationSeconds(reader, [...at, 'tolerationSeconds'], item) };
  });
}

/** What is less than nothing is nothing. */
function readTolerationSeconds(reader: FieldReader, path: FieldPath, { tolerationSeconds: written, effect }: PlainRecord): number | undefined {
  if (written === undefined || written === null) return undefined;
  if (effect !== 'NoExecute' && !isToken(effect)) {
    return reader.reject(path, 'must go with the effect NoExecute', written, 'write effect: NoExecute, or remove it');
  }
  return Number.isSafeInteger(written) && Number(written) < 0 ? 0 : reader.count(path, written);
}

function checkKey(reader: FieldReader, path: FieldPath, key: string): void {
  if (!isQualifiedName(key)) reader.reject(path, 'must be a label key', key, 'write <name> or <dns domain>/<name>');
}
