/**
 * Deploys charts and manifests with the library of the cluster (aws-eks or aws-eks-v2), in the caller's scope and
 * stack.
 */
import { Duration, IResource } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { Construct } from 'constructs';

export interface ChartInstallation {
  readonly chart: string;
  /** OCI repository, ending with the chart's name. */
  readonly repository: string;
  readonly version: string;
  readonly namespace: string;
  readonly values: Record<string, unknown>;
}

export interface Kubectl {
  newRelease(scope: Construct, id: string, release: ChartInstallation): Construct;
  newManifest(scope: Construct, id: string, manifest: Record<string, unknown>[]): Construct;
}

/** Long enough for two pods to start on existing nodes. A controller that never starts fails the deployment. */
const CHART_TIMEOUT = Duration.minutes(10);

/** Undefined if the cluster was created or imported without a kubectl provider. */
export function kubectlOf(cluster: IResource): Kubectl | undefined {
  if (isEksV1Cluster(cluster)) return cluster.kubectlProvider || cluster.kubectlRole ? kubectlV1(cluster) : undefined;
  const clusterV2 = cluster as eksv2.ICluster;
  return clusterV2.kubectlProvider ? kubectlV2(clusterV2) : undefined;
}

export function isEksV1Cluster(cluster: IResource): cluster is eks.ICluster {
  return cluster instanceof eks.Cluster || 'kubectlRole' in cluster;
}

function kubectlV1(cluster: eks.ICluster): Kubectl {
  return {
    newRelease: (scope, id, release) => new eks.HelmChart(scope, id, { cluster, ...optionsOf(release) }),
    newManifest: (scope, id, manifest) => new eks.KubernetesManifest(scope, id, { cluster, manifest }),
  };
}

function kubectlV2(cluster: eksv2.ICluster): Kubectl {
  return {
    newRelease: (scope, id, release) => new eksv2.HelmChart(scope, id, { cluster, ...optionsOf(release) }),
    newManifest: (scope, id, manifest) => new eksv2.KubernetesManifest(scope, id, { cluster, manifest }),
  };
}

function optionsOf({ chart, ...release }: ChartInstallation): eks.HelmChartOptions {
  return {
    ...release,
    chart,
    release: chart,
    createNamespace: true,
    skipCrds: true,
    wait: true,
    timeout: CHART_TIMEOUT,
  };
}
