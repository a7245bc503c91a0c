import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';

/**
 * What happens to a volume when its claim is deleted.
 *
 * @see https://kubernetes.io/docs/concepts/storage/storage-classes/#reclaim-policy
 */
export enum ReclaimPolicy {
  /** The volume is deleted. */
  DELETE = 'Delete',
  /** The volume stays, and has to be deleted by hand. */
  RETAIN = 'Retain',
}

/**
 * Properties of every StorageClass.
 */
export interface StorageClassProps {
  /**
   * Name, labels and annotations of the StorageClass.
   *
   * @default - the type of the volumes as name: `gp3`, `io2` or `efs`
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Whether claims without a class use this one. A cluster should have one such class.
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * What happens to a volume when its claim is deleted.
   *
   * @default ReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: ReclaimPolicy;
}

/**
 * Base class of the constructs that write a StorageClass. Its volumes are created when their pod is scheduled, in the
 * zone of the node that Karpenter launches.
 *
 * @see https://kubernetes.io/docs/concepts/storage/storage-classes/
 */
export abstract class StorageClass extends Construct {
  /**
   * The object in the manifest.
   */
  public abstract readonly apiObject: ApiObject;

  /**
   * Name of the StorageClass, for `storageClassName` of a claim.
   */
  public get name(): string {
    return this.apiObject.name;
  }
}
