import { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';

/**
 * How the pods of AWS Node Termination Handler come by their role.
 */
export class HandlerIdentity {
  /**
   * EKS Pod Identity: an association of the service account with the role. The cluster needs the add-on
   * eks-pod-identity-agent, which is a DaemonSet, so it does not work on Fargate.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
   */
  public static podIdentity(): HandlerIdentity {
    return new HandlerIdentity();
  }

  /**
   * IAM roles for service accounts: the cluster's OpenID Connect provider vouches for the service account.
   *
   * @param openIdConnectProvider of the cluster
   * @see https://docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html
   */
  public static irsa(openIdConnectProvider: IOpenIdConnectProvider): HandlerIdentity {
    return new HandlerIdentity(openIdConnectProvider);
  }

  private constructor(
    /** The provider that vouches for the service account. Without one, EKS Pod Identity does. */
    public readonly openIdConnectProvider?: IOpenIdConnectProvider,
  ) {}
}
