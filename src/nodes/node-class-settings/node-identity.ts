/**
 * How the nodes of an EC2NodeClass get their IAM role.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specrole
 */
export class NodeIdentity {
  /**
   * A role, for which Karpenter creates the instance profile.
   *
   * @param roleName name of the role, not its ARN
   */
  public static role(roleName: string): NodeIdentity {
    return new NodeIdentity({ role: roleName });
  }

  /**
   * An existing instance profile, which contains the role.
   *
   * @param instanceProfileName name of the instance profile, not its ARN
   */
  public static instanceProfile(instanceProfileName: string): NodeIdentity {
    return new NodeIdentity({ instanceProfile: instanceProfileName });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}
