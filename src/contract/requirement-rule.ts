/**
 * Rules for one entry of `requirements`, of a NodePool and of a NodeOverlay.
 *
 * Sources: karpenter.sh_nodepools.yaml and karpenter.sh_nodeoverlays.yaml of 1.15.1 for what the API server refuses, and ValidateRequirement in
 * sigs.k8s.io/karpenter v1.15.0 pkg/apis/v1/nodeclaim_validation.go for what Karpenter then refuses itself.
 */
import { Operator, WELL_KNOWN_VALUES } from '../model';
import { Consequence, FieldPath, FieldProblem } from './field-problem';
import { checkLabelValue, checkNodeOverlayLabelKey, checkNodePoolLabelKey } from './label-rule';
import { asRecord, checkEnum, checkInteger, ifPresent, IntegerRule, rejected, withConsequence } from './value-rule';

export const REQUIREMENT_OPERATORS: readonly Operator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
export const NUMERIC_OPERATORS: readonly string[] = ['Gt', 'Lt', 'Gte', 'Lte'];
export const MIN_VALUES: IntegerRule = { min: 1, max: 50 };
export const REQUIREMENTS_COUNT: IntegerRule = { min: 0, max: 100 };

const NON_NEGATIVE_INTEGER = /^\d{1,19}$/;
const MAX_INT64 = 2n ** 63n - 1n;

type Raw = Readonly<Record<string, unknown>>;

export function checkRequirement(path: FieldPath, raw: unknown): FieldProblem[] {
  const requirement = asRecord(raw);
  if (!requirement) return [notARequirement(path, raw)];
  const { key, minValues } = requirement;
  return [
    ...checkNodePoolLabelKey([...path, 'key'], key),
    ...checkOperands(path, requirement, 'misread'),
    ...ifPresent(minValues, () => checkInteger([...path, 'minValues'], minValues, MIN_VALUES)),
    ...checkMinValues([...path, 'minValues'], requirement),
  ];
}

export function checkOverlayRequirement(path: FieldPath, raw: unknown): FieldProblem[] {
  const requirement = asRecord(raw);
  if (!requirement) return [notARequirement(path, raw)];
  const { key, minValues } = requirement;
  return [
    ...checkNodeOverlayLabelKey([...path, 'key'], key),
    ...checkOperands(path, requirement, 'rejected'),
    ...ifPresent(minValues, () => [rejected([...path, 'minValues'], 'must be absent from a NodeOverlay', minValues, 'remove it')]),
  ];
}

function notARequirement(path: FieldPath, raw: unknown): FieldProblem {
  return rejected(path, 'must be an object with key, operator and values', raw, 'write { key, operator, values }');
}

function checkOperands(path: FieldPath, requirement: Raw, emptyNotIn: Consequence): FieldProblem[] {
  const { operator, values } = requirement;
  return [
    ...checkEnum([...path, 'operator'], operator, REQUIREMENT_OPERATORS),
    ...checkValues([...path, 'values'], typeof operator === 'string' ? operator : '', values, emptyNotIn),
    ...checkKnownValues([...path, 'values'], requirement),
  ];
}

function checkValues(path: FieldPath, operator: string, values: unknown, emptyNotIn: Consequence): FieldProblem[] {
  if (values !== undefined && !Array.isArray(values)) return [rejected(path, 'must be a list of strings', values, 'write a list')];
  const list: unknown[] = values ?? [];
  if (NUMERIC_OPERATORS.includes(operator)) return checkNumericValue(path, operator, list);
  if (operator === 'In' && list.length === 0) return [rejected(path, 'must hold a value when the operator is In', values, 'add a value, or use Exists')];
  if (operator === 'NotIn' && list.length === 0) {
    return [withConsequence(emptyNotIn, path, 'must hold a value when the operator is NotIn, or it means Exists', values, 'add a value, or remove the requirement')];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && list.length > 0) {
    return [withConsequence('misread', path, `must be empty when the operator is ${operator}, which ignores values`, values, 'remove the values, or use In or NotIn')];
  }
  // The schema puts the pattern of a value on the list, where it has no effect.
  return list.flatMap((value, i) => checkLabelValue([...path, i], value, 'not-ready'));
}

function checkNumericValue(path: FieldPath, operator: string, values: readonly unknown[]): FieldProblem[] {
  const [value] = values;
  const ok = values.length === 1 && typeof value === 'string' && NON_NEGATIVE_INTEGER.test(value) && BigInt(value) <= MAX_INT64;
  if (ok) return [];
  const got = values.length === 1 ? value : values;
  return [rejected(path, `must be one integer of 0 or more, as a string, when the operator is ${operator}`, got, 'write for example ["3"]')];
}

function checkMinValues(path: FieldPath, { operator, values, minValues }: Raw): FieldProblem[] {
  if (operator !== 'In' || typeof minValues !== 'number' || !Array.isArray(values) || values.length >= minValues) return [];
  return [rejected(path, `must be at most the number of values (${values.length})`, minValues, `write ${values.length} or less, or add values`)];
}

function checkKnownValues(path: FieldPath, { key, operator, values, minValues }: Raw): FieldProblem[] {
  const known = typeof key === 'string' ? WELL_KNOWN_VALUES.get(key) : undefined;
  if (!known || operator !== 'In' || !Array.isArray(values) || values.length === 0) return [];
  const valid = values.filter((v) => known.has(v));
  if (valid.length === values.length) return [];
  const fatal = valid.length === 0 || (typeof minValues === 'number' && valid.length < minValues);
  const list = [...known].join(', ');
  return [withConsequence(fatal ? 'not-ready' : 'misread', path, `must be among ${list} for ${key}`, values, `write ${list}, in lower case`)];
}
