import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { requireProps } from '../model';
import { requireFormat } from './private/checked-values';
import { newStorageClassObject } from './private/storage-class-object';
import { StorageClass, StorageClassProps } from './storage-class';

/**
 * Properties of an EfsStorageClass.
 */
export interface EfsStorageClassProps extends StorageClassProps {
  /**
   * Id of the file system, such as `fs-0123456789abcdef0`. It needs a mount target in each zone that pods run in.
   */
  readonly fileSystemId: string;

  /**
   * Permissions of the directory of each volume, as octal digits.
   *
   * @default 700
   */
  readonly directoryPermissions?: string;

  /**
   * Directory of the file system in which the volumes are.
   *
   * @default - the root of the file system
   */
  readonly basePath?: string;
}

/**
 * A StorageClass for volumes on a file system of EFS, which pods in all zones can use at the same time: use
 * `VolumeAccessMode.READ_WRITE_MANY`. Each volume is an access point of the file system. The EFS CSI driver must be
 * installed. Whether the data is encrypted is a setting of the file system.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html
 */
export class EfsStorageClass extends StorageClass {
  public readonly apiObject: ApiObject;

  /**
   * @throws Error if a value is missing or has another format
   */
  constructor(scope: Construct, id: string, props: EfsStorageClassProps) {
    super(scope, id);
    requireProps(this, props, { fileSystemId: "'fs-0123456789abcdef0'" });
    const { fileSystemId, directoryPermissions = '700', basePath } = props;
    requireFormat('EfsStorageClass.fileSystemId', fileSystemId, /^fs-[0-9a-f]{8,40}$/, 'fs-0123456789abcdef0');
    requireFormat('EfsStorageClass.directoryPermissions', directoryPermissions, /^[0-7]{3,4}$/, '700');
    if (basePath !== undefined) requireFormat('EfsStorageClass.basePath', basePath, /^\//, '/volumes');
    this.apiObject = newStorageClassObject(this, props, {
      name: 'efs',
      provisioner: 'efs.csi.aws.com',
      parameters: { provisioningMode: 'efs-ap', fileSystemId, directoryPerms: directoryPermissions, basePath },
      canExpand: false,
    });
  }
}
