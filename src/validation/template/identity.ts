import { generatedName, unknownToken } from './token';
import { asRecord } from '../../contract';

/** What is known of where a stack is deployed to; tokens where it is not. */
export interface Environment {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** A resource as far as its names go. */
export interface Named {
  /** `<template>/<logical id>`. */
  readonly id: string;
  readonly type: string;
  readonly environment: Environment;
  /** Resolved. */
  property(name: string): unknown;
}

interface Naming {
  /** The property that names the resource. */
  readonly property: string;
  readonly arn: (name: string, resource: Named) => string;
  /** What `Ref` gives, where that is not the name. */
  readonly ref?: 'arn' | 'token';
  /** Attributes that give the name. */
  readonly attributes?: readonly string[];
}

const iam = (kind: string) => (name: string, resource: Named) =>
  `arn:${resource.environment.partition}:iam::${resource.environment.account}:${kind}${textOr(resource.property('Path'), '/')}${name}`;
const regional = (service: string, prefix = '') => (name: string, { environment: { partition, region, account } }: Named) =>
  `arn:${partition}:${service}:${region}:${account}:${prefix}${name}`;

/** Names and ARNs by the rules of CloudFormation's resource reference, so that whatever refers to a resource comes to the same text. */
const NAMINGS: Readonly<Record<string, Naming>> = {
  'AWS::IAM::Role': { property: 'RoleName', arn: iam('role') },
  'AWS::IAM::InstanceProfile': { property: 'InstanceProfileName', arn: iam('instance-profile') },
  'AWS::IAM::ManagedPolicy': { property: 'ManagedPolicyName', arn: iam('policy'), ref: 'arn' },
  'AWS::SQS::Queue': { property: 'QueueName', arn: regional('sqs'), ref: 'token', attributes: ['QueueName'] },
  'AWS::KMS::Key': { property: '', arn: regional('kms', 'key/'), attributes: ['KeyId'] },
  // Of the default bus, where events of AWS come to.
  'AWS::Events::Rule': { property: 'Name', arn: regional('events', 'rule/') },
  'AWS::Events::EventBus': { property: 'Name', arn: regional('events', 'event-bus/'), attributes: ['Name'] },
  'AWS::EKS::Cluster': { property: 'Name', arn: regional('eks', 'cluster/') },
  'Custom::AWSCDK-EKS-Cluster': { property: 'Config.name', arn: regional('eks', 'cluster/') },
  'AWS::EC2::VPC': { property: '', arn: regional('ec2', 'vpc/'), attributes: ['VpcId'] },
  'AWS::EC2::Subnet': { property: '', arn: regional('ec2', 'subnet/'), attributes: ['SubnetId'] },
  'AWS::EC2::SecurityGroup': { property: '', arn: regional('ec2', 'security-group/'), attributes: ['GroupId', 'Id'] },
};

export function nameOf(resource: Named): string {
  const [property, inner] = (NAMINGS[resource.type]?.property ?? '').split('.');
  const value = property === '' ? undefined : resource.property(property);
  return textOr(inner === undefined ? value : asRecord(value)?.[inner], generatedName(resource.id));
}

export function arnOf(resource: Named): string {
  const naming = NAMINGS[resource.type];
  return naming ? naming.arn(nameOf(resource), resource) : unknownToken(`${resource.id}.Arn`);
}

/** What `Ref` gives. */
export function refOf(resource: Named): string {
  const naming = NAMINGS[resource.type];
  if (!naming || naming.ref === 'token') return unknownToken(resource.id);
  return naming.ref === 'arn' ? arnOf(resource) : nameOf(resource);
}

/** What `Fn::GetAtt` gives. */
export function attributeOf(resource: Named, attribute: string): unknown {
  if (resource.type === 'Custom::AWSCDKCfnJson' && attribute === 'Value') return jsonOf(resource.property('Value')) ?? unknownToken(`${resource.id}.Value`);
  const naming = NAMINGS[resource.type];
  if (naming && ['Arn', 'PolicyArn'].includes(attribute)) return arnOf(resource);
  if (naming?.attributes?.includes(attribute)) return nameOf(resource);
  return unknownToken(`${resource.id}.${attribute}`);
}

/** The partition that a region is in; a token where the region is one. */
export function partitionOf(region: string | undefined): string {
  if (region === undefined) return unknownToken('AWS::Partition');
  const prefix = Object.keys(PARTITIONS).find((start) => region.startsWith(start));
  return prefix === undefined ? 'aws' : PARTITIONS[prefix];
}

const PARTITIONS: Readonly<Record<string, string>> = {
  'cn-': 'aws-cn', 'us-gov-': 'aws-us-gov', 'us-iso-': 'aws-iso', 'us-isob-': 'aws-iso-b', 'us-isof-': 'aws-iso-f', 'eu-isoe-': 'aws-iso-e', 'eusc-': 'aws-eusc',
};

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
