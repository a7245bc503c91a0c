import { Size } from 'cdk8s';
import { toGibibytes } from '../private/lowering';

/**
 * Kind of EBS volume.
 *
 * @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html
 */
export enum VolumeType {
  /** General purpose SSD with its own IOPS and throughput. */
  GP3 = 'gp3',
  /** General purpose SSD whose IOPS grow with its size. */
  GP2 = 'gp2',
  /** Provisioned IOPS SSD. */
  IO1 = 'io1',
  /** Provisioned IOPS SSD of higher durability. */
  IO2 = 'io2',
  /** Throughput-optimised HDD. */
  ST1 = 'st1',
  /** Cold HDD. */
  SC1 = 'sc1',
  /** Magnetic disk. */
  STANDARD = 'standard',
}

/**
 * How the instance store disks of an instance type are used.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specinstancestorepolicy
 */
export enum InstanceStorePolicy {
  /**
   * The disks form one RAID 0 array for pods, kubelet and container runtime. It counts as the node's ephemeral storage.
   */
  RAID0 = 'RAID0',
}

/**
 * An EBS volume of each node.
 */
export interface EbsVolume {
  /**
   * A whole number of GiB.
   *
   * @default - the size of the snapshot
   */
  readonly volumeSize?: Size;

  /**
   * Kind of volume.
   *
   * @default VolumeType.GP3
   */
  readonly volumeType?: VolumeType;

  /**
   * I/O operations per second, for gp3, io1 and io2.
   *
   * @default - the volume type's baseline; 3000 for gp3
   */
  readonly iops?: number;

  /**
   * Throughput in MiB/s, for gp3.
   *
   * @default - 125
   */
  readonly throughput?: number;

  /**
   * Whether the volume is encrypted.
   *
   * @default - true; a volume from a snapshot is encrypted if the snapshot is
   */
  readonly encrypted?: boolean;

  /**
   * Customer managed key that encrypts the volume: its id, alias or ARN. The key's policy must let the node's launcher
   * use it; otherwise instances are terminated right after their start.
   *
   * @default - the account's default key for EBS
   */
  readonly kmsKeyId?: string;

  /**
   * Snapshot from which the volume is created.
   *
   * @default - an empty volume, or the snapshot of the machine image
   */
  readonly snapshotId?: string;

  /**
   * Whether the volume is deleted with its node.
   *
   * @default true
   */
  readonly deleteOnTermination?: boolean;

  /**
   * Rate at which the snapshot is loaded, in MiB per second, from 100 to 300.
   *
   * @default - blocks are loaded when they are first read
   */
  readonly volumeInitializationRate?: number;
}

/**
 * A disk of the node.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings
 */
export interface BlockDevice {
  /**
   * Name of the device, such as `/dev/xvda`, which is the root of AL2 and AL2023.
   */
  readonly deviceName: string;

  /**
   * Whether the kubelet stores its data on this disk. Its size is then the ephemeral storage of the node.
   *
   * @default - the AMI family decides by the device's name
   */
  readonly rootVolume?: boolean;

  /**
   * EBS volume of the disk.
   */
  readonly ebs: EbsVolume;
}

/** @internal */
export function _toBlockDeviceMapping({ deviceName, rootVolume, ebs }: BlockDevice): Record<string, unknown> {
  return {
    deviceName,
    rootVolume,
    ebs: {
      volumeSize: ebs.volumeSize && toGibibytes(ebs.volumeSize),
      volumeType: ebs.volumeType ?? VolumeType.GP3,
      iops: ebs.iops,
      throughput: ebs.throughput,
      // For a volume from a snapshot, EC2 rejects the setting unless a key is given.
      encrypted: ebs.encrypted ?? (ebs.snapshotId === undefined || ebs.kmsKeyId !== undefined ? true : undefined),
      kmsKeyID: ebs.kmsKeyId,
      snapshotID: ebs.snapshotId,
      deleteOnTermination: ebs.deleteOnTermination ?? true,
      volumeInitializationRate: ebs.volumeInitializationRate,
    },
  };
}
