import { PolicyTarget } from './controller-policies';
import { IamCondition, IamStatement } from './iam-statement';
import { PARTITIONS } from './regions';

/** KMS actions that EBS performs as the caller. Without them, instances terminate seconds after their launch. */
const VOLUME_KEY_ACTIONS: readonly string[] = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey*',
  'kms:ReEncrypt*',
];

type Location = Pick<PolicyTarget, 'partition' | 'region' | 'account'>;

/**
 * Lets the controller launch nodes whose volumes are encrypted with these keys, but only through EC2. Grants are only
 * for AWS services: EBS creates them to attach the volume.
 *
 * @param keys ARNs, ids or aliases, as `kmsKeyID` of an EC2NodeClass takes them
 * @see https://karpenter.sh/docs/troubleshooting/#node-terminates-before-ready-on-failed-encrypted-ebs-volume
 */
export function volumeKeyStatements(keys: readonly string[], location: Location): IamStatement[] {
  const aliases = [...new Set(keys.map(aliasOf).filter((alias) => alias !== undefined))];
  const arns = [...new Set(keys.filter((key) => aliasOf(key) === undefined).map((key) => toKeyArn(key, location)))];
  return [
    ...(arns.length > 0 ? statementsFor('', arns, {}, location) : []),
    ...(aliases.length > 0 ? statementsFor('ByAlias', [toKeyArn('*', location)], hasAlias(aliases), location) : []),
  ];
}

function statementsFor(
  suffix: string,
  keyArns: readonly string[],
  condition: IamCondition,
  location: Location,
): IamStatement[] {
  const throughEc2 = { 'kms:ViaService': viaEc2(location), 'kms:CallerAccount': location.account };
  return [
    {
      Sid: `AllowVolumeKeys${suffix}`,
      Effect: 'Allow',
      Action: VOLUME_KEY_ACTIONS,
      Resource: keyArns,
      Condition: { StringEquals: throughEc2, ...condition },
    },
    {
      Sid: `AllowVolumeKeyGrants${suffix}`,
      Effect: 'Allow',
      Action: ['kms:CreateGrant'],
      Resource: keyArns,
      Condition: { StringEquals: throughEc2, Bool: { 'kms:GrantIsForAWSResource': 'true' }, ...condition },
    },
  ];
}

/** IAM resources are keys, not aliases. So an alias becomes a condition on the key's aliases. */
function aliasOf(key: string): string | undefined {
  return /(?:^|:)(alias\/.+)$/.exec(key)?.[1];
}

function hasAlias(aliases: readonly string[]): IamCondition {
  return { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': aliases } };
}

function toKeyArn(key: string, { partition, region, account }: Location): string {
  return key === '*' || /^(?:mrk-)?[0-9a-f-]{36}$/.test(key)
    ? `arn:${partition}:kms:${region}:${account}:key/${key}`
    : key;
}

/**
 * Lets the reader of a queue decrypt its messages if the queue has a customer managed key.
 *
 * @param key ARN or alias
 */
export function queueKeyStatements(key: string, location: Location): IamStatement[] {
  const alias = aliasOf(key);
  return [
    {
      Sid: 'AllowInterruptionQueueKey',
      Effect: 'Allow',
      Action: ['kms:Decrypt'],
      Resource: [alias === undefined ? key : toKeyArn('*', location)],
      Condition: {
        StringEquals: { 'kms:ViaService': viaService('sqs', location) },
        ...(alias !== undefined && hasAlias([alias])),
      },
    },
  ];
}

/**
 * Statements for a key's own policy: everyone in the account who may use EBS may use the key for volumes. The AWS
 * managed key of EBS has the same policy. It names no role, so it covers the service-linked role of EC2 Spot, too, to
 * which no policy can be attached.
 */
export function volumeKeyPolicyStatements(location: Location): IamStatement[] {
  return [
    {
      Sid: 'AllowVolumesOfThisAccount',
      Effect: 'Allow',
      Action: [...VOLUME_KEY_ACTIONS, 'kms:CreateGrant'],
      Resource: ['*'],
      Condition: { StringEquals: { 'kms:ViaService': viaEc2(location), 'kms:CallerAccount': location.account } },
    },
  ];
}

/** Lets the controller read SSM parameters of this account that contain AMI IDs. @param parameterNames names or ARNs */
export function parameterStatements(parameterNames: readonly string[], location: Location): IamStatement[] {
  return [
    {
      Sid: 'AllowImageParameters',
      Effect: 'Allow',
      Action: ['ssm:GetParameter'],
      Resource: parameterNames.map((name) =>
        name.startsWith('arn:')
          ? name
          : `arn:${location.partition}:ssm:${location.region}:${location.account}:parameter/${name.replace(/^\//, '')}`,
      ),
    },
  ];
}

function viaEc2(location: Location): readonly string[] {
  return viaService('ec2', location);
}

/** The service name for `kms:ViaService`. If the partition is not known, the names in all partitions. */
function viaService(service: string, { partition, region }: Location): readonly string[] {
  const matching = PARTITIONS.filter(({ name }) => name === partition);
  const suffixes = new Set((matching.length > 0 ? matching : PARTITIONS).map(({ urlSuffix }) => urlSuffix));
  return [...suffixes].map((suffix) => `${service}.${region}.${suffix}`);
}
