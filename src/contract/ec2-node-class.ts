/**
 * What an EC2NodeClass (karpenter.k8s.aws/v1) may hold.
 *
 * Source: karpenter.k8s.aws_ec2nodeclasses.yaml as shipped with Karpenter for AWS 1.15.1.
 */
import { checkBlockDevices } from './block-device-rule';
import { FieldPath, FieldProblem } from './field-problem';
import { checkKubeletOfFamily } from './kubelet-family-rule';
import { checkKubelet } from './kubelet-rule';
import { checkNetwork } from './network-rule';
import { checkPlacement } from './placement-rule';
import {
  AMI_ALIAS_FAMILIES, checkAmiSelectorTerms, checkCapacityReservationSelectorTerms, checkSecurityGroupSelectorTerms, checkSubnetSelectorTerms,
} from './selector-rule';
import { asRecord, checkBoolean, checkEnum, checkInteger, checkString, checkText, ifPresent, IntegerRule, rejected } from './value-rule';

export const AMI_FAMILIES: readonly string[] = ['AL2', 'AL2023', 'Bottlerocket', 'Custom', 'Windows2019', 'Windows2022', 'Windows2025'];
export const METADATA_HOP_LIMIT: IntegerRule = { min: 1, max: 64 };
export const INSTANCE_STORE_POLICIES: readonly string[] = ['RAID0'];

/** What the API server fills in where an EC2NodeClass says nothing. */
export const METADATA_DEFAULTS = { httpEndpoint: 'enabled', httpProtocolIPv6: 'disabled', httpPutResponseHopLimit: 1, httpTokens: 'required' } as const;

/** Tags that Karpenter sets itself. */
export const RESTRICTED_TAG_KEYS: readonly string[] = ['eks:eks-cluster-name', 'karpenter.sh/nodepool', 'karpenter.sh/nodeclaim', 'karpenter.k8s.aws/ec2nodeclass'];
export const RESTRICTED_TAG_PREFIX = 'kubernetes.io/cluster';

/** Every problem of an EC2NodeClass's `spec`, given as in its manifest; an empty list if Karpenter accepts it all. */
export function checkEc2NodeClassSpec(raw: unknown): FieldProblem[] {
  const spec = asRecord(raw);
  if (!spec) return [rejected(['spec'], 'must be an object', raw, 'write amiSelectorTerms, subnetSelectorTerms, securityGroupSelectorTerms and role')];
  return [
    ...checkAmiSelectorTerms(['spec', 'amiSelectorTerms'], spec.amiSelectorTerms),
    ...checkAmiFamily(spec),
    ...checkSubnetSelectorTerms(['spec', 'subnetSelectorTerms'], spec.subnetSelectorTerms),
    ...checkSecurityGroupSelectorTerms(['spec', 'securityGroupSelectorTerms'], spec.securityGroupSelectorTerms),
    ...ifPresent(spec.capacityReservationSelectorTerms,
      () => checkCapacityReservationSelectorTerms(['spec', 'capacityReservationSelectorTerms'], spec.capacityReservationSelectorTerms)),
    ...checkIdentity(spec),
    ...checkPlacement(['spec'], spec),
    ...checkNetwork(['spec'], spec),
    ...ifPresent(spec.blockDeviceMappings, () => checkBlockDevices(['spec', 'blockDeviceMappings'], spec.blockDeviceMappings)),
    ...ifPresent(spec.metadataOptions, () => checkMetadataOptions(['spec', 'metadataOptions'], spec.metadataOptions)),
    ...ifPresent(spec.tags, () => checkTags(['spec', 'tags'], spec.tags)),
    ...ifPresent(spec.kubelet, () => [...checkKubelet(['spec', 'kubelet'], spec.kubelet), ...checkKubeletOfFamily(['spec', 'kubelet'], spec.kubelet, amiFamilyOfClass(spec))]),
    ...ifPresent(spec.instanceStorePolicy, () => checkEnum(['spec', 'instanceStorePolicy'], spec.instanceStorePolicy, INSTANCE_STORE_POLICIES)),
    ...['context', 'userData'].flatMap((field) => ifPresent(spec[field], () => checkString(['spec', field], spec[field]))),
    ...['detailedMonitoring', 'associatePublicIPAddress'].flatMap((field) => ifPresent(spec[field], () => checkBoolean(['spec', field], spec[field]))),
  ];
}

function aliasOf({ amiSelectorTerms }: Readonly<Record<string, unknown>>): string | undefined {
  const terms = Array.isArray(amiSelectorTerms) ? amiSelectorTerms : [];
  return terms.map((term) => asRecord(term)?.alias).find((alias) => typeof alias === 'string');
}

/** The AMI family of a class by its `spec`, named or by its alias; undefined if neither is known. */
export function amiFamilyOfClass(spec: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof spec.amiFamily === 'string') return AMI_FAMILIES.includes(spec.amiFamily) ? spec.amiFamily : undefined;
  const family = aliasOf(spec)?.split('@')[0] ?? '';
  return Object.hasOwn(AMI_ALIAS_FAMILIES, family) ? AMI_ALIAS_FAMILIES[family] : undefined;
}

function checkAmiFamily(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const alias = aliasOf(spec);
  const path = ['spec', 'amiFamily'];
  const family = spec.amiFamily ?? undefined;
  if (family === undefined) {
    return alias === undefined ? [rejected(path, 'must be set unless an alias selects the AMI', undefined, `write ${AMI_FAMILIES.join(', ')}`)] : [];
  }
  const expected = alias === undefined ? undefined : AMI_ALIAS_FAMILIES[alias.split('@')[0]];
  if (expected !== undefined && family !== expected && family !== 'Custom') {
    return [rejected(path, `must be ${expected} or Custom with the alias ${alias}`, family, 'leave it out')];
  }
  return checkEnum(path, family, AMI_FAMILIES);
}

function checkIdentity({ role, instanceProfile }: Readonly<Record<string, unknown>>): FieldProblem[] {
  const given = Object.entries({ role, instanceProfile }).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 1) return checkText(['spec', given[0][0]], given[0][1]);
  const got = given.length === 0 ? undefined : given.map(([field]) => field);
  return [rejected(['spec', 'role'], 'must be set, or else instanceProfile, and not both', got, 'write the name of the node role, which lets Karpenter make the profile')];
}

function checkMetadataOptions(path: FieldPath, raw: unknown): FieldProblem[] {
  const options = asRecord(raw);
  if (!options) return [rejected(path, 'must be an object', raw, 'leave it out for the defaults')];
  const { httpEndpoint, httpProtocolIPv6, httpPutResponseHopLimit, httpTokens } = options;
  return [
    ...ifPresent(httpEndpoint, () => checkEnum([...path, 'httpEndpoint'], httpEndpoint, ['enabled', 'disabled'])),
    ...ifPresent(httpProtocolIPv6, () => checkEnum([...path, 'httpProtocolIPv6'], httpProtocolIPv6, ['enabled', 'disabled'])),
    ...ifPresent(httpPutResponseHopLimit, () => checkInteger([...path, 'httpPutResponseHopLimit'], httpPutResponseHopLimit, METADATA_HOP_LIMIT)),
    ...ifPresent(httpTokens, () => checkEnum([...path, 'httpTokens'], httpTokens, ['required', 'optional'])),
  ];
}

function checkTags(path: FieldPath, raw: unknown): FieldProblem[] {
  const tags = asRecord(raw);
  if (!tags) return [rejected(path, 'must be a map of tags', raw, 'write key: value')];
  return Object.entries(tags).flatMap(([key, value]) => {
    const at = [...path, key];
    if (key === '') return [rejected(at, 'must have a key that is not empty', key, 'write the key')];
    if (RESTRICTED_TAG_KEYS.includes(key) || key.startsWith(RESTRICTED_TAG_PREFIX)) {
      return [rejected(at, 'must not be a tag that Karpenter sets itself', key, 'remove it')];
    }
    return typeof value === 'string' ? [] : [rejected(at, 'must be a string', value, 'put the value in quotes')];
  });
}
