import { generatedName, unknownToken } from './token';
import { asRecord, partitionOfRegion, unsupportedPartitionOf } from '../../contract';

/** The environment of a stack; parts that are known only at deployment are tokens. */
export interface Environment {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** The parts of a resource that decide its name and ARN. */
export interface NamedResource {
  /** `<template>/<logical id>`. */
  readonly id: string;
  readonly type: string;
  readonly environment: Environment;
  /** What a state of Terraform says. @default - follows from the properties */
  readonly known?: { readonly name?: string; readonly arn?: string; readonly ref?: string };
  /** The resolved value of a property. */
  property(name: string): unknown;
}

/** How CloudFormation names resources of a type. */
interface NamingRule {
  /** The property that names the resource. */
  readonly property: string;
  readonly arn: (name: string, resource: NamedResource) => string;
  /** What `Ref` returns. @default - the name */
  readonly ref?: 'arn' | 'token';
  /** Attributes for which `Fn::GetAtt` returns the name. */
  readonly attributes?: readonly string[];
}

const iam = (kind: string) => (name: string, resource: NamedResource) =>
  `arn:${resource.environment.partition}:iam::${resource.environment.account}:${kind}${textOr(resource.property('Path'), '/')}${name}`;
const regional =
  (service: string, prefix = '') =>
  (name: string, { environment: { partition, region, account } }: NamedResource) =>
    `arn:${partition}:${service}:${region}:${account}:${prefix}${name}`;

/**
 * Naming rules of CloudFormation's resource reference, so that all references to a resource resolve to the same text.
 */
const NAMING_RULES: Readonly<Record<string, NamingRule>> = {
  'AWS::IAM::Role': { property: 'RoleName', arn: iam('role') },
  'AWS::IAM::InstanceProfile': { property: 'InstanceProfileName', arn: iam('instance-profile') },
  'AWS::IAM::ManagedPolicy': { property: 'ManagedPolicyName', arn: iam('policy'), ref: 'arn' },
  'AWS::SQS::Queue': { property: 'QueueName', arn: regional('sqs'), ref: 'token', attributes: ['QueueName'] },
  'AWS::KMS::Key': { property: '', arn: regional('kms', 'key/'), attributes: ['KeyId'] },
  // The ARN of a rule on the default bus, which receives the events of AWS services.
  'AWS::Events::Rule': { property: 'Name', arn: regional('events', 'rule/') },
  'AWS::Events::EventBus': { property: 'Name', arn: regional('events', 'event-bus/'), attributes: ['Name'] },
  'AWS::EKS::Cluster': { property: 'Name', arn: regional('eks', 'cluster/') },
  'Custom::AWSCDK-EKS-Cluster': { property: 'Config.name', arn: regional('eks', 'cluster/') },
  'AWS::EC2::VPC': { property: '', arn: regional('ec2', 'vpc/'), attributes: ['VpcId'] },
  'AWS::EC2::Subnet': { property: '', arn: regional('ec2', 'subnet/'), attributes: ['SubnetId'] },
  'AWS::EC2::RouteTable': { property: '', arn: regional('ec2', 'route-table/'), attributes: ['RouteTableId'] },
  'AWS::EC2::NatGateway': { property: '', arn: regional('ec2', 'natgateway/'), attributes: ['NatGatewayId'] },
  'AWS::EC2::SecurityGroup': { property: '', arn: regional('ec2', 'security-group/'), attributes: ['GroupId', 'Id'] },
};

export function physicalName(resource: NamedResource): string {
  if (resource.known?.name !== undefined) return resource.known.name;
  const [property, inner] = (NAMING_RULES[resource.type]?.property ?? '').split('.');
  const value = property === '' ? undefined : resource.property(property);
  return textOr(inner === undefined ? value : asRecord(value)?.[inner], generatedName(resource.id));
}

export function arnOf(resource: NamedResource): string {
  if (resource.known?.arn !== undefined) return resource.known.arn;
  const rule = NAMING_RULES[resource.type];
  return rule ? rule.arn(physicalName(resource), resource) : unknownToken(`${resource.id}.Arn`);
}

/** What `Ref` returns. */
export function refOf(resource: NamedResource): string {
  if (resource.known?.ref !== undefined) return resource.known.ref;
  const rule = NAMING_RULES[resource.type];
  if (!rule || rule.ref === 'token') return unknownToken(resource.id);
  return rule.ref === 'arn' ? arnOf(resource) : physicalName(resource);
}

/** What `Fn::GetAtt` returns. */
export function attributeOf(resource: NamedResource, attribute: string): unknown {
  if (resource.type === 'Custom::AWSCDKCfnJson' && attribute === 'Value')
    return jsonOf(resource.property('Value')) ?? unknownToken(`${resource.id}.Value`);
  const rule = NAMING_RULES[resource.type];
  if (rule && ['Arn', 'PolicyArn'].includes(attribute)) return arnOf(resource);
  if (rule?.attributes?.includes(attribute)) return physicalName(resource);
  return unknownToken(`${resource.id}.${attribute}`);
}

/** The partition of a region; a token if the region is not known. */
export function partitionOf(region: string | undefined): string {
  if (region === undefined) return unknownToken('AWS::Partition');
  return unsupportedPartitionOf(region) ?? partitionOfRegion(region).name;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
