/**
 * Reduces a template to the resources that moto can deploy and delete. moto needs Docker for custom resources and a
 * bucket for nested stacks, deletes networks in the wrong order, and does not support some resource types. Resources
 * that refer to a removed resource are removed, too.
 */
import { readFileSync, writeFileSync } from 'fs';

const NOT_IN_MOTO =
  /^(Custom::|AWS::CloudFormation::(CustomResource|Stack)$|AWS::Lambda::|AWS::EKS::|AWS::IAM::OIDCProvider$|AWS::SSM::Parameter$|AWS::EC2::)/;

interface Resource {
  readonly Type: string;
  readonly DependsOn?: string | readonly string[];
}

interface Template {
  readonly Parameters?: object;
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: unknown;
}

/** Writes the reduced template next to the original, and returns its path. */
export function writeDeployable(path: string): string {
  const { Outputs: _, ...template }: Template = JSON.parse(readFileSync(path, 'utf8'));
  const kept = withoutMissing(
    Object.entries(template.Resources ?? {}).filter(([, { Type }]) => !NOT_IN_MOTO.test(Type)),
    template.Parameters,
  );
  const names = new Set(kept.map(([name]) => name));
  const Resources = Object.fromEntries(
    kept.map(([name, resource]) => [
      name,
      { ...resource, DependsOn: [resource.DependsOn ?? []].flat().filter((dependency) => names.has(dependency)) },
    ]),
  );
  const deployable = path.replace('.template.json', '.deployable.json');
  writeFileSync(deployable, JSON.stringify({ ...template, Resources }));
  return deployable;
}

/** Removes resources with missing references, repeatedly, because a removed resource may be referred to as well. */
function withoutMissing(
  resources: ReadonlyArray<[string, Resource]>,
  parameters: object = {},
): ReadonlyArray<[string, Resource]> {
  const names = new Set([...resources.map(([name]) => name), ...Object.keys(parameters)]);
  const kept = resources.filter(([, resource]) =>
    referencesOf({ ...resource, DependsOn: undefined }).every((name) => names.has(name) || name.startsWith('AWS::')),
  );
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
