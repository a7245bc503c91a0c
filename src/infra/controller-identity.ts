/**
 * How the controller's pods come by their role.
 */
export class ControllerIdentity {
  /**
   * EKS Pod Identity: an association of the service account with the role. It needs the add-on eks-pod-identity-agent,
   * which is a DaemonSet, so it does not work on Fargate.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
   */
  public static podIdentity(): ControllerIdentity {
    return new ControllerIdentity('pod-identity');
  }

  /**
   * IAM roles for service accounts: the cluster's OpenID Connect provider vouches for the service account. It works on
   * Fargate, too.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html
   */
  public static irsa(): ControllerIdentity {
    return new ControllerIdentity('irsa');
  }

  private constructor(
    /** `pod-identity` or `irsa`. */
    public readonly name: string,
  ) {}
}
