import { Form, requireForm } from '../private/call-checks';

const IAM_NAME = /^[\w+=,.@-]+$/;
const ROLE_NAME: Form = {
  pattern: IAM_NAME,
  words: 'the name of a role, not its ARN',
  example: 'KarpenterNodeRole-shop',
};
const PROFILE_NAME: Form = {
  pattern: IAM_NAME,
  words: 'the name of an instance profile, not its ARN',
  example: 'KarpenterNodeInstanceProfile-shop',
};

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
   * @throws Error if it is no name
   */
  public static role(roleName: string): NodeIdentity {
    requireForm('NodeIdentity.role', roleName, ROLE_NAME);
    return new NodeIdentity({ role: roleName });
  }

  /**
   * An existing instance profile, which contains the role.
   *
   * @param instanceProfileName name of the instance profile, not its ARN
   * @throws Error if it is no name
   */
  public static instanceProfile(instanceProfileName: string): NodeIdentity {
    requireForm('NodeIdentity.instanceProfile', instanceProfileName, PROFILE_NAME);
    return new NodeIdentity({ instanceProfile: instanceProfileName });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}
