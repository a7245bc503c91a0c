/**
 * Which nodes drift when a field changes.
 *
 * Sources: pkg/controllers/nodeclaim/disruption/drift.go of Karpenter 1.15.0, pkg/cloudprovider/drift.go of Karpenter
 * for AWS 1.15.1, and the tags of the fields that hashes leave out.
 */
import { EC2_NODE_CLASS_SPEC, NODE_CLAIM_TEMPLATE } from './hashed-types';
import { GoType, keyOf } from './struct-hash';

/** As in the condition Drifted of a NodeClaim, in the order in which Karpenter looks. */
export type DriftReason = 'NodePoolDrifted' | 'RequirementsDrifted' | 'InstanceTypeNotFound' | 'NodeClassDrift' | 'AMIDrift'
| 'SecurityGroupDrift' | 'SubnetDrift' | 'CapacityReservationDrift' | 'PlacementGroupDrift';

export interface FieldDrift {
  /**
   * - `always`: every node drifts that was launched before, since the field is part of the hash;
   * - `where labels differ`: a node drifts whose labels do not meet the requirements any more;
   * - `where it finds something else`: a node drifts when what the terms find in AWS is not what it has, with or
   *   without a change;
   * - `never`.
   */
  readonly drifts: 'always' | 'where labels differ' | 'where it finds something else' | 'never';
  /** Absent where nothing drifts. */
  readonly reason?: DriftReason;
}

const NEVER: FieldDrift = { drifts: 'never' };

/** Hashes leave these out; Karpenter compares what they find with what the instance has. */
const LOOKUPS: Readonly<Record<string, DriftReason>> = {
  amiSelectorTerms: 'AMIDrift',
  securityGroupSelectorTerms: 'SecurityGroupDrift',
  subnetSelectorTerms: 'SubnetDrift',
  capacityReservationSelectorTerms: 'CapacityReservationDrift',
};
/** In the hash not as fields of the spec, but as what comes of them. */
const HASHED_APART: readonly string[] = ['amiFamily', 'kubelet'];

/**
 * What a change of a field drifts. A change of `amiSelectorTerms` that changes the AMI family, which the alias names,
 * drifts like one of `amiFamily`.
 *
 * @param path from the object's root, as in `['spec', 'template', 'spec', 'taints', 0, 'key']`
 */
export function driftOfField(kind: 'NodePool' | 'EC2NodeClass', path: ReadonlyArray<string | number>): FieldDrift {
  if (path[0] !== 'spec') return NEVER;
  if (kind === 'NodePool') return path[1] === 'template' ? ofTemplate(path.slice(2)) : NEVER;
  const field = String(path[1]);
  if (Object.hasOwn(LOOKUPS, field)) return { drifts: 'where it finds something else', reason: LOOKUPS[field] };
  return HASHED_APART.includes(field) || isHashed(EC2_NODE_CLASS_SPEC, path.slice(1)) ? { drifts: 'always', reason: 'NodeClassDrift' } : NEVER;
}

function ofTemplate(path: ReadonlyArray<string | number>): FieldDrift {
  if (path[0] === 'spec' && path[1] === 'requirements') return { drifts: 'where labels differ', reason: 'RequirementsDrifted' };
  return isHashed(NODE_CLAIM_TEMPLATE, path) ? { drifts: 'always', reason: 'NodePoolDrifted' } : NEVER;
}

function isHashed(type: GoType, [step, ...rest]: ReadonlyArray<string | number>): boolean {
  if (step === undefined) return true;
  if (type.kind === 'texts') return rest.length === 0;
  if (type.kind === 'list') return typeof step === 'number' && isHashed(type.of, rest);
  const field = type.kind === 'struct' ? type.fields.find((each) => !each.inline && keyOf(each) === step) : undefined;
  return field !== undefined && !field.ignored && isHashed(field.type, rest);
}
