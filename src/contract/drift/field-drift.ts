/**
 * Which nodes drift if a field changes.
 *
 * Sources: pkg/controllers/nodeclaim/disruption/drift.go of Karpenter 1.15.0, pkg/cloudprovider/drift.go of Karpenter
 * for AWS 1.15.1, and the struct tags of the fields that the hashes ignore.
 */
import { EC2_NODE_CLASS_SPEC, NODE_CLAIM_TEMPLATE } from './hashed-types';
import { GoType, manifestKeyOf } from './struct-hash';

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
