/**
 * Rules for taints and startup taints of a NodePool.
 *
 * Sources: karpenter.sh_nodepools.yaml of 1.15.1, and validateTaints in sigs.k8s.io/karpenter v1.15.0.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { isQualifiedName } from './label-rule';
import { asRecord, checkEnum, checkPattern, ifPresent, PatternRule, rejected, withConsequence } from './value-rule';

export const TAINT_EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** RFC 3339, as the schema's format `date-time` wants it. */
const TIMESTAMP: PatternRule = {
  pattern: /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  meaning: 'a date and time',
  remedy: 'write for example 2026-01-31T12:00:00Z',
};

export interface TaintLists {
  readonly taints?: unknown;
  readonly startupTaints?: unknown;
}

/** Both lists at once: one key and effect may stand in one of them only, and once. */
export function checkTaints(path: FieldPath, lists: TaintLists): FieldProblem[] {
  const seen = new Set<string>();
  return (['taints', 'startupTaints'] as const).flatMap((field) => checkList([...path, field], lists[field], seen));
}

function checkList(path: FieldPath, raw: unknown, seen: Set<string>): FieldProblem[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list of taints', raw, 'write a list of { key, value, effect }')];
  return raw.flatMap((taint, i) => [...checkTaint([...path, i], taint), ...checkUnique([...path, i], taint, seen)]);
}

function checkTaint(path: FieldPath, raw: unknown): FieldProblem[] {
  const taint = asRecord(raw);
  if (!taint) return [rejected(path, 'must be an object with key, value and effect', raw, 'write { key, value, effect }')];
  return [
    ...checkName([...path, 'key'], taint.key, 'a taint key'),
    ...(taint.value === undefined || taint.value === '' ? [] : checkName([...path, 'value'], taint.value, 'a taint value')),
    ...checkEnum([...path, 'effect'], taint.effect, TAINT_EFFECTS),
    ...ifPresent(taint.timeAdded, () => checkPattern([...path, 'timeAdded'], taint.timeAdded, TIMESTAMP)),
  ];
}

function checkName(path: FieldPath, value: unknown, what: string): FieldProblem[] {
  if (typeof value === 'string' && isQualifiedName(value)) return [];
  const remedy = typeof value === 'string' || value === undefined ? 'write <name> or <dns domain>/<name>, with letters, digits, "-", "_" and "."' : 'put the value in quotes';
  return [rejected(path, `must be ${what}`, value, remedy)];
}

function checkUnique(path: FieldPath, raw: unknown, seen: Set<string>): FieldProblem[] {
  const taint = asRecord(raw);
  if (!taint || typeof taint.key !== 'string' || typeof taint.effect !== 'string') return [];
  const id = `${taint.key}:${taint.effect}`;
  if (!seen.has(id)) {
    seen.add(id);
    return [];
  }
  return [withConsequence('not-ready', path, 'must not repeat the key and effect of another taint or startup taint', id, 'remove one of them, or change its key')];
}
