/**
 * What EBS takes of a volume, which neither the API server nor Karpenter looks at.
 *
 * Source: https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
 */
import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { launchFails, misread } from './misread';

interface Range { readonly min: number; readonly max: number }

/** IOPS that may be asked for; the other volume types take none. */
const IOPS: Readonly<Record<string, Range>> = {
  gp3: { min: 3_000, max: 80_000 },
  io1: { min: 100, max: 64_000 },
  io2: { min: 100, max: 256_000 },
};
/** In MiB/s. */
const THROUGHPUT: Readonly<Record<string, Range>> = { gp3: { min: 125, max: 2_000 } };

export function adviseOnBlockDevices(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
    const ebs = asRecord(asRecord(item)?.ebs);
    return ebs ? adviseOnVolume([...path, i, 'ebs'], ebs) : [];
  });
}

function adviseOnVolume(path: FieldPath, { volumeType, iops, throughput, kmsKeyID, encrypted }: Readonly<Record<string, unknown>>): FieldProblem[] {
  return [
    ...checkRate([...path, 'iops'], iops, volumeType, IOPS),
    ...checkRate([...path, 'throughput'], throughput, volumeType, THROUGHPUT),
    ...(kmsKeyID !== undefined && encrypted !== true ?
      [launchFails([...path, 'encrypted'], 'must be true where kmsKeyID is set', encrypted, 'write true')] : []),
  ];
}

function checkRate(path: FieldPath, value: unknown, type: unknown, ranges: Readonly<Record<string, Range>>): FieldProblem[] {
  if (typeof value !== 'number') return [];
  if (typeof type !== 'string') return [withoutType(path, value)];
  const range = Object.hasOwn(ranges, type) ? ranges[type] : undefined;
  if (!range) return [launchFails(path, `must be absent for a volume of type ${type}`, value, 'remove it, or use gp3')];
  if (value >= range.min && value <= range.max) return [];
  const text = `an integer from ${range.min} to ${range.max}`;
  return [launchFails(path, `must be ${text}`, value, `write ${text}`)];
}

/**
 * The disks of the AMI keep the type that they have there, and any other becomes gp2: which it is, the mapping does not
 * tell.
 */
function withoutType(path: FieldPath, value: number): FieldProblem {
  return misread(path, "must stand beside a volumeType: without one, the volume has that of the AMI's own disk, or else gp2, which does not take it", value, 'write volumeType: gp3');
}
