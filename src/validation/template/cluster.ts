import { mayBeSamePlace, knownPartCount, mayBeSame, StackPlace } from './template';
import { sameText } from './text-match';
import { readable } from './token';
import { AwsModel, EksResource, TemplateResource } from '../manifest/aws-model';
import { byCodePoint } from '../order';

/** A cluster with its place: cluster names are unique in one region of one account. */
export interface ClusterPlace extends StackPlace {
  readonly name: string;
}

/** The clusters that manifests and charts are applied to. */
export function clustersOf({ manifests, helmReleases }: AwsModel): ClusterPlace[] {
  const places = new Map(
    [...manifests, ...helmReleases].map(({ cluster: name, resource: { account, region } }) => [
      JSON.stringify([name, account ?? '', region ?? '']),
      { name, account, region },
    ]),
  );
  const all = [...places.keys()].sort(byCodePoint).map((key) => places.get(key)!);
  // If the region or account is not known, the cluster is assumed to be the one of the same name whose place is known.
  return all.filter(
    (place) =>
      !all.some(
        (cluster) =>
          cluster.name === place.name &&
          mayBeSamePlace(cluster, place) &&
          knownPartCount(cluster) > knownPartCount(place),
      ),
  );
}

/** Names for messages; clusters that share a name get their account and region appended. */
export function clusterLabels(clusters: readonly ClusterPlace[]): string[] {
  return clusters.map(({ name, account, region }) => {
    const isUnique = clusters.filter((cluster) => cluster.name === name).length === 1;
    return isUnique
      ? readable(name)
      : `${readable(name)} in ${[account, region].filter((part) => part !== undefined).join('/')}`;
  });
}

/**
 * The model without the resources that certainly belong to other clusters.
 *
 * @param clusters all clusters that get a model
 */
export function forCluster(aws: AwsModel, place: ClusterPlace, clusters: readonly ClusterPlace[]): AwsModel {
  const inRegion = <T extends HasResource>(all: readonly T[]) =>
    all.filter(({ resource }) => mayBeSamePlace(resource, place));
  const ofCluster = <T extends EksResource>(all: readonly T[]) => all.filter((item) => mayBelongTo(item, place));
  // IAM is global: a role is valid in every region of its account.
  const inAccount = <T extends HasResource>(all: readonly T[]) =>
    all.filter(({ resource }) => mayBeSame(resource.account, place.account));
  return {
    ...aws,
    roles: inAccount(aws.roles),
    policies: inAccount(aws.policies),
    instanceProfiles: inAccount(aws.instanceProfiles),
    kmsKeys: inRegion(aws.kmsKeys),
    queues: inRegion(aws.queues),
    eventRules: inRegion(aws.eventRules),
    clusters: inRegion(aws.clusters).filter(({ name }) => sameText(name, place.name) !== 'no'),
    accessEntries: ofCluster(aws.accessEntries),
    podIdentityAssociations: ofCluster(aws.podIdentityAssociations),
    nodeGroups: ofCluster(aws.nodeGroups),
    otherNodeGroups:
      place === clusters[0]
        ? aws.nodeGroups.filter((group) => !clusters.some((cluster) => mayBelongTo(group, cluster)))
        : [],
    fargateProfiles: ofCluster(aws.fargateProfiles),
    addons: ofCluster(aws.addons),
    helmReleases: ofCluster(aws.helmReleases),
    allHelmReleases: inRegion(aws.allHelmReleases),
    autoScalingGroups: aws.autoScalingGroups.filter((group) => mayBeSamePlace(group, place)),
    manifests: ofCluster(aws.manifests),
    subnets: inRegion(aws.subnets),
    securityGroups: inRegion(aws.securityGroups),
  };
}

function mayBelongTo({ resource, cluster }: EksResource, place: ClusterPlace): boolean {
  return mayBeSamePlace(resource, place) && sameText(cluster, place.name) !== 'no';
}

interface HasResource {
  readonly resource: TemplateResource;
}
