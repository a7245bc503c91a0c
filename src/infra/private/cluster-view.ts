/** One interface for clusters of aws-eks and aws-eks-v2, created or imported, and for a ClusterReference. */
import { IResource, Stack, Stage, Token } from 'aws-cdk-lib';
import { ISubnet, IVpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { assertClusterName } from './cluster-name';
import { Kubectl, kubectlOf } from './kubectl';
import { errorWithoutStack } from '../../model';
import { ClusterReference } from '../cluster-reference';

type EksCluster = eks.ICluster | eksv2.ICluster;

export interface EksClusterView {
  readonly resource: IResource;
  /** For property values. It may be a token. */
  readonly clusterName: string;
  /**
   * The name as the app sets it, or `clusterName` if it sets none. For map keys and names, which are unreadable with a
   * token.
   */
  readonly knownName: string;
  readonly clusterArn: string;
  readonly kubernetesVersion?: string;
  readonly ipv6: boolean;
  /** Whether nodes can join only through the ConfigMap aws-auth. */
  readonly configMapOnly: boolean;
  readonly awsAuth?: eks.AwsAuth;
  /** Undefined if the app cannot deploy to the cluster. */
  readonly kubectl?: Kubectl;
  /** Undefined if the app does not create the cluster. Its add-ons are then unknown. */
  readonly ownedCluster?: eks.Cluster | eksv2.Cluster;
  openIdConnectProvider(): IOpenIdConnectProvider | undefined;
  securityGroupId(): string | undefined;
  vpc(): IVpc | undefined;
  /** The VPC's private subnets, or its isolated subnets if it has no private ones. */
  privateSubnets(): ISubnet[];
}

/**
 * @throws Error if the resource is not a cluster
 */
export function viewCluster(scope: Construct, cluster: IResource): EksClusterView {
  if (cluster instanceof ClusterReference) return viewReference(cluster);
  if (!isEksCluster(cluster)) {
    throw errorWithoutStack(
      `${scope.node.path}/cluster: must be a cluster of aws-eks or aws-eks-v2 or a ClusterReference, got ${cluster.node.path}; ` +
        "write for example new ClusterReference(this, 'Cluster', { clusterName: 'shop' })",
    );
  }
  return viewEksCluster(cluster);
}

function viewReference(cluster: ClusterReference): EksClusterView {
  return {
    resource: cluster,
    clusterName: cluster.clusterName,
    knownName: cluster.clusterName,
    clusterArn: cluster.clusterArn,
    kubernetesVersion: cluster.kubernetesVersion,
    ipv6: cluster.ipv6,
    configMapOnly: false,
    openIdConnectProvider: () => cluster.openIdConnectProvider,
    securityGroupId: () => undefined,
    vpc: () => undefined,
    privateSubnets: () => [],
  };
}

function isEksCluster(resource: IResource): resource is EksCluster {
  return (
    typeof Reflect.get(resource, 'clusterName') === 'string' &&
    typeof Reflect.get(resource, 'addHelmChart') === 'function'
  );
}

function viewEksCluster(cluster: EksCluster): EksClusterView {
  const knownName = nameAsWritten(cluster);
  assertClusterName(cluster, knownName);
  const owned = cluster instanceof eks.Cluster || cluster instanceof eksv2.Cluster ? cluster : undefined;
  const mode =
    cluster instanceof eks.Cluster ? (cluster.authenticationMode ?? eks.AuthenticationMode.CONFIG_MAP) : undefined;
  return {
    resource: cluster,
    clusterName: cluster.clusterName,
    knownName,
    clusterArn: cluster.clusterArn,
    kubernetesVersion: owned && Reflect.get(owned, 'version')?.version,
    ipv6: cluster.ipFamily === eks.IpFamily.IP_V6,
    configMapOnly: mode === eks.AuthenticationMode.CONFIG_MAP,
    // Reading the CDK's getter creates the ConfigMap, so it is read only when a role is mapped.
    get awsAuth() {
      return cluster instanceof eks.Cluster && mode !== eks.AuthenticationMode.API ? cluster.awsAuth : undefined;
    },
    kubectl: kubectlOf(cluster),
    ownedCluster: owned,
    openIdConnectProvider: () => unlessMissing(() => cluster.openIdConnectProvider),
    securityGroupId: () => unlessMissing(() => cluster.clusterSecurityGroupId),
    vpc: () => unlessMissing(() => cluster.vpc),
    privateSubnets: () => privateSubnetsOf(unlessMissing(() => cluster.vpc)),
  };
}

/** `clusterName` of a cluster in the app is always a reference; `physicalName` is the name that the app sets. */
function nameAsWritten(cluster: EksCluster): string {
  const written: unknown = Reflect.get(cluster, 'physicalName');
  return typeof written === 'string' && !Token.isUnresolved(written) ? written : cluster.clusterName;
}

function privateSubnetsOf(vpc: IVpc | undefined): ISubnet[] {
  if (!vpc) return [];
  return vpc.privateSubnets.length > 0 ? vpc.privateSubnets : vpc.isolatedSubnets;
}

/** Undefined for an attribute that an imported cluster lacks: its getter throws. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A construct, and its cluster. */
interface ScopedCluster {
  readonly scope: Construct;
  readonly cluster: EksClusterView;
}

/**
 * Whether both constructs certainly have the same cluster. A name is unique only within one region of one account, and
 * within one stage of the app.
 */
function areForSameCluster(one: ScopedCluster, other: ScopedCluster): boolean {
  if (one.cluster.resource === other.cluster.resource) return true;
  // Two clusters that the app creates are different even if they have the same name.
  if (one.cluster.ownedCluster && other.cluster.ownedCluster) return false;
  const [left, right] = [one, other].map(({ scope }) => Stack.of(scope));
  const haveSameEnvironment = left.environment === right.environment && Stage.of(left) === Stage.of(right);
  const name = one.cluster.knownName;
  return haveSameEnvironment && name === other.cluster.knownName && !Token.isUnresolved(name);
}

/** A problem for each earlier Karpenter that certainly has the same cluster. */
export function duplicateProblems(karpenter: ScopedCluster, earlier: readonly ScopedCluster[]): string[] {
  return earlier
    .filter((other) => areForSameCluster(karpenter, other))
    .map(
      ({ scope }) =>
        `cluster: a cluster can have only one Karpenter, got a second one, ${scope.node.path}, for ${karpenter.cluster.resource.node.path}; ` +
        'remove one of them, because both would launch nodes for the same pods or overwrite the same chart',
    );
}
