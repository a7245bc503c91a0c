import { eksctlClusters } from '../../cluster/node-groups';
import { ManifestModel } from '../../manifest/model';

/** The Kubernetes versions of the clusters in the input, such as 1.35; undefined for a version that is not known. */
export function clusterVersions({ aws, objects, kubernetesVersion }: ManifestModel): ReadonlyArray<string | undefined> {
  const known = [...aws.clusters, ...eksctlClusters(objects)].map(({ version }) => version);
  // Files of Terraform may be of any cluster of the repository, so that they count only if nothing else says it.
  return known.some((version) => version !== undefined) || kubernetesVersion === undefined
    ? known
    : [kubernetesVersion];
}

/** The minor version of Kubernetes; undefined if it is not known. */
export function minorOf(version: string | undefined): number | undefined {
  const minor = /^1\.(\d+)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor);
}
