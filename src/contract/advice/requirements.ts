import { WELL_KNOWN_VALUES } from '../../model';
import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { misread } from './misread';

/** What Karpenter makes of requirements other than what they say. */
export function adviseOnRequirements(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) => adviseOnRequirement([...path, i, 'values'], asRecord(item) ?? {}));
}

function adviseOnRequirement(path: FieldPath, { key, operator, values: raw }: Readonly<Record<string, unknown>>): FieldProblem[] {
  const values: readonly unknown[] = Array.isArray(raw) ? raw : [];
  if (operator === 'NotIn' && values.length === 0) {
    return [misread(path, 'must hold a value when the operator is NotIn, or it means Exists', raw, 'add a value, or remove the requirement')];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    return [misread(path, `must be empty when the operator is ${operator}, which ignores values`, raw, 'remove the values, or use In or NotIn')];
  }
  const known = typeof key === 'string' && operator === 'In' ? WELL_KNOWN_VALUES.get(key) : undefined;
  if (!known || values.every((value) => known.has(value as string))) return [];
  const list = [...known].join(', ');
  return [misread(path, `must be among ${list} for ${String(key)}`, raw, `write ${list}, in lower case`)];
}
