import { AwsModel, TemplateResource } from './aws-model';
import { ofType, readAccessEntries, readAddons, readClusters, readFargateProfiles, readNodeGroups, readPodIdentityAssociations } from './eks';
import { Naming, readIam } from './iam';
import { Named } from './identity';
import { readEventRules, readQueues } from './interruption';
import { readKmsKeys } from './kms';
import { isUnreadable, readAppliedManifests, readHelmReleases } from './kubernetes';
import { NESTED_STACK, placedAsParents } from './nested';
import { readSecurityGroups, readSubnets } from './network';
import { environmentOf, Resolver } from './resolve';
import { resourcesOf } from './resource';
import { Template } from './template';
import { ProblemLog } from '../manifest/problem-log';

/** Everything in the templates that Karpenter has to do with, references between them followed. */
export function readTemplates(given: readonly Template[], log: ProblemLog): AwsModel {
  const templates = placedAsParents(given);
  const resolver = new Resolver(templates);
  const named = new Map<TemplateResource, Named>();
  const resources = templates.flatMap((template) => {
    const read = resourcesOf(template, resolver);
    for (const resource of read) named.set(resource, namedOf(resource, template));
    return read;
  });
  const naming: Naming = (resource) => named.get(resource)!;
  const helmReleases = readHelmReleases(resources);
  return {
    given: templates.length > 0,
    opaque: resources.filter((resource) => isUnreadable(resource) || (resource.type === NESTED_STACK && resolver.nested.isOpaque(resource.id))),
    resources: new Map(resources.map((resource) => [resource.id, resource])),
    ...readIam(resources, naming),
    queues: readQueues(resources, naming),
    eventRules: readEventRules(resources, naming),
    kmsKeys: readKmsKeys(resources, naming),
    clusters: readClusters(resources, naming),
    accessEntries: readAccessEntries(resources),
    podIdentityAssociations: readPodIdentityAssociations(resources),
    nodeGroups: readNodeGroups(resources),
    fargateProfiles: readFargateProfiles(resources),
    addons: readAddons(resources),
    helmReleases,
    allHelmReleases: helmReleases,
    autoScalingGroups: ofType(resources, 'AWS::AutoScaling::AutoScalingGroup'),
    manifests: readAppliedManifests(resources, log),
    subnets: readSubnets(resources, naming),
    securityGroups: readSecurityGroups(resources, naming),
  };
}

function namedOf({ id, type, properties }: TemplateResource, template: Template): Named {
  return { id, type, environment: environmentOf(template), property: (name) => properties[name] };
}
