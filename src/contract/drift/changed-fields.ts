import { asRecord } from '../field-problem';
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

// Which nodes drift if a field changes.
//
// Sources: pkg/controllers/nodeclaim/disruption/drift.go of Karpenter 1.15.0, pkg/cloudprovider/drift.go of Karpenter
// for AWS 1.15.1, and the struct tags of the fields that the hashes ignore.

/** The reason in a NodeClaim's condition Drifted, in the order in which Karpenter checks. */
export type DriftReason =
  | 'NodePoolDrifted'
  | 'RequirementsDrifted'
  | 'InstanceTypeNotFound'
  | 'NodeClassDrift'
  | 'AMIDrift'
  | 'SecurityGroupDrift'
  | 'SubnetDrift'
  | 'CapacityReservationDrift'
  | 'PlacementGroupDrift';

export interface FieldDrift {
  /**
   * - `always`: every node that was launched before the change drifts, because the field is part of the hash;
   * - `if node labels do not match`: a node drifts if its labels no longer meet the requirements;
   * - `if the lookup result differs`: a node drifts if the terms select other AWS resources than the node has. That can
   *   happen without a change of the manifest, too;
   * - `never`.
   */
  readonly drifts: 'always' | 'if node labels do not match' | 'if the lookup result differs' | 'never';
  /** Absent if nothing drifts. */
  readonly reason?: DriftReason;
}

const NEVER: FieldDrift = { drifts: 'never' };

/** Fields that the hash ignores. Karpenter compares their lookup result with the instance. */
const LOOKUPS: Readonly<Record<string, DriftReason>> = {
  amiSelectorTerms: 'AMIDrift',
  securityGroupSelectorTerms: 'SecurityGroupDrift',
  subnetSelectorTerms: 'SubnetDrift',
  capacityReservationSelectorTerms: 'CapacityReservationDrift',
};
/** Fields that are hashed separately, in a derived form. */
const HASHED_SEPARATELY: readonly string[] = ['amiFamily', 'kubelet'];

/**
 * Which nodes drift if a field changes. If a change of `amiSelectorTerms` also changes the AMI family (through the
 * alias), all nodes drift, as with `amiFamily`.
 *
 * @param path from the object's root, such as `['spec', 'template', 'spec', 'taints', 0, 'key']`
 */
export function driftOfField(kind: 'NodePool' | 'EC2NodeClass', path: ReadonlyArray<string | number>): FieldDrift {
  if (path[0] !== 'spec') return NEVER;
  if (kind === 'NodePool') return path[1] === 'template' ? templateDrift(path.slice(2)) : NEVER;
  const field = String(path[1]);
  if (Object.hasOwn(LOOKUPS, field)) return { drifts: 'if the lookup result differs', reason: LOOKUPS[field] };
  return HASHED_SEPARATELY.includes(field) || isHashed(EC2_NODE_CLASS_SPEC, path.slice(1))
    ? { drifts: 'always', reason: 'NodeClassDrift' }
    : NEVER;
}

function templateDrift(path: ReadonlyArray<string | number>): FieldDrift {
  if (path[0] === 'spec' && path[1] === 'requirements')
    return { drifts: 'if node labels do not match', reason: 'RequirementsDrifted' };
  return isHashed(NODE_CLAIM_TEMPLATE, path) ? { drifts: 'always', reason: 'NodePoolDrifted' } : NEVER;
}

function isHashed(type: GoType, [step, ...rest]: ReadonlyArray<string | number>): boolean {
  if (step === undefined) return true;
  if (type.kind === 'stringMap') return rest.length === 0;
  if (type.kind === 'list') return typeof step === 'number' && isHashed(type.of, rest);
  const field =
    type.kind === 'struct'
      ? type.fields.find((candidate) => !candidate.inline && manifestKeyOf(candidate) === step)
      : undefined;
  return field !== undefined && !field.ignored && isHashed(field.type, rest);
}
