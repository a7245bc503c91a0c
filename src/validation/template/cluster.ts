import { AwsModel, OfCluster, TemplateResource } from './aws-model';
import { isNear, knownParts, mayBeSame, Place } from './place';
import { sameText } from './text-match';
import { readable } from './token';
import { byCodePoint } from '../order';

/** A cluster, which has its name in one region of one account. */
export interface ClusterPlace extends Place {
  readonly name: string;
}

/** The clusters that manifests and charts are applied to. */
export function clustersOf({ manifests, helmReleases }: AwsModel): ClusterPlace[] {
  const places = new Map([...manifests, ...helmReleases].map(({ cluster: name, resource: { account, region } }) =>
    [JSON.stringify([name, account ?? '', region ?? '']), { name, account, region }]));
  const all = [...places.keys()].sort(byCodePoint).map((key) => places.get(key)!);
  // Of a stack that may go anywhere, the cluster is taken for the one of the name that is known.
  return all.filter((place) => !all.some((other) => other.name === place.name && isNear(other, place) && knownParts(other) > knownParts(place)));
}

/** Names for messages, with the place where there are several of the name. */
export function clusterLabels(clusters: readonly ClusterPlace[]): string[] {
  return clusters.map(({ name, account, region }) => {
    const isOnly = clusters.filter((other) => other.name === name).length === 1;
    return isOnly ? readable(name) : `${readable(name)} in ${[account, region].filter((part) => part !== undefined).join('/')}`;
  });
}

/** The model without what is certainly of other clusters. */
export function forCluster(aws: AwsModel, place: ClusterPlace): AwsModel {
  const near = <T extends OfResource>(all: readonly T[]) => all.filter(({ resource }) => isNear(resource, place));
  const own = <T extends OfCluster>(all: readonly T[]) => near(all).filter(({ cluster }) => sameText(cluster, place.name) !== 'no');
  // Roles and their policies are those of the account in every region of it.
  const ofAccount = <T extends OfResource>(all: readonly T[]) => all.filter(({ resource }) => mayBeSame(resource.account, place.account));
  return {
    ...aws,
    roles: ofAccount(aws.roles),
    policies: ofAccount(aws.policies),
    instanceProfiles: ofAccount(aws.instanceProfiles),
    kmsKeys: near(aws.kmsKeys),
    queues: near(aws.queues),
    eventRules: near(aws.eventRules),
    clusters: near(aws.clusters).filter(({ name }) => sameText(name, place.name) !== 'no'),
    accessEntries: own(aws.accessEntries),
    podIdentityAssociations: own(aws.podIdentityAssociations),
    nodeGroups: own(aws.nodeGroups),
    fargateProfiles: own(aws.fargateProfiles),
    addons: own(aws.addons),
    helmReleases: own(aws.helmReleases),
    allHelmReleases: near(aws.allHelmReleases),
    autoScalingGroups: aws.autoScalingGroups.filter((group) => isNear(group, place)),
    manifests: own(aws.manifests),
    subnets: near(aws.subnets),
    securityGroups: near(aws.securityGroups),
  };
}

interface OfResource {
  readonly resource: TemplateResource;
}
