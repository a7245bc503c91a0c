/**
 * The relations between size, IOPS and throughput of a volume, which only EC2 checks at launch.
 *
 * Sources: https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html; the size of the root volume is
 * `launch_block_device_mappings_volume_size` in templates/al2023/variables-default.json of awslabs/amazon-eks-ami.
 */
import { Quantity, valueText } from '../../model';
import { amiFamilyOfClass } from '../ami-family';
import { setField, unsafeFix } from '../field-edit';
import { asRecord, FieldPath, FieldProblem, launchFails } from '../field-problem';

const GIB = 2 ** 30;
/** IOPS that a gp3 volume of any size has. */
const GP3_BASELINE = 3_000;
/** The most IOPS for each GiB. */
const IOPS_PER_GIB: Readonly<Record<string, number>> = { gp3: 500, io1: 50, io2: 1_000 };
/** The most MiB/s for each of the IOPS of a gp3 volume. */
const THROUGHPUT_PER_IOPS = 0.25;
/** Sizes in GiB. */
const SIZES: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  gp2: { min: 1, max: 16_384 },
  gp3: { min: 1, max: 65_536 },
  io1: { min: 4, max: 16_384 },
  io2: { min: 4, max: 65_536 },
  st1: { min: 125, max: 16_384 },
  sc1: { min: 125, max: 16_384 },
};
/** GiB of the snapshot of the root volume in EKS-optimized AMIs of Amazon Linux. */
const ROOT_SNAPSHOT_GIB = 20;
const ROOT_DEVICE = '/dev/xvda';
/** The families whose root device is known. */
const AMAZON_FAMILIES: ReadonlyArray<string | undefined> = ['AL2', 'AL2023', 'Bottlerocket'];

/** @param path of the `ebs` field */
export function checkVolumeRates(path: FieldPath, ebs: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { volumeType: type, iops, throughput, volumeSize } = ebs;
  if (typeof type !== 'string') return [];
  const size = gibOf(volumeSize);
  const range = Object.hasOwn(SIZES, type) ? SIZES[type] : undefined;
  const perGib = Object.hasOwn(IOPS_PER_GIB, type) ? IOPS_PER_GIB[type] : undefined;
  const most =
    size === undefined || perGib === undefined ? undefined : Math.max(size * perGib, type === 'gp3' ? GP3_BASELINE : 0);
  const given = typeof iops === 'number' ? iops : GP3_BASELINE;
  return [
    ...(size !== undefined && range !== undefined && (size < range.min || size > range.max)
      ? [
          launchFails(
            [...path, 'volumeSize'],
            `must be from ${range.min}Gi to ${range.max}Gi for a volume of type ${type}`,
            volumeSize,
            `write a size from ${range.min}Gi to ${range.max}Gi`,
          ),
        ]
      : []),
    ...(typeof iops === 'number' && most !== undefined && iops > most
      ? [
          launchFails(
            [...path, 'iops'],
            `must be at most ${most} for ${size}Gi: EBS allows ${perGib} IOPS for each GiB of a volume of type ${type}`,
            iops,
            `write ${most} or less, or a volumeSize of ${Math.ceil(iops / perGib!)}Gi or more`,
          ),
        ]
      : []),
    ...(type === 'gp3' &&
    typeof throughput === 'number' &&
    throughput > given * THROUGHPUT_PER_IOPS &&
    throughput <= 2_000
      ? [
          launchFails(
            [...path, 'throughput'],
            `must be at most ${Math.floor(given * THROUGHPUT_PER_IOPS)} for ${given} IOPS: EBS allows ${THROUGHPUT_PER_IOPS} MiB/s for each of the IOPS`,
            throughput,
            `write ${Math.floor(given * THROUGHPUT_PER_IOPS)} or less, or iops: ${Math.ceil(throughput / THROUGHPUT_PER_IOPS)}`,
            unsafeFix(setField([...path, 'iops'], Math.ceil(throughput / THROUGHPUT_PER_IOPS))),
          ),
        ]
      : []),
    ...((type === 'io1' || type === 'io2') && iops === undefined
      ? [
          launchFails(
            [...path, 'iops'],
            `must be set for a volume of type ${type}`,
            iops,
            'write volumeType: gp3, which has 3000 IOPS at no extra price, or set iops',
            unsafeFix(setField([...path, 'volumeType'], 'gp3')),
          ),
        ]
      : []),
  ];
}

/** Types that EC2 does not boot from. */
const NO_BOOT_TYPES: readonly unknown[] = ['st1', 'sc1'];

/** EC2 refuses a root volume of a throughput-optimised or cold type, and one that is smaller than the snapshot. */
export function checkRootVolume(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  return [...checkBootType(spec), ...checkSnapshotSize(spec)];
}

/** Without a mapping that is marked as the root, the root device is that of all families except Windows. */
function checkBootType(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const mappings: readonly unknown[] = Array.isArray(spec.blockDeviceMappings) ? spec.blockDeviceMappings : [];
  const family = amiFamilyOfClass(spec);
  return mappings.flatMap((mapping, index) => {
    const { deviceName, ebs, rootVolume } = asRecord(mapping) ?? {};
    const { volumeType } = asRecord(ebs) ?? {};
    const isRoot = rootVolume === true || (deviceName === ROOT_DEVICE && AMAZON_FAMILIES.includes(family));
    if (!isRoot || !NO_BOOT_TYPES.includes(volumeType)) return [];
    const path = ['spec', 'blockDeviceMappings', index, 'ebs', 'volumeType'];
    const fix = unsafeFix(setField(path, 'gp3'));
    return [launchFails(path, 'must not be st1 or sc1 for the root volume', volumeType, 'write volumeType: gp3', fix)];
  });
}

function checkSnapshotSize(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const family = amiFamilyOfClass(spec);
  const terms: readonly unknown[] = Array.isArray(spec.amiSelectorTerms) ? spec.amiSelectorTerms : [];
  // Only the AMIs of an alias are certainly those of EKS.
  if ((family !== 'AL2023' && family !== 'AL2') || !terms.some((term) => asRecord(term)?.alias !== undefined))
    return [];
  const mappings: readonly unknown[] = Array.isArray(spec.blockDeviceMappings) ? spec.blockDeviceMappings : [];
  return mappings.flatMap((mapping, index) => {
    const { deviceName, ebs } = asRecord(mapping) ?? {};
    const { volumeSize, snapshotID } = asRecord(ebs) ?? {};
    const size = gibOf(volumeSize);
    // The API server refuses a number without a unit, which would be in bytes.
    if (/^\d+$/.test(valueText(volumeSize))) return [];
    if (deviceName !== ROOT_DEVICE || snapshotID !== undefined || size === undefined || size >= ROOT_SNAPSHOT_GIB)
      return [];
    const path = ['spec', 'blockDeviceMappings', index, 'ebs', 'volumeSize'];
    return [
      launchFails(
        path,
        `must be at least ${ROOT_SNAPSHOT_GIB}Gi, the size of the snapshot of ${family} AMIs`,
        volumeSize,
        `write ${ROOT_SNAPSHOT_GIB}Gi or more`,
        unsafeFix(setField(path, `${ROOT_SNAPSHOT_GIB}Gi`)),
      ),
    ];
  });
}

/** Karpenter rounds up to GiB. Undefined if the value is no size. */
function gibOf(value: unknown): number | undefined {
  const size = Quantity.tryParse(value);
  return size === undefined ? undefined : Math.ceil(Number(size.value()) / GIB);
}
