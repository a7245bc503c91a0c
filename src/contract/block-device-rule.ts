/**
 * Rules for `blockDeviceMappings` of an EC2NodeClass.
 *
 * Sources: karpenter.k8s.aws_ec2nodeclasses.yaml of 1.15.1; what EBS takes, which the API server does not look at:
 * https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
 */
import { FieldPath, FieldProblem } from './field-problem';
import { asRecord, checkBoolean, checkEnum, checkInteger, checkPattern, checkSize, checkText, ifPresent, IntegerRule, PatternRule, rejected, withConsequence } from './value-rule';

export const VOLUME_TYPES: readonly string[] = ['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'];
export const BLOCK_DEVICES_COUNT: IntegerRule = { min: 0, max: 50 };
export const VOLUME_INITIALIZATION_RATE_MIB: IntegerRule = { min: 100, max: 300 };

/**
 * The schema's pattern as it is: its Ti branch leaves out 18Ti, 19Ti, 28Ti and others, which can be written in Gi. One
 * empty alternative of it is left out here: a bare `Ti` or `T` passes the pattern, and is then no quantity.
 */
export const VOLUME_SIZE: PatternRule = {
  pattern: /^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]|[1-5][0-7]|58)Ti|([1-9]|[1-5][0-9]|6[0-3]|64)T)$/,
  meaning: 'a whole number of Gi (1 to 59000), G (1 to 64000), Ti or T',
  remedy: 'write for example 30Gi',
};

/** IOPS that may be asked for; the other volume types take none. */
export const IOPS_BY_VOLUME_TYPE: Readonly<Record<string, IntegerRule>> = {
  gp3: { min: 3_000, max: 80_000 },
  io1: { min: 100, max: 64_000 },
  io2: { min: 100, max: 256_000 },
};
/** In MiB/s, for gp3 alone. */
export const GP3_THROUGHPUT_MIB: IntegerRule = { min: 125, max: 2_000 };

/** EC2's default where a mapping names no volume type. */
const DEFAULT_VOLUME_TYPE = 'gp2';

export function checkBlockDevices(path: FieldPath, raw: unknown): FieldProblem[] {
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
  const { volumeSize, volumeType, volumeInitializationRate: rate } = ebs;
  return [
    ...ifPresent(volumeSize, () => checkPattern([...path, 'volumeSize'], volumeSize, VOLUME_SIZE)),
    ...ifPresent(volumeType, () => checkEnum([...path, 'volumeType'], volumeType, VOLUME_TYPES)),
    ...ifPresent(rate, () => checkInteger([...path, 'volumeInitializationRate'], rate, VOLUME_INITIALIZATION_RATE_MIB)),
    ...['encrypted', 'deleteOnTermination'].flatMap((field) => ifPresent(ebs[field], () => checkBoolean([...path, field], ebs[field]))),
    ...['kmsKeyID', 'snapshotID'].flatMap((field) => ifPresent(ebs[field], () => checkText([...path, field], ebs[field]))),
    ...checkSource(path, ebs),
    ...checkPerformance(path, ebs),
    ...checkEncryption(path, ebs),
  ];
}

function checkSource(path: FieldPath, ebs: Readonly<Record<string, unknown>>): FieldProblem[] {
  const size = ebs.volumeSize ?? undefined;
  const snapshot = ebs.snapshotID ?? undefined;
  if (size === undefined && snapshot === undefined) {
    return [rejected([...path, 'volumeSize'], 'must be set unless there is a snapshot', undefined, 'write for example 30Gi')];
  }
  if ((ebs.volumeInitializationRate ?? undefined) !== undefined && (snapshot ?? '') === '') {
    return [rejected([...path, 'snapshotID'], 'must be set where volumeInitializationRate is', snapshot, 'add the snapshot, or remove the rate')];
  }
  return [];
}

function checkPerformance(path: FieldPath, ebs: Readonly<Record<string, unknown>>): FieldProblem[] {
  const type = typeof ebs.volumeType === 'string' ? ebs.volumeType : DEFAULT_VOLUME_TYPE;
  const throughputRule = type === 'gp3' ? GP3_THROUGHPUT_MIB : undefined;
  const iopsRule = Object.hasOwn(IOPS_BY_VOLUME_TYPE, type) ? IOPS_BY_VOLUME_TYPE[type] : undefined;
  return [...checkRate([...path, 'iops'], ebs.iops, type, iopsRule), ...checkRate([...path, 'throughput'], ebs.throughput, type, throughputRule)];
}

function checkRate(path: FieldPath, value: unknown, type: string, rule: IntegerRule | undefined): FieldProblem[] {
  return ifPresent(value, () => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return [rejected(path, 'must be an integer', value, 'write a whole number')];
    if (!rule) return [withConsequence('launch-fails', path, `must be absent for a volume of type ${type}`, value, 'remove it, or use gp3')];
    return checkInteger(path, value, rule).map((problem) => ({ ...problem, consequence: 'launch-fails' as const }));
  });
}

function checkEncryption(path: FieldPath, { kmsKeyID, encrypted }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if ((kmsKeyID ?? undefined) === undefined || encrypted === true) return [];
  return [withConsequence('launch-fails', [...path, 'encrypted'], 'must be true where kmsKeyID is set', encrypted, 'write true')];
}
