import { asRecord } from '../field-problem';
import { driftOfField, DriftReason } from './field-drift';
import { EC2_NODE_CLASS_SPEC, NODE_CLAIM_TEMPLATE } from './hashed-types';
import { amiFamilyOrCustom, kubeletJson, storedSpec } from './object-hash';
import { GoField, GoType, isZero, manifestKeyOf, structHash } from './struct-hash';

/** A changed field, and which existing nodes drift. */
export interface ChangedField {
  /** The path, such as `spec.template.spec.taints`. A list is one field. */
  readonly path: string;
  readonly drifts: 'always' | 'if node labels do not match' | 'if the lookup result differs';
  readonly reason: DriftReason;
}

type Path = readonly string[];

/**
 * The changed fields between two manifests of an object, without fields that cause no drift. Defaults are filled in
 * before the comparison. The order of list items is ignored in hashed fields.
 */
export function changedFields(kind: 'NodePool' | 'EC2NodeClass', before: unknown, after: unknown): ChangedField[] {
  const [old, current] = [asRecord(storedSpec(before, kind)) ?? {}, asRecord(storedSpec(after, kind)) ?? {}];
  const paths =
    kind === 'NodePool'
      ? [
          ...differences(old.template, current.template, NODE_CLAIM_TEMPLATE, ['spec', 'template']),
          ...unhashedDifference(old, current, ['template', 'spec', 'requirements']),
        ]
      : [...differences(old, current, EC2_NODE_CLASS_SPEC, ['spec']), ...nodeClassDifferences(old, current)];
  return paths.flatMap((path) => {
    const { drifts, reason } = driftOfField(kind, path);
    return drifts === 'never' || reason === undefined ? [] : [{ path: path.join('.'), drifts, reason }];
  });
}

type Spec = Readonly<Record<string, unknown>>;

function nodeClassDifferences(old: Spec, current: Spec): Path[] {
  const terms = [
    'amiSelectorTerms',
    'securityGroupSelectorTerms',
    'subnetSelectorTerms',
    'capacityReservationSelectorTerms',
  ];
  return [
    ...(amiFamilyOrCustom(old) === amiFamilyOrCustom(current) ? [] : [['spec', 'amiFamily']]),
    ...(kubeletJson(old) === kubeletJson(current) ? [] : [['spec', 'kubelet']]),
    ...terms.flatMap((field) => unhashedDifference(old, current, [field])),
  ];
}

function differences(old: unknown, current: unknown, type: GoType, path: Path): Path[] {
  const [before, after] = [asRecord(old), asRecord(current)];
  if (type.kind === 'struct' && before && after) {
    return type.fields
      .filter(({ ignored }) => !ignored)
      .flatMap((field) => fieldDifferences(before[manifestKeyOf(field)], after[manifestKeyOf(field)], field, path));
  }
  if (type.kind === 'stringMap' && before && after) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.filter((key) => before[key] !== after[key]).map((key) => [...path, key]);
  }
  return structHash(old, type) === structHash(current, type) ? [] : [path];
}

function fieldDifferences(old: unknown, current: unknown, field: GoField, path: Path): Path[] {
  const fieldPath = [...path, manifestKeyOf(field)];
  const [wasEmpty, isEmpty] = [isZero(old, field), isZero(current, field)];
  if (wasEmpty || isEmpty) return wasEmpty === isEmpty ? [] : [fieldPath];
  return differences(old, current, field.type, fieldPath);
}

function unhashedDifference(old: Spec, current: Spec, path: Path): Path[] {
  const valueIn = (spec: Spec) =>
    JSON.stringify(path.reduce<unknown>((value, step) => asRecord(value)?.[step], spec) ?? []);
  return valueIn(old) === valueIn(current) ? [] : [['spec', ...path]];
}
