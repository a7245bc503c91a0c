/** One view of the clusters of aws-eks and aws-eks-v2, of imported ones, and of names alone. */
import { IResource, Token } from 'aws-cdk-lib';
import { ISubnet, IVpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { Kubectl, kubectlOf } from './kubectl';
import { ClusterReference } from '../cluster-reference';

type EksCluster = eks.ICluster | eksv2.ICluster;

export interface ClusterView {
  readonly resource: IResource;
  /** For values; it may be a token. */
  readonly clusterName: string;
  /** For keys, where a token costs readability: the name as it was written, if it was. */
  readonly knownName: string;
  readonly clusterArn: string;
  readonly kubernetesVersion?: string;
  readonly ipv6: boolean;
  /** Whether nodes join through the ConfigMap aws-auth alone. */
  readonly configMapOnly: boolean;
  readonly awsAuth?: eks.AwsAuth;
  /** Undefined where nothing of the app can deploy to the cluster. */
  readonly kubectl?: Kubectl;
  /** Undefined where the cluster is not of this app: then it has the add-on, or not. */
  readonly ownedCluster?: eks.Cluster | eksv2.Cluster;
  openIdConnectProvider(): IOpenIdConnectProvider | undefined;
  securityGroupId(): string | undefined;
  vpc(): IVpc | undefined;
  /** Those without a way in from the internet. */
  privateSubnets(): ISubnet[];
}

/**
 * @throws Error if it is no cluster
 */
export function viewCluster(scope: Construct, cluster: IResource): ClusterView {
  if (cluster instanceof ClusterReference) return viewReference(cluster);
  if (!isEksCluster(cluster)) {
    throw new Error(`${scope.node.path}/cluster: must be a cluster of aws-eks or aws-eks-v2 or a ClusterReference, got ${cluster.node.path}; `
      + "write for example new ClusterReference(this, 'Cluster', { clusterName: 'shop' })");
  }
  return viewEksCluster(cluster);
}

function viewReference(cluster: ClusterReference): ClusterView {
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
  return typeof Reflect.get(resource, 'clusterName') === 'string' && typeof Reflect.get(resource, 'addHelmChart') === 'function';
}

function viewEksCluster(cluster: EksCluster): ClusterView {
  const owned = cluster instanceof eks.Cluster || cluster instanceof eksv2.Cluster ? cluster : undefined;
  const mode = cluster instanceof eks.Cluster ? cluster.authenticationMode ?? eks.AuthenticationMode.CONFIG_MAP : undefined;
  return {
    resource: cluster,
    clusterName: cluster.clusterName,
    knownName: nameAsWritten(cluster),
    clusterArn: cluster.clusterArn,
    kubernetesVersion: owned && Reflect.get(owned, 'version')?.version,
    ipv6: cluster.ipFamily === eks.IpFamily.IP_V6,
    configMapOnly: mode === eks.AuthenticationMode.CONFIG_MAP,
    // The getter makes the ConfigMap, so it is not read before a role is mapped.
    get awsAuth() { return cluster instanceof eks.Cluster && mode !== eks.AuthenticationMode.API ? cluster.awsAuth : undefined; },
    kubectl: kubectlOf(cluster),
    ownedCluster: owned,
    openIdConnectProvider: () => unlessMissing(() => cluster.openIdConnectProvider),
    securityGroupId: () => unlessMissing(() => cluster.clusterSecurityGroupId),
    vpc: () => unlessMissing(() => cluster.vpc),
    privateSubnets: () => privateSubnetsOf(unlessMissing(() => cluster.vpc)),
  };
}

/** `clusterName` of a cluster in the app is always a reference, and `physicalName` what was written. */
function nameAsWritten(cluster: EksCluster): string {
  const written: unknown = Reflect.get(cluster, 'physicalName');
  return typeof written === 'string' && !Token.isUnresolved(written) ? written : cluster.clusterName;
}

function privateSubnetsOf(vpc: IVpc | undefined): ISubnet[] {
  if (!vpc) return [];
  return vpc.privateSubnets.length > 0 ? vpc.privateSubnets : vpc.isolatedSubnets;
}

/** Imported clusters throw where they were imported without the attribute. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
