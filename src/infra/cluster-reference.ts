import { ArnFormat, Resource, Stack } from 'aws-cdk-lib';
import { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/**
 * What is known of a cluster that is not in the app.
 */
export interface ClusterReferenceProps {
  /**
   * Name of the cluster.
   */
  readonly clusterName: string;

  /**
   * The cluster's OpenID Connect provider, for `ControllerIdentity.irsa()`.
   *
   * @default - none: the controller has its role through EKS Pod Identity
   */
  readonly openIdConnectProvider?: IOpenIdConnectProvider;

  /**
   * Version of Kubernetes, such as `1.34`.
   *
   * @default - unknown, so it is not compared with the Karpenter version
   */
  readonly kubernetesVersion?: string;

  /**
   * Whether pods have IPv6 addresses.
   *
   * @default false
   */
  readonly ipv6?: boolean;
}

/**
 * A cluster that is known only by its names, because something else deploys to it.
 */
export class ClusterReference extends Resource {
  /**
   * Name of the cluster.
   */
  public readonly clusterName: string;

  /**
   * ARN of the cluster, in the account and region of the stack.
   */
  public readonly clusterArn: string;

  /**
   * The cluster's OpenID Connect provider.
   */
  public readonly openIdConnectProvider?: IOpenIdConnectProvider;

  /**
   * Version of Kubernetes.
   */
  public readonly kubernetesVersion?: string;

  /**
   * Whether pods have IPv6 addresses.
   */
  public readonly ipv6: boolean;

  constructor(scope: Construct, id: string, props: ClusterReferenceProps) {
    super(scope, id);
    this.clusterName = props.clusterName;
    this.clusterArn = Stack.of(this).formatArn({
      service: 'eks', resource: 'cluster', resourceName: props.clusterName, arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.openIdConnectProvider = props.openIdConnectProvider;
    this.kubernetesVersion = props.kubernetesVersion;
    this.ipv6 = props.ipv6 ?? false;
  }
}
