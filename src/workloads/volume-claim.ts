import { Size, SizeRoundingBehavior } from 'cdk8s';

/**
 * How many nodes and pods may use a volume.
 *
 * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes
 */
export enum VolumeAccessMode {
  /** Read and written by one node. */
  READ_WRITE_ONCE = 'ReadWriteOnce',
  /** Read by several nodes. */
  READ_ONLY_MANY = 'ReadOnlyMany',
  /** Read and written by several nodes, such as a file system of EFS. */
  READ_WRITE_MANY = 'ReadWriteMany',
  /** Read and written by one pod. */
  READ_WRITE_ONCE_POD = 'ReadWriteOncePod',
}

/**
 * Settings of a volume claim.
 */
export interface VolumeClaimOptions {
  /**
   * Size of the volume.
   */
  readonly size: Size;

  /**
   * Absolute path in the container under which the volume is mounted.
   */
  readonly mountPath: string;

  /**
   * Name of the StorageClass. With one that has the binding mode `WaitForFirstConsumer`, the volume is created in the
   * zone of the node that Karpenter launches.
   *
   * @default - the default StorageClass of the cluster
   */
  readonly storageClassName?: string;

  /**
   * How many nodes and pods may use the volume. An EBS volume can be used by one node.
   *
   * @default VolumeAccessMode.READ_WRITE_ONCE
   */
  readonly accessMode?: VolumeAccessMode;

  /**
   * Name of the container that mounts the volume.
   *
   * @default - the first container of the pod
   */
  readonly container?: string;
}

/**
 * A volume that is created for the pods of a workload, with its size and StorageClass, and the path under which a
 * container mounts it.
 *
 * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/
 */
export class VolumeClaim {
  /**
   * A volume for each replica of a StatefulSet, in its `volumeClaimTemplates`. A replica keeps its volume when its pod
   * is replaced.
   *
   * @param name name of the volume, such as `data`
   * @param options size, path and StorageClass
   * @throws Error if a value is invalid
   */
  public static perReplica(name: string, options: VolumeClaimOptions): VolumeClaim {
    return new VolumeClaim('perReplica', name, options);
  }

  /**
   * A volume for each pod of any workload, which is deleted with the pod: scratch space of a certain size.
   *
   * @param name name of the volume, such as `scratch`
   * @param options size, path and StorageClass
   * @throws Error if a value is invalid
   * @see https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/#generic-ephemeral-volumes
   */
  public static perPod(name: string, options: VolumeClaimOptions): VolumeClaim {
    return new VolumeClaim('perPod', name, options);
  }

  /**
   * One volume for all pods of a workload, with a PersistentVolumeClaim that outlives the pods. If the workload has
   * several pods, use an access mode for many nodes, and a file system such as EFS.
   *
   * @param name name of the volume, such as `uploads`; the claim is named after the workload and the volume
   * @param options size, path and StorageClass
   * @throws Error if a value is invalid
   */
  public static shared(name: string, options: VolumeClaimOptions): VolumeClaim {
    return new VolumeClaim('shared', name, options);
  }

  private constructor(
    /** @internal */
    public readonly _lifetime: 'perReplica' | 'perPod' | 'shared',
    /** Name of the volume within the pod. */
    public readonly name: string,
    /** @internal */
    public readonly _options: VolumeClaimOptions,
  ) {
    const { size, mountPath, storageClassName } = _options;
    const method = `VolumeClaim.${_lifetime}`;
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
      throw new Error(
        `${method}: the name must have at most 63 lower-case letters, digits or hyphens, got ${JSON.stringify(name)}; write for example data`,
      );
    }
    if (!(size.toKibibytes({ rounding: SizeRoundingBehavior.NONE }) > 0)) {
      throw new Error(
        `${method}.size: must be above zero, got ${size.asString()}; write for example Size.gibibytes(20)`,
      );
    }
    if (!/^\/[^:]*$/.test(mountPath)) {
      throw new Error(
        `${method}.mountPath: must be an absolute path without a colon, got ${JSON.stringify(mountPath)}; write for example /var/lib/${name}`,
      );
    }
    if (storageClassName === '') {
      throw new Error(
        `${method}.storageClassName: must name a StorageClass, because no volume is created without one, got ""; leave it out for the default of the cluster`,
      );
    }
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { size, storageClassName, accessMode = VolumeAccessMode.READ_WRITE_ONCE } = this._options;
    return { accessModes: [accessMode], storageClassName, resources: { requests: { storage: size.asString() } } };
  }
}
