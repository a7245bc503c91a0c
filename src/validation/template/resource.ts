import { TemplateResource } from './aws-model';
import { Resolver } from './resolve';
import { Template } from './template';
import { plainText } from './token';
import { asRecord, formatFieldPath } from '../../contract';
import { ManifestObject } from '../manifest/object';
import { PlainRecord } from '../manifest/records';

/** Where CDK notes the construct that a resource comes from. */
const CONSTRUCT_PATH = 'aws:cdk:path';

/** The resources of a template that are not known to be left out by their condition. */
export function resourcesOf(template: Template, resolver: Resolver): TemplateResource[] {
  const resources = asRecord(template.raw.Resources) ?? {};
  return Object.entries(resources).flatMap(([logicalId, raw]) => {
    const resource = asRecord(raw);
    if (!resource || typeof resource.Type !== 'string') return [];
    if (typeof resource.Condition === 'string' && !resolver.mayHold(template, resource.Condition)) return [];
    return [{
      object: objectOf(template, logicalId, resource),
      id: idOf(template, logicalId),
      type: resource.Type,
      region: template.region,
      account: template.account,
      properties: asRecord(resolver.resolve(template, resource.Properties)) ?? {},
      dependsOn: new Set(named(resource).filter((id) => Object.hasOwn(resources, id)).map((id) => idOf(template, id))),
    }];
  });
}

function idOf({ name }: Template, logicalId: string): string {
  return `${name}/${logicalId}`;
}

function objectOf(template: Template, logicalId: string, resource: PlainRecord): ManifestObject {
  const construct = asRecord(resource.Metadata)?.[CONSTRUCT_PATH];
  return {
    // The version of the format that all templates have.
    apiVersion: '2010-09-09',
    kind: resource.Type as string,
    name: logicalId,
    raw: resource,
    locate: (path) => ({
      ...template.locate(['Resources', logicalId, ...path]),
      path: formatFieldPath(path),
      resource: logicalId,
      ...typeof construct === 'string' ? { construct } : {},
    }),
  };
}

function named(resource: PlainRecord): string[] {
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
  for (const [, name] of plainText(text).matchAll(/\$\{([^!}][^}]*)\}/g)) yield name.trim().split('.')[0];
}
