import { ArnFormat, Resource, Stack } from 'aws-cdk-lib';
import { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { requireProps } from '../model';
import { assertClusterName } from './private/cluster-name';

/**
 * Properties of a ClusterReference.
 */
export interface ClusterReferenceProps {
  /**
   * Name of the cluster: 1 to 100 letters, digits, hyphens and underscores, or a token.
   */
  readonly clusterName: string;

  /**
   * The cluster's OpenID Connect provider, for `ControllerIdentity.irsa()`.
   *
   * @default - none, so `ControllerIdentity.irsa()` cannot be used
   */
  readonly openIdConnectProvider?: IOpenIdConnectProvider;

  /**
   * Kubernetes version of the cluster, such as `1.34`.
   *
   * @default - unknown, so its compatibility with the Karpenter version is not checked
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
 * A cluster that is known only by its name, because something outside this app deploys to it.
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
   * Kubernetes version of the cluster.
   */
  public readonly kubernetesVersion?: string;

  /**
   * Whether pods have IPv6 addresses.
   */
  public readonly ipv6: boolean;

  /**
   * @throws Error if EKS accepts no cluster of this name
   */
  constructor(scope: Construct, id: string, props: ClusterReferenceProps) {
    super(scope, id);
    requireProps(this, props, { clusterName: "'my-cluster'" });
    assertClusterName(this, props.clusterName);
    this.clusterName = props.clusterName;
    this.clusterArn = Stack.of(this).formatArn({
      service: 'eks',
      resource: 'cluster',
      resourceName: props.clusterName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.openIdConnectProvider = props.openIdConnectProvider;
    this.kubernetesVersion = props.kubernetesVersion;
    this.ipv6 = props.ipv6 ?? false;
  }
}
