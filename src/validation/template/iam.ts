import { parseEmbeddedJson } from './embedded-json';
import { arnOf, NamedResource, physicalName } from './resource-names';
import { hasToken, plainText } from './token';
import { asRecord } from '../../contract';
import { Condition, InstanceProfile, KmsKey, Policy, Role, Statement, TemplateResource } from '../manifest/aws-model';
import { FieldPath } from '../manifest/object';
import { PlainRecord, recordsOf } from '../manifest/records';

/** Gives the names of a resource. */
export type NamesOf = (resource: TemplateResource) => NamedResource;

/** A policy that is its own resource, with the names of the roles that it attaches itself to. */
interface AttachedPolicy extends Policy {
  readonly roles: readonly string[];
}

export interface Iam {
  readonly roles: readonly Role[];
  readonly policies: readonly Policy[];
  readonly instanceProfiles: readonly InstanceProfile[];
  readonly serviceLinkedRoles: readonly string[];
}

export function readIam(resources: readonly TemplateResource[], naming: NamesOf): Iam {
  const attached = resources.flatMap((resource) => attachedPolicy(resource, naming));
  const roles = resources
    .filter(({ type }) => type === 'AWS::IAM::Role')
    .map((resource) => roleOf(resource, naming, attached));
  return {
    roles,
    policies: [...attached, ...roles.flatMap(({ resource }) => inlinePolicies(resource))],
    instanceProfiles: resources
      .filter(({ type }) => type === 'AWS::IAM::InstanceProfile')
      .map((resource) => ({
        resource,
        path: [],
        name: physicalName(naming(resource)),
        roles: texts(resource.properties.Roles),
      })),
    serviceLinkedRoles: resources
      .filter(({ type }) => type === 'AWS::IAM::ServiceLinkedRole')
      .map(({ properties }) => plainText(properties.AWSServiceName)),
  };
}

function attachedPolicy(resource: TemplateResource, naming: NamesOf): AttachedPolicy[] {
  const { type, properties } = resource;
  const managed = type === 'AWS::IAM::ManagedPolicy';
  if (!managed && type !== 'AWS::IAM::Policy' && type !== 'AWS::IAM::RolePolicy') return [];
  const path = ['Properties', 'PolicyDocument'];
  return [
    {
      ...policyOf(resource, path, properties.PolicyDocument),
      name: plainText(properties.ManagedPolicyName ?? properties.PolicyName ?? resource.object.name),
      ...(managed ? { arn: arnOf(naming(resource)) } : {}),
      managed,
      roles: type === 'AWS::IAM::RolePolicy' ? texts([properties.RoleName]) : texts(properties.Roles),
    },
  ];
}

function roleOf(resource: TemplateResource, naming: NamesOf, attached: readonly AttachedPolicy[]): Role {
  const name = physicalName(naming(resource));
  const { properties } = resource;
  const arns = properties.ManagedPolicyArns === undefined ? [] : texts([properties.ManagedPolicyArns].flat());
  const isAttached = (policy: AttachedPolicy) =>
    policy.roles.includes(name) || (policy.arn !== undefined && arns.includes(policy.arn));
  return {
    resource,
    path: [],
    name,
    generated: properties.RoleName === undefined,
    arn: arnOf(naming(resource)),
    trust: readStatements(resource, ['Properties', 'AssumeRolePolicyDocument'], properties.AssumeRolePolicyDocument),
    policies: [...inlinePolicies(resource), ...attached.filter(isAttached)],
    otherPolicies: arns.filter((arn) => !attached.some((policy) => policy.arn === arn)),
  };
}

function inlinePolicies(resource: TemplateResource): Policy[] {
  return recordsOf(resource.properties.Policies).map((policy, i) => ({
    ...policyOf(resource, ['Properties', 'Policies', i, 'PolicyDocument'], policy.PolicyDocument),
    name: plainText(policy.PolicyName),
    managed: false,
  }));
}

function policyOf(
  resource: TemplateResource,
  path: FieldPath,
  written: unknown,
): Pick<Policy, 'resource' | 'path' | 'statements' | 'document'> {
  return {
    resource,
    path,
    statements: readStatements(resource, path, written),
    document: parseEmbeddedJson(written) ?? written,
  };
}

/** The statements of a policy document; undefined if they are known only at deployment. */
export function readStatements(resource: TemplateResource, path: FieldPath, written: unknown): Statement[] | undefined {
  const document = asRecord(typeof written === 'string' ? parseEmbeddedJson(written) : written);
  const statements = document && [document.Statement].flat();
  if (!statements || statements.some((statement) => !asRecord(statement))) return undefined;
  // The statements of a document in JSON text have no location of their own.
  const pathOf = (i: number): FieldPath =>
    typeof written === 'string'
      ? path
      : Array.isArray(document.Statement)
        ? [...path, 'Statement', i]
        : [...path, 'Statement'];
  return recordsOf(statements).map((statement, i) => statementOf(resource, pathOf(i), statement));
}

function statementOf(resource: TemplateResource, path: FieldPath, raw: PlainRecord): Statement {
  return {
    resource,
    path,
    ...(typeof raw.Sid === 'string' ? { sid: raw.Sid } : {}),
    allows: raw.Effect === 'Allow',
    actions: listed(raw.Action).map(lowerCase),
    notActions: listed(raw.NotAction).map(lowerCase),
    resources: listed(raw.Resource),
    notResources: listed(raw.NotResource),
    principals: principalsOf(raw.Principal),
    conditions: conditionsOf(asRecord(raw.Condition)),
  };
}

function principalsOf(raw: unknown): string[] {
  if (typeof raw === 'string') return [raw];
  return Object.entries(asRecord(raw) ?? {}).flatMap(([kind, names]) => listed(names).map((name) => `${kind}:${name}`));
}

function conditionsOf(raw: PlainRecord = {}): Condition[] {
  return Object.entries(raw).flatMap(([operator, keys]) =>
    Object.entries(asRecord(keys) ?? {}).map(([key, values]) => ({ operator, key, values: listed(values) })),
  );
}

function listed(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map(plainText);
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((item) => typeof item === 'string');
}

/** Actions are compared without case, but the name inside a token keeps its case. */
function lowerCase(action: string): string {
  return hasToken(action) ? action : action.toLowerCase();
}

/** The KMS keys with their aliases and key policies. */
export function readKmsKeys(resources: readonly TemplateResource[], naming: NamesOf): KmsKey[] {
  const aliases = resources
    .filter(({ type }) => type === 'AWS::KMS::Alias')
    .map(({ properties }) => ({ name: plainText(properties.AliasName), target: plainText(properties.TargetKeyId) }));
  return resources
    .filter(({ type }) => type === 'AWS::KMS::Key')
    .map((resource) => {
      const names = [physicalName(naming(resource)), arnOf(naming(resource))];
      const ownAliases = aliases.filter(({ target }) => names.includes(target)).map(({ name }) => name);
      return {
        resource,
        path: [],
        names: [...names, ...ownAliases, ...ownAliases.map((alias) => names[1].replace(/:key\/[^]*$/, `:${alias}`))],
        enabled: resource.properties.Enabled !== false && resource.properties.Enabled !== 'false',
        statements: readStatements(resource, ['Properties', 'KeyPolicy'], resource.properties.KeyPolicy),
      };
    });
}
