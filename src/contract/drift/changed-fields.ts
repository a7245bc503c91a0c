import { asRecord } from '../value-rule';
import { DriftReason, driftOfField } from './field-drift';
import { EC2_NODE_CLASS_SPEC, NODE_CLAIM_TEMPLATE } from './hashed-types';
import { familyOf, kubeletText, storedSpec } from './stored-spec';
import { GoField, GoType, isZero, keyOf, structHash } from './struct-hash';

/** A field that is not as it was, and what that means for nodes that are there. */
export interface ChangedField {
  /** As in `spec.template.spec.taints`; a list is one field. */
  readonly path: string;
  readonly drifts: 'always' | 'where labels differ' | 'where it finds something else';
  readonly reason: DriftReason;
}

type Path = readonly string[];

/**
 * The fields in which two manifests of an object differ. Fields that cause no drift are left out. What the
 * API server fills in is no difference to what is written, and the order of a list is none at all.
 */
export function changedFields(kind: 'NodePool' | 'EC2NodeClass', before: unknown, after: unknown): ChangedField[] {
  const [old, current] = [asRecord(storedSpec(before, kind)) ?? {}, asRecord(storedSpec(after, kind)) ?? {}];
  const paths = kind === 'NodePool'
    ? [...differences(old.template, current.template, NODE_CLAIM_TEMPLATE, ['spec', 'template']), ...unequal(old, current, ['template', 'spec', 'requirements'])]
    : [...differences(old, current, EC2_NODE_CLASS_SPEC, ['spec']), ...ofNodeClass(old, current)];
  return paths.flatMap((path) => {
    const { drifts, reason } = driftOfField(kind, path);
    return drifts === 'never' || reason === undefined ? [] : [{ path: path.join('.'), drifts, reason }];
  });
}

type Spec = Readonly<Record<string, unknown>>;

function ofNodeClass(old: Spec, current: Spec): Path[] {
  const terms = ['amiSelectorTerms', 'securityGroupSelectorTerms', 'subnetSelectorTerms', 'capacityReservationSelectorTerms'];
  return [
    ...familyOf(old) === familyOf(current) ? [] : [['spec', 'amiFamily']],
    ...kubeletText(old) === kubeletText(current) ? [] : [['spec', 'kubelet']],
    ...terms.flatMap((field) => unequal(old, current, [field])),
  ];
}

function differences(old: unknown, current: unknown, type: GoType, path: Path): Path[] {
  const [before, after] = [asRecord(old), asRecord(current)];
  if (type.kind === 'struct' && before && after) {
    return type.fields.filter(({ ignored }) => !ignored).flatMap((field) => ofField(before[keyOf(field)], after[keyOf(field)], field, path));
  }
  if (type.kind === 'texts' && before && after) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.filter((key) => before[key] !== after[key]).map((key) => [...path, key]);
  }
  return structHash(old, type) === structHash(current, type) ? [] : [path];
}

function ofField(old: unknown, current: unknown, field: GoField, path: Path): Path[] {
  const at = [...path, keyOf(field)];
  const [wasNothing, isNothing] = [isZero(old, field), isZero(current, field)];
  if (wasNothing || isNothing) return wasNothing === isNothing ? [] : [at];
  return differences(old, current, field.type, at);
}

function unequal(old: Spec, current: Spec, path: Path): Path[] {
  const at = (spec: Spec) => JSON.stringify(path.reduce<unknown>((value, step) => asRecord(value)?.[step], spec) ?? []);
  return at(old) === at(current) ? [] : [['spec', ...path]];
}
