/**
 * What lets nodes join the cluster.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html
 */
export class NodeAccess {
  /**
   * An access entry, of the type that the AMI families of the EC2NodeClasses need.
   *
   * @param type the type, where something else than this app makes the EC2NodeClasses
   */
  public static accessEntry(type?: NodeAccessType): NodeAccess {
    return new NodeAccess('access-entry', type);
  }

  /**
   * A mapping in the ConfigMap aws-auth, for clusters of aws-eks that know no access entries.
   */
  public static awsAuth(): NodeAccess {
    return new NodeAccess('aws-auth');
  }

  /**
   * Nothing: something else lets the nodes join. Without that, instances start and never become nodes.
   */
  public static none(): NodeAccess {
    return new NodeAccess('none');
  }

  private constructor(
    /** `access-entry`, `aws-auth` or `none`. */
    public readonly name: string,
    /** Type of the access entry, if it was given. */
    public readonly type?: NodeAccessType,
  ) {}
}

/**
 * Types of access entries under which nodes join.
 */
export enum NodeAccessType {
  /** Nodes with Linux, Bottlerocket included. */
  EC2_LINUX = 'EC2_LINUX',
  /** Nodes with Windows. */
  EC2_WINDOWS = 'EC2_WINDOWS',
  /** Nodes of EKS Auto Mode. */
  EC2 = 'EC2',
}
