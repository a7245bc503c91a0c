/**
 * Deploys to a cluster with the constructs of its own library, in the scope and stack of the caller.
 */
import { Duration, IResource } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { Construct } from 'constructs';

export interface HelmRelease {
  readonly chart: string;
  /** With the chart's name at its end, as OCI registries have it. */
  readonly repository: string;
  readonly version: string;
  readonly namespace: string;
  readonly values: Record<string, unknown>;
}

export interface Kubectl {
  newRelease(scope: Construct, id: string, release: HelmRelease): Construct;
  newManifest(scope: Construct, id: string, manifest: Record<string, unknown>[]): Construct;
}

/** Long enough for two pods on nodes that are there; a controller that never starts fails the deployment. */
const START = Duration.minutes(10);

/** Undefined where the cluster was made or imported without what runs kubectl. */
export function kubectlOf(cluster: IResource): Kubectl | undefined {
  if (isOfFirstLibrary(cluster)) return cluster.kubectlProvider || cluster.kubectlRole ? kubectlOfFirst(cluster) : undefined;
  const second = cluster as eksv2.ICluster;
  return second.kubectlProvider ? kubectlOfSecond(second) : undefined;
}

function isOfFirstLibrary(cluster: IResource): cluster is eks.ICluster {
  return cluster instanceof eks.Cluster || 'kubectlRole' in cluster;
}

function kubectlOfFirst(cluster: eks.ICluster): Kubectl {
  return {
    newRelease: (scope, id, release) => new eks.HelmChart(scope, id, { cluster, ...optionsOf(release) }),
    newManifest: (scope, id, manifest) => new eks.KubernetesManifest(scope, id, { cluster, manifest }),
  };
}

function kubectlOfSecond(cluster: eksv2.ICluster): Kubectl {
  return {
    newRelease: (scope, id, release) => new eksv2.HelmChart(scope, id, { cluster, ...optionsOf(release) }),
    newManifest: (scope, id, manifest) => new eksv2.KubernetesManifest(scope, id, { cluster, manifest }),
  };
}

function optionsOf({ chart, ...release }: HelmRelease): eks.HelmChartOptions {
  return { ...release, chart, release: chart, createNamespace: true, skipCrds: true, wait: true, timeout: START };
}
