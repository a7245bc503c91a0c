import {
  resourcesOfType,
  readAccessEntries,
  readAddons,
  readClusters,
  readFargateProfiles,
  readNodeGroups,
  readPodIdentityAssociations,
} from './eks';
import { NamesOf, readIam, readKmsKeys } from './iam';
import { readKarpenterModules } from './karpenter-modules';
import { isUnreadable, readAppliedManifests, readHelmReleases } from './kubernetes';
import { NESTED_STACK, withPlaceOfParents } from './nested';
import { readSecurityGroups, readSubnets } from './network';
import { readEventRules, readQueues } from './queues-and-event-rules';
import { stackEnvironment, Resolver } from './resolve';
import { NamedResource } from './resource-names';
import { readNetwork } from './routes';
import { Template } from './template';
import { readTerraform } from './terraform/read-terraform';
import { TerraformFile } from './terraform/terraform-json';
import { plainText } from './token';
import { asRecord, formatFieldPath } from '../../contract';
import { AwsModel, TemplateResource } from '../manifest/aws-model';
import { ManifestObject } from '../manifest/object';
import { ProblemLog } from '../manifest/problem-log';
import { PlainRecord } from '../manifest/records';

/** Reads the resources that matter for Karpenter and resolves references within and between the templates. */
export function readTemplates(
  files: readonly Template[],
  log: ProblemLog,
  terraform: readonly TerraformFile[] = [],
): AwsModel {
  const templates = withPlaceOfParents(files);
  const resolver = new Resolver(templates);
  const namedResources = new Map<TemplateResource, NamedResource>();
  for (const template of templates)
    for (const resource of templateResources(template, resolver))
      namedResources.set(resource, namedOf(resource, template));
  for (const file of terraform)
    for (const [resource, named] of readTerraform(file, log)) namedResources.set(resource, named);
  const resources = [...namedResources.keys()];
  const naming: NamesOf = (resource) => namedResources.get(resource)!;
  const helmReleases = readHelmReleases(resources);
  const clusters = readClusters(resources, naming);
  return {
    hasTemplates: templates.length + terraform.length > 0,
    opaque: resources.filter(
      (resource) => isUnreadable(resource) || (resource.type === NESTED_STACK && resolver.nested.isOpaque(resource.id)),
    ),
    resources: new Map(resources.map((resource) => [resource.id, resource])),
    ...readIam(resources, naming),
    queues: readQueues(resources, naming),
    eventRules: readEventRules(resources, naming),
    kmsKeys: readKmsKeys(resources, naming),
    clusters,
    allClusters: clusters,
    accessEntries: readAccessEntries(resources),
    podIdentityAssociations: readPodIdentityAssociations(resources),
    nodeGroups: readNodeGroups(resources),
    otherNodeGroups: [],
    fargateProfiles: readFargateProfiles(resources),
    addons: readAddons(resources),
    helmReleases,
    allHelmReleases: helmReleases,
    autoScalingGroups: resourcesOfType(resources, 'AWS::AutoScaling::AutoScalingGroup'),
    manifests: readAppliedManifests(resources, log),
    subnets: readSubnets(resources, naming),
    securityGroups: readSecurityGroups(resources, naming),
    network: readNetwork(resources, naming),
    karpenterModules: readKarpenterModules(resources),
  };
}

function namedOf({ id, type, properties }: TemplateResource, template: Template): NamedResource {
  return { id, type, environment: stackEnvironment(template), property: (name) => properties[name] };
}

/** The metadata key where CDK writes the construct that creates a resource. */
const CONSTRUCT_PATH = 'aws:cdk:path';
/** The resources of a template, without those whose condition is known to be false. */
export function templateResources(template: Template, resolver: Resolver): TemplateResource[] {
  const resources = asRecord(template.raw.Resources) ?? {};
  return Object.entries(resources).flatMap(([logicalId, raw]) => {
    const resource = asRecord(raw);
    if (!resource || typeof resource.Type !== 'string') return [];
    if (typeof resource.Condition === 'string' && !resolver.mayHold(template, resource.Condition)) return [];
    return [
      {
        object: objectOf(template, logicalId, resource),
        id: idOf(template, logicalId),
        type: resource.Type,
        region: template.region,
        account: template.account,
        properties: asRecord(resolver.resolve(template, resource.Properties)) ?? {},
        dependsOn: new Set(
          referencedNames(resource)
            .filter((id) => Object.hasOwn(resources, id))
            .map((id) => idOf(template, id)),
        ),
      },
    ];
  });
}

function idOf({ name }: Template, logicalId: string): string {
  return `${name}/${logicalId}`;
}

function objectOf(template: Template, logicalId: string, resource: PlainRecord): ManifestObject {
  const construct = asRecord(resource.Metadata)?.[CONSTRUCT_PATH];
  return {
    // The only version of the template format.
    apiVersion: '2010-09-09',
    kind: resource.Type as string,
    name: logicalId,
    raw: resource,
    locate: (path) => ({
      ...template.locate(['Resources', logicalId, ...path]),
      path: formatFieldPath(path),
      resource: logicalId,
      ...(typeof construct === 'string' ? { construct } : {}),
    }),
    source: template.source && { ...template.source, path: [...template.source.path, 'Resources', logicalId] },
  };
}

function referencedNames(resource: PlainRecord): string[] {
  return [...namesIn(resource.DependsOn), ...referencesIn(resource.Properties)];
}

function namesIn(dependsOn: unknown): string[] {
  return (Array.isArray(dependsOn) ? dependsOn : [dependsOn]).filter((name) => typeof name === 'string');
}

/** Logical ids in Ref, Fn::GetAtt and Fn::Sub. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'Ref' && typeof item === 'string') yield item;
    if (key === 'Fn::GetAtt') yield plainText(Array.isArray(item) ? item[0] : item).split('.')[0];
    if (key === 'Fn::Sub') yield* substituted(Array.isArray(item) ? item[0] : item);
    yield* referencesIn(item);
  }
}

function* substituted(text: unknown): Generator<string> {
  const all = plainText(text);
  // Without the rest of the text, each `${` has its `}`: the search takes linear time.
  const closed = all.slice(0, all.lastIndexOf('}') + 1);
  for (const [, name] of closed.matchAll(/\$\{([^!}][^}]*)\}/g)) yield name.trim().split('.')[0];
}
