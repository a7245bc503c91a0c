import { EfsStorageClassProps, Gp3StorageClassProps, Io2StorageClassProps } from '../workloads';

/**
 * The StorageClasses of a cluster.
 */
export interface StorageOptions {
  /**
   * A class `gp3` for EBS volumes: `{ isDefault: true }` makes it the one of claims without a class.
   *
   * @default - no such class
   */
  readonly gp3?: Gp3StorageClassProps;

  /**
   * A class `io2` for EBS volumes with provisioned IOPS.
   *
   * @default - no such class
   */
  readonly io2?: Io2StorageClassProps;

  /**
   * A class `efs` for volumes that several pods use.
   *
   * @default - no such class
   */
  readonly efs?: EfsStorageClassProps;
}
