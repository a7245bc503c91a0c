import { referenceText } from './properties';
import { TerraformResource } from './terraform-json';
import { TerraformPlan } from './terraform-plan';
import { TemplateResource } from '../../manifest/aws-model';
import { recordsOf } from '../../manifest/records';
import { parseEmbeddedJson } from '../embedded-json';
import { arnOf, NamedResource, physicalName } from '../resource-names';
import { hasUnknown, unknownToken } from '../token';

type Properties = Record<string, unknown>;

interface Converted {
  readonly named: NamedResource;
  readonly properties: Properties;
}

/** Adds the resources that only connect others, such as policy attachments, to the properties of these. */
export function attachAll(plan: TerraformPlan, converted: ReadonlyMap<TerraformResource, TemplateResource>): void {
  const targets = new Targets(plan, converted);
  for (const resource of plan.resources) if (resource.mode === 'managed') attach(plan, resource, targets);
  targets.addUnknown();
}

/** The resources that others are attached to, by name. Large plans have thousands of attachments. */
class Targets {
  private readonly byName = new Map<string, Converted[]>();
  private readonly policies = new Map<string, Converted>();
  private readonly unknown = new Map<string, (target: Converted) => void>();

  public constructor(
    plan: TerraformPlan,
    private readonly converted: ReadonlyMap<TerraformResource, TemplateResource>,
  ) {
    for (const [resource, { properties }] of converted) {
      const target = { named: plan.namedOf(resource), properties: properties as Properties };
      const key = keyOf(resource.type, physicalName(target.named));
      this.byName.set(key, [...(this.byName.get(key) ?? []), target]);
      if (resource.type === 'aws_iam_policy') this.policies.set(arnOf(target.named), target);
    }
  }

  public policyOf(arn: string): Converted | undefined {
    return this.policies.get(arn);
  }

  public propertiesOf(resource: TerraformResource): Properties {
    return this.converted.get(resource)!.properties as Properties;
  }

  /**
   * Changes the resource of this name. If the name is known only at deployment, it may be that of each resource of the
   * type.
   */
  public change(type: string, name: string, known: (target: Converted) => void, unknown: typeof known): void {
    const named = this.byName.get(keyOf(type, name)) ?? [];
    if (named.length === 0 && hasUnknown(name)) this.unknown.set(type, unknown);
    else for (const target of named) known(target);
  }

  /** One unknown attachment says as much as many. */
  public addUnknown(): void {
    for (const [type, change] of this.unknown)
      for (const [key, targets] of this.byName) if (key.startsWith(`${type} `)) for (const one of targets) change(one);
  }
}

function keyOf(type: string, name: string): string {
  return `${type} ${name}`;
}

function attach(plan: TerraformPlan, resource: TerraformResource, targets: Targets): void {
  const value = (attribute: string) => referenceText(plan.value(resource, attribute));
  const attachPolicy = (name: string, arn: string) => {
    const policy = targets.policyOf(arn);
    targets.change(
      'aws_iam_role',
      name,
      ({ named, properties }) =>
        policy ? addTo(policy.properties, 'Roles', physicalName(named)) : addTo(properties, 'ManagedPolicyArns', arn),
      addUnknownPolicy,
    );
  };
  switch (resource.type) {
    case 'aws_iam_role_policy_attachment':
      return attachPolicy(value('role'), value('policy_arn'));
    case 'aws_iam_policy_attachment':
      return [resource.values.roles ?? []]
        .flat()
        .forEach((role) => attachPolicy(referenceText(role), value('policy_arn')));
    case 'aws_iam_role_policy':
      // A known role finds the policy by its name, which may be a reference.
      return targets.change('aws_iam_role', value('role'), () => undefined, addUnknownPolicy);
    case 'aws_iam_role':
      for (const policy of inlinePoliciesOf(resource)) addTo(targets.propertiesOf(resource), 'Policies', policy);
      return [resource.values.managed_policy_arns ?? []]
        .flat()
        .forEach((arn) => addTo(targets.propertiesOf(resource), 'ManagedPolicyArns', referenceText(arn)));
    case 'aws_cloudwatch_event_target':
      return targets.change(
        'aws_cloudwatch_event_rule',
        value('rule'),
        ({ properties }) => addTo(properties, 'Targets', { Arn: value('arn') }),
        ({ named, properties }) => addTo(properties, 'Targets', { Arn: unknownToken(`a target of ${named.id}`) }),
      );
    case 'aws_ec2_tag':
      return ['aws_subnet', 'aws_security_group'].forEach((type) =>
        targets.change(
          type,
          value('resource_id'),
          ({ properties }) => addTag(properties, value('key'), value('value')),
          ({ named, properties }) => (properties.Tags = unknownToken(`tags of ${named.id}`)),
        ),
      );
    default:
      return undefined;
  }
}

function addUnknownPolicy({ named, properties }: Converted): void {
  addTo(properties, 'ManagedPolicyArns', unknownToken(`a policy of ${named.id}`));
}

/** The policies in blocks `inline_policy`. A document that only Terraform knows stays a text. */
function inlinePoliciesOf({ values: { inline_policy: blocks } }: TerraformResource): Properties[] {
  if (typeof blocks === 'string') return [{ PolicyName: 'inline', PolicyDocument: blocks }];
  return recordsOf(blocks).flatMap(({ name, policy }) =>
    policy === undefined
      ? []
      : [{ PolicyName: referenceText(name), PolicyDocument: parseEmbeddedJson(policy) ?? policy }],
  );
}

function addTag(properties: Properties, key: string, value: string): void {
  if (Array.isArray(properties.Tags)) addTo(properties, 'Tags', { Key: key, Value: value });
}

function addTo(properties: Properties, property: string, item: unknown): void {
  const list = properties[property];
  if (Array.isArray(list)) list.push(item);
  else properties[property] = [item];
}
