import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { requireProps, shownNumber } from '../model';
import { requireFormat, requireWholeNumber } from './private/checked-values';
import { newStorageClassObject } from './private/storage-class-object';
import { StorageClass, StorageClassProps } from './storage-class';

const PROVISIONER = 'ebs.csi.aws.com';
/** MiB/s of throughput for each of the IOPS of a gp3 volume. */
const GP3_THROUGHPUT_PER_IOPS = 0.25;
const GP3_BASELINE_IOPS = 3000;

/**
 * Properties of every StorageClass of EBS.
 */
export interface EbsStorageClassProps extends StorageClassProps {
  /**
   * ARN of the KMS key that encrypts the volumes.
   *
   * @default - the key of the account for EBS
   */
  readonly kmsKeyId?: string;

  /**
   * File system that is created on the volumes: `ext4` or `xfs`.
   *
   * @default ext4
   */
  readonly fsType?: string;
}

/**
 * Properties of a Gp3StorageClass.
 */
export interface Gp3StorageClassProps extends EbsStorageClassProps {
  /**
   * IOPS of each volume: a whole number from 3,000 to 80,000.
   *
   * @default 3000
   */
  readonly iops?: number;

  /**
   * Throughput of each volume in MiB/s: a whole number from 125 to 2,000, and at most a quarter of the IOPS.
   *
   * @default 125
   */
  readonly throughput?: number;
}

/**
 * Properties of an Io2StorageClass.
 */
export interface Io2StorageClassProps extends EbsStorageClassProps {
  /**
   * IOPS of each volume: a whole number from 100 to 256,000. EBS allows 1,000 for each GiB of a volume.
   */
  readonly iops: number;
}

/**
 * A StorageClass for EBS volumes of type gp3: encrypted, expandable, and created in the zone of the pod's node. The EBS
 * CSI driver must be installed.
 *
 * @see https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html
 */
export class Gp3StorageClass extends StorageClass {
  public readonly apiObject: ApiObject;

  /**
   * @throws Error if a value is out of range
   */
  constructor(scope: Construct, id: string, props: Gp3StorageClassProps = {}) {
    super(scope, id);
    const { iops, throughput } = props;
    if (iops !== undefined) requireWholeNumber('Gp3StorageClass.iops', iops, GP3_BASELINE_IOPS, 80_000);
    if (throughput !== undefined) {
      requireWholeNumber('Gp3StorageClass.throughput', throughput, 125, 2_000);
      const most = Math.floor((iops ?? GP3_BASELINE_IOPS) * GP3_THROUGHPUT_PER_IOPS);
      if (throughput > most)
        throw new Error(
          `Gp3StorageClass.throughput: must be at most ${most} MiB/s for ${iops ?? GP3_BASELINE_IOPS} IOPS, got ${shownNumber(throughput)}; ` +
            `write ${most} or less, or iops: ${Math.ceil(throughput / GP3_THROUGHPUT_PER_IOPS)}`,
        );
    }
    this.apiObject = newStorageClassObject(this, props, {
      name: 'gp3',
      provisioner: PROVISIONER,
      parameters: { type: 'gp3', iops: iops?.toString(), throughput: throughput?.toString(), ...ebsParameters(props) },
      canExpand: true,
    });
  }
}

/**
 * A StorageClass for EBS volumes of type io2, which have the IOPS that you provision: encrypted, expandable, and
 * created in the zone of the pod's node. The EBS CSI driver must be installed.
 *
 * @see https://docs.aws.amazon.com/ebs/latest/userguide/provisioned-iops.html
 */
export class Io2StorageClass extends StorageClass {
  public readonly apiObject: ApiObject;

  /**
   * @throws Error if a value is missing or out of range
   */
  constructor(scope: Construct, id: string, props: Io2StorageClassProps) {
    super(scope, id);
    requireProps(this, props, { iops: '3000' });
    requireWholeNumber('Io2StorageClass.iops', props.iops, 100, 256_000);
    this.apiObject = newStorageClassObject(this, props, {
      name: 'io2',
      provisioner: PROVISIONER,
      parameters: { type: 'io2', iops: String(props.iops), ...ebsParameters(props) },
      canExpand: true,
    });
  }
}

const KEY_ARN = /^arn:aws[\w-]*:kms:/;

function ebsParameters({ kmsKeyId, fsType = 'ext4' }: EbsStorageClassProps): { [name: string]: string | undefined } {
  requireFormat('StorageClass.fsType', fsType, /^(ext3|ext4|xfs|ntfs)$/, 'ext4');
  if (kmsKeyId !== undefined)
    requireFormat('StorageClass.kmsKeyId', kmsKeyId, KEY_ARN, 'arn:aws:kms:eu-west-1:111122223333:key/…');
  return { encrypted: 'true', kmsKeyId, 'csi.storage.k8s.io/fstype': fsType };
}
