/**
 * The part of a template that moto can deploy and delete again: custom resources run in Docker, nested stacks lie in a
 * bucket, networks are not deleted in their order, and to what moto does not know nothing may refer.
 */
import { readFileSync, writeFileSync } from 'fs';

const NOT_IN_MOTO = /^(Custom::|AWS::CloudFormation::(CustomResource|Stack)$|AWS::Lambda::|AWS::EKS::|AWS::IAM::OIDCProvider$|AWS::SSM::Parameter$|AWS::EC2::)/;

interface Resource {
  readonly Type: string;
  readonly DependsOn?: string | readonly string[];
}

interface Template {
  readonly Parameters?: object;
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: unknown;
}

/** Writes it beside the template, without what refers to something that is left out, and returns its path. */
export function writeDeployable(path: string): string {
  const { Outputs: _, ...template }: Template = JSON.parse(readFileSync(path, 'utf8'));
  const kept = withoutMissing(Object.entries(template.Resources ?? {}).filter(([, { Type }]) => !NOT_IN_MOTO.test(Type)), template.Parameters);
  const names = new Set(kept.map(([name]) => name));
  const Resources = Object.fromEntries(kept.map(([name, resource]) =>
    [name, { ...resource, DependsOn: [resource.DependsOn ?? []].flat().filter((other) => names.has(other)) }]));
  const deployable = path.replace('.template.json', '.deployable.json');
  writeFileSync(deployable, JSON.stringify({ ...template, Resources }));
  return deployable;
}

/** What is left out may be what something else refers to, and so on. */
function withoutMissing(resources: ReadonlyArray<[string, Resource]>, parameters: object = {}): ReadonlyArray<[string, Resource]> {
  const names = new Set([...resources.map(([name]) => name), ...Object.keys(parameters)]);
  const kept = resources.filter(([, resource]) =>
    referencesOf({ ...resource, DependsOn: undefined }).every((name) => names.has(name) || name.startsWith('AWS::')));
  return kept.length === resources.length ? kept : withoutMissing(kept, parameters);
}

function referencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (typeof value !== 'object' || value === null) return [];
  const { Ref, 'Fn::GetAtt': attribute } = value as Record<string, unknown>;
  if (typeof Ref === 'string') return [Ref];
  if (Array.isArray(attribute)) return [String(attribute[0])];
  return Object.values(value).flatMap(referencesOf);
}
