/**
 * NodePool.RuntimeValidate of sigs.k8s.io/karpenter v1.15.0 (pkg/apis/v1/nodepool_validation.go,
 * nodeclaim_validation.go).
 */
import { Label } from '../../model';
import { FieldPath, FieldProblem } from '../field-problem';
import { isLabelValue, isQualifiedName, LABEL_KEY_REMEDY, LABEL_VALUE_REMEDY } from '../label-rule';
import { asRecord } from '../value-rule';
import { notReady } from './not-ready';
import { checkRequirements, checkUnrestricted } from './requirements';

const TEMPLATE: FieldPath = ['spec', 'template'];

export function checkNodePool(spec: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  const template = asRecord(spec.template);
  const nodeSpec = asRecord(template?.spec) ?? {};
  return [
    ...checkLabels([...TEMPLATE, 'metadata', 'labels'], asRecord(asRecord(template?.metadata)?.labels) ?? {}, version),
    ...checkTaints([...TEMPLATE, 'spec'], nodeSpec),
    ...checkRequirements([...TEMPLATE, 'spec', 'requirements'], nodeSpec.requirements, version),
  ];
}

function checkLabels(path: FieldPath, labels: Readonly<Record<string, unknown>>, version: string): FieldProblem[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const at = [...path, key];
    return [
      ...(isQualifiedName(key) ? [] : [notReady(at, 'must be a label key', key, LABEL_KEY_REMEDY)]),
      ...(typeof value === 'string' && !isLabelValue(value) ? [notReady(at, 'must be a label value', value, LABEL_VALUE_REMEDY)] : []),
      ...(key === Label.NODE_POOL ? [notReady(at, `must not be ${key}, which Karpenter sets itself`, key, 'remove it')] : checkUnrestricted(at, key, version)),
    ];
  });
}

/** Both lists at once: one key and effect may stand in one of them only, and once. */
function checkTaints(path: FieldPath, spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const seen = new Set<string>();
  return ['taints', 'startupTaints'].flatMap((field) => {
    const list: readonly unknown[] = Array.isArray(spec[field]) ? spec[field] : [];
    return list.flatMap((raw, i) => checkTaint([...path, field, i], asRecord(raw) ?? {}, seen));
  });
}

function checkTaint(path: FieldPath, { key, value, effect }: Readonly<Record<string, unknown>>, seen: Set<string>): FieldProblem[] {
  // Where one of them is no text, the API server has refused the taint.
  const id = typeof key === 'string' && typeof effect === 'string' ? `${key}:${effect}` : undefined;
  const repeated = id !== undefined && seen.has(id);
  if (id !== undefined) seen.add(id);
  return [
    ...(typeof key === 'string' && !isQualifiedName(key) ? [notReady([...path, 'key'], 'must be a taint key', key, LABEL_KEY_REMEDY)] : []),
    ...(typeof value === 'string' && value !== '' && !isQualifiedName(value) ? [notReady([...path, 'value'], 'must be a taint value', value, LABEL_KEY_REMEDY)] : []),
    ...(repeated ? [notReady(path, 'must not repeat the key and effect of another taint or startup taint', id, 'remove one of them, or change its key')] : []),
  ];
}
