/**
 * What an EC2NodeClass (karpenter.k8s.aws/v1) may hold.
 *
 * Source: karpenter.k8s.aws_ec2nodeclasses.yaml as shipped with Karpenter for AWS 1.15.1.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { checkKubelet } from './kubelet-rule';
import { AMI_ALIAS_FAMILIES, checkAmiSelectorTerms, checkSecurityGroupSelectorTerms, checkSubnetSelectorTerms } from './selector-rule';
import { asRecord, checkBoolean, checkEnum, checkInteger, checkPattern, checkSize, checkText, ifPresent, IntegerRule, PatternRule, rejected } from './value-rule';

export const AMI_FAMILIES: readonly string[] = ['AL2', 'AL2023', 'Bottlerocket', 'Custom', 'Windows2019', 'Windows2022', 'Windows2025'];
export const VOLUME_TYPES: readonly string[] = ['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'];
export const BLOCK_DEVICES_COUNT: IntegerRule = { min: 0, max: 50 };
export const VOLUME_INITIALIZATION_RATE_MIB: IntegerRule = { min: 100, max: 300 };
export const METADATA_HOP_LIMIT: IntegerRule = { min: 1, max: 64 };
export const INSTANCE_STORE_POLICIES: readonly string[] = ['RAID0'];

/** What the API server fills in where an EC2NodeClass says nothing. */
export const METADATA_DEFAULTS = { httpEndpoint: 'enabled', httpProtocolIPv6: 'disabled', httpPutResponseHopLimit: 1, httpTokens: 'required' } as const;

/**
 * The schema's pattern as it is: its Ti branch leaves out 18Ti, 19Ti, 28Ti and others, which can be written in Gi. One
 * empty alternative of it is left out here: a bare `Ti` or `T` passes the pattern, and is then no quantity.
 */
export const VOLUME_SIZE: PatternRule = {
  pattern: /^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]|[1-5][0-7]|58)Ti|([1-9]|[1-5][0-9]|6[0-3]|64)T)$/,
  meaning: 'a whole number of Gi (1 to 59000), G (1 to 64000), Ti or T',
  remedy: 'write for example 30Gi',
};

/** Ranges of EBS; the API server takes any number, and EC2 then refuses the launch. Source: the schema's field descriptions. */
export const GP3_THROUGHPUT_MIB: IntegerRule = { min: 125, max: 1000 };
export const IOPS_BY_VOLUME_TYPE: Readonly<Record<string, IntegerRule>> = {
  gp3: { min: 3000, max: 16000 }, io1: { min: 100, max: 64000 }, io2: { min: 100, max: 64000 },
};

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
    ...checkIdentity(spec),
    ...ifPresent(spec.blockDeviceMappings, () => checkBlockDevices(['spec', 'blockDeviceMappings'], spec.blockDeviceMappings)),
    ...ifPresent(spec.metadataOptions, () => checkMetadataOptions(['spec', 'metadataOptions'], spec.metadataOptions)),
    ...ifPresent(spec.tags, () => checkTags(['spec', 'tags'], spec.tags)),
    ...ifPresent(spec.kubelet, () => checkKubelet(['spec', 'kubelet'], spec.kubelet)),
    ...ifPresent(spec.instanceStorePolicy, () => checkEnum(['spec', 'instanceStorePolicy'], spec.instanceStorePolicy, INSTANCE_STORE_POLICIES)),
    ...['detailedMonitoring', 'associatePublicIPAddress'].flatMap((field) => ifPresent(spec[field], () => checkBoolean(['spec', field], spec[field]))),
  ];
}

function checkAmiFamily(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const terms = Array.isArray(spec.amiSelectorTerms) ? spec.amiSelectorTerms : [];
  const alias = terms.map((term) => asRecord(term)?.alias).find((a) => typeof a === 'string');
  const path = ['spec', 'amiFamily'];
  const family = spec.amiFamily ?? undefined;
  if (family === undefined) {
    return alias === undefined ? [rejected(path, 'must be set unless an alias selects the AMI', undefined, `write ${AMI_FAMILIES.join(', ')}`)] : [];
  }
  const expected = alias === undefined ? undefined : AMI_ALIAS_FAMILIES[String(alias).split('@')[0]];
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

function checkBlockDevices(path: FieldPath, raw: unknown): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list of block devices', raw, 'write a list of { deviceName, ebs }')];
  const roots = raw.filter((device) => asRecord(device)?.rootVolume === true).length;
  return [
    ...checkSize(path, raw.length, BLOCK_DEVICES_COUNT, 'block devices'),
    ...raw.flatMap((device, i) => checkBlockDevice([...path, i], device)),
    ...(roots > 1 ? [rejected(path, 'must have at most one root volume', roots, 'set rootVolume on one device only')] : []),
  ];
}

function checkBlockDevice(path: FieldPath, raw: unknown): FieldProblem[] {
  const device = asRecord(raw);
  if (!device) return [rejected(path, 'must be an object', raw, 'write { deviceName, ebs }')];
  return [
    ...ifPresent(device.deviceName, () => checkText([...path, 'deviceName'], device.deviceName)),
    ...ifPresent(device.rootVolume, () => checkBoolean([...path, 'rootVolume'], device.rootVolume)),
    ...ifPresent(device.ebs, () => checkVolume([...path, 'ebs'], device.ebs)),
  ];
}

function checkVolume(path: FieldPath, raw: unknown): FieldProblem[] {
  const ebs = asRecord(raw);
  if (!ebs) return [rejected(path, 'must be an object', raw, 'write { volumeSize, volumeType }')];
  const { volumeSize, snapshotID, volumeType, volumeInitializationRate: rate } = ebs;
  return [
    ...ifPresent(volumeSize, () => checkPattern([...path, 'volumeSize'], volumeSize, VOLUME_SIZE)),
    ...ifPresent(volumeType, () => checkEnum([...path, 'volumeType'], volumeType, VOLUME_TYPES)),
    ...ifPresent(rate, () => checkInteger([...path, 'volumeInitializationRate'], rate, VOLUME_INITIALIZATION_RATE_MIB)),
    ...['encrypted', 'deleteOnTermination'].flatMap((field) => ifPresent(ebs[field], () => checkBoolean([...path, field], ebs[field]))),
    ...['iops', 'throughput'].flatMap((field) => ifPresent(ebs[field], () => checkInteger([...path, field], ebs[field], { min: 0 }))),
    ...['kmsKeyID', 'snapshotID'].flatMap((field) => ifPresent(ebs[field], () => checkText([...path, field], ebs[field]))),
    ...((volumeSize ?? snapshotID ?? undefined) === undefined ? [rejected([...path, 'volumeSize'], 'must be set unless there is a snapshot', undefined, 'write for example 30Gi')] : []),
    ...((rate ?? undefined) !== undefined && !snapshotID ? [rejected([...path, 'snapshotID'], 'must be set where volumeInitializationRate is', snapshotID, 'add the snapshot, or remove the rate')] : []),
  ];
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
