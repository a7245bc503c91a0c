/**
 * Warnings about EC2NodeClasses: volumes that EBS rejects, and selector terms that Karpenter partly ignores.
 *
 * Sources: https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html; karpenter.k8s.aws_ec2nodeclasses.yaml
 * and pkg/providers/{subnet,securitygroup,capacityreservation} of Karpenter for AWS 1.15.1.
 */
import { Quantity } from '../../model';
import { cpuUnitProblem } from '../cpu-units';
import { setField, unsafeFix } from '../field-edit';
import { asRecord, FieldPath, FieldProblem, launchFails, misread } from '../field-problem';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Allowed IOPS. Other volume types accept no IOPS setting. */
const IOPS: Readonly<Record<string, Range>> = {
  gp3: { min: 3_000, max: 80_000 },
  io1: { min: 100, max: 64_000 },
  io2: { min: 100, max: 256_000 },
};

/** Allowed throughput in MiB/s. */
const THROUGHPUT: Readonly<Record<string, Range>> = { gp3: { min: 125, max: 2_000 } };

export function checkBlockDevices(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
    const ebs = asRecord(asRecord(item)?.ebs);
    return ebs ? checkVolume([...path, i, 'ebs'], ebs) : [];
  });
}

function checkVolume(
  path: FieldPath,
  { volumeType, iops, throughput, kmsKeyID, encrypted }: Readonly<Record<string, unknown>>,
): FieldProblem[] {
  return [
    ...checkRate([...path, 'iops'], iops, volumeType, IOPS),
    ...checkRate([...path, 'throughput'], throughput, volumeType, THROUGHPUT),
    ...(kmsKeyID !== undefined && encrypted !== true
      ? [
          launchFails([...path, 'encrypted'], 'must be true if kmsKeyID is set', encrypted, 'write true', {
            safe: encrypted === undefined,
            edits: [setField([...path, 'encrypted'], true)],
          }),
        ]
      : []),
  ];
}

function checkRate(
  path: FieldPath,
  value: unknown,
  type: unknown,
  ranges: Readonly<Record<string, Range>>,
): FieldProblem[] {
  if (typeof value !== 'number') return [];
  if (typeof type !== 'string') return [missingVolumeType(path, value)];
  const range = Object.hasOwn(ranges, type) ? ranges[type] : undefined;
  if (!range) return [launchFails(path, `must be absent for a volume of type ${type}`, value, 'remove it, or use gp3')];
  if (value >= range.min && value <= range.max) return [];
  const text = `an integer from ${range.min} to ${range.max}`;
  return [launchFails(path, `must be ${text}`, value, `write ${text}`)];
}

/**
 * A volume without a type gets the type from the AMI if the AMI has this device, and gp2 otherwise. The block device
 * mapping does not show which case applies.
 */
function missingVolumeType(path: FieldPath, value: number): FieldProblem {
  return misread(
    path,
    "needs a volumeType: without it, the volume has the type of the AMI's device, or gp2, which does not accept this setting",
    value,
    'write volumeType: gp3',
    unsafeFix(setField([...path.slice(0, -1), 'volumeType'], 'gp3')),
  );
}
const RESERVED = ['kubeReserved', 'systemReserved'] as const;
/** More than EKS reserves for the kubelet of any instance type. */
const MOST_RESERVED_BYTES = 16n * 2n ** 30n;

/** Memory that no pod of any node can use, such as 60Gi for 60Mi. */
export function checkReservedMemory(path: FieldPath, kubelet: unknown): FieldProblem[] {
  return RESERVED.flatMap((field) => {
    const memory = asRecord(asRecord(kubelet)?.[field])?.memory;
    const bytes = Quantity.tryParse(memory)?.value();
    if (bytes === undefined || bytes <= MOST_RESERVED_BYTES) return [];
    return [
      misread(
        [...path, field, 'memory'],
        'keeps more memory of each node from pods than any kubelet needs: only larger nodes can run them',
        memory,
        'write for example 600Mi, or remove it, so that Karpenter computes it for each instance type',
      ),
    ];
  });
}

/** CPUs in a unit of memory, such as 100Mi for 100m: no node has as many. */
export function checkReservedCpu(path: FieldPath, kubelet: unknown): FieldProblem[] {
  return RESERVED.flatMap((field) => {
    const problem = cpuUnitProblem([...path, field, 'cpu'], asRecord(asRecord(kubelet)?.[field])?.cpu);
    return problem === undefined ? [] : [problem];
  });
}

/** Fields that exclude other fields of a term, in the order in which Karpenter evaluates them. */
const LISTS: ReadonlyArray<{
  readonly list: string;
  readonly exclusive: ReadonlyArray<readonly [field: string, ignoredFields: readonly string[]]>;
}> = [
  { list: 'subnetSelectorTerms', exclusive: [['id', ['tags']]] },
  {
    list: 'securityGroupSelectorTerms',
    exclusive: [
      ['id', ['tags', 'name']],
      ['name', ['tags']],
    ],
  },
  { list: 'capacityReservationSelectorTerms', exclusive: [['id', ['tags', 'ownerID', 'instanceMatchCriteria']]] },
];

/**
 * Three CRD rules only require that not every term mixes these fields. So the API server accepts a mixed term next to a
 * clean term, and Karpenter then evaluates only one field of the mixed term.
 */
export function checkSelectorTerms(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  return LISTS.flatMap(({ list, exclusive }) => {
    const raw = spec[list];
    return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
      const term = asRecord(item) ?? {};
      const [field, ignoredFields] = exclusive.find(([name]) => term[name] !== undefined) ?? [];
      const ignored = (ignoredFields ?? []).filter((name) => term[name] !== undefined);
      if (field === undefined || ignored.length === 0) return [];
      return [
        misread(
          ['spec', list, i],
          `must not have ${field} together with ${ignored.join(', ')}, which Karpenter then ignores`,
          Object.keys(term),
          'write one term for each',
        ),
      ];
    });
  });
}
