/**
 * How nodes get access to the cluster.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html
 */
export class NodeAccess {
  /**
   * An EKS access entry.
   *
   * @param type type of the entry. Without it, the AMI families of the app's EC2NodeClasses determine the type, so set
   * it if they are created outside this app.
   */
  public static accessEntry(type?: NodeAccessType): NodeAccess {
    return new NodeAccess('access-entry', type);
  }

  /**
   * A mapping in the ConfigMap aws-auth, for aws-eks clusters without access entries (authentication mode CONFIG_MAP).
   */
  public static awsAuth(): NodeAccess {
    return new NodeAccess('aws-auth');
  }

  /**
   * No access: you must grant it by other means. Without access, instances start but never become nodes.
   */
  public static none(): NodeAccess {
    return new NodeAccess('none');
  }

  private constructor(
    /** `access-entry`, `aws-auth` or `none`. */
    public readonly name: string,
    /** Type of the access entry, if it is set. */
    public readonly type?: NodeAccessType,
  ) {}
}

/**
 * Types of access entries for nodes.
 */
export enum NodeAccessType {
  /** Linux nodes, including Bottlerocket. */
  EC2_LINUX = 'EC2_LINUX',
  /** Windows nodes. */
  EC2_WINDOWS = 'EC2_WINDOWS',
  /** EKS Auto Mode nodes. */
  EC2 = 'EC2',
}
