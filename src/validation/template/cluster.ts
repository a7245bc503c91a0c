import { AwsModel, OfCluster } from './aws-model';
import { sameText } from './text-match';
import { byCodePoint } from '../order';

/** The names of the clusters that manifests and charts are applied to. */
export function clusterNames({ manifests, helmReleases }: AwsModel): string[] {
  return [...new Set([...manifests, ...helmReleases].map(({ cluster }) => cluster))].sort(byCodePoint);
}

/** The model without what is certainly of other clusters. */
export function forCluster(aws: AwsModel, name: string): AwsModel {
  const own = <T extends OfCluster>(all: readonly T[]) => all.filter(({ cluster }) => sameText(cluster, name) !== 'no');
  return {
    ...aws,
    clusters: aws.clusters.filter((cluster) => sameText(cluster.name, name) !== 'no'),
    accessEntries: own(aws.accessEntries),
    podIdentityAssociations: own(aws.podIdentityAssociations),
    nodeGroups: own(aws.nodeGroups),
    fargateProfiles: own(aws.fargateProfiles),
    addons: own(aws.addons),
    helmReleases: own(aws.helmReleases),
    manifests: own(aws.manifests),
  };
}
