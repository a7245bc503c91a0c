import { PolicySubject } from './controller-policies';
import { IamCondition, IamStatement } from './iam-statement';
import { PARTITIONS } from './partition';

/** Actions on a key that EBS does in the caller's name: without them instances end seconds after their launch. */
const VOLUME_KEY_ACTIONS: readonly string[] = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'];

type Place = Pick<PolicySubject, 'partition' | 'region' | 'account'>;

/**
 * Lets the controller launch nodes whose volumes are encrypted with these keys, through EC2 alone. Grants are for AWS
 * only: EBS makes them in order to attach the volume.
 *
 * @param keys ARNs, ids or aliases, as `kmsKeyID` of an EC2NodeClass takes them
 * @see https://karpenter.sh/docs/troubleshooting/#node-terminates-before-ready-on-failed-encrypted-ebs-volume
 */
export function volumeKeyStatements(keys: readonly string[], place: Place): IamStatement[] {
  const aliases = [...new Set(keys.map(aliasOf).filter((alias) => alias !== undefined))];
  const arns = [...new Set(keys.filter((key) => aliasOf(key) === undefined).map((key) => toKeyArn(key, place)))];
  return [
    ...arns.length > 0 ? statementsFor('', arns, {}, place) : [],
    ...aliases.length > 0 ? statementsFor('ByAlias', [toKeyArn('*', place)], hasAlias(aliases), place) : [],
  ];
}

function statementsFor(suffix: string, keyArns: readonly string[], condition: IamCondition, place: Place): IamStatement[] {
  const throughEc2 = { 'kms:ViaService': viaEc2(place), 'kms:CallerAccount': place.account };
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

/** IAM knows keys, not aliases: an alias becomes a condition on the key that it stands for. */
function aliasOf(key: string): string | undefined {
  return /(?:^|:)(alias\/.+)$/.exec(key)?.[1];
}

function hasAlias(aliases: readonly string[]): IamCondition {
  return { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': aliases } };
}

function toKeyArn(key: string, { partition, region, account }: Place): string {
  return key === '*' || /^(?:mrk-)?[0-9a-f-]{36}$/.test(key) ? `arn:${partition}:kms:${region}:${account}:key/${key}` : key;
}

/**
 * Lets the reader of a queue that is encrypted with a key of its own read events.
 *
 * @param key ARN or alias
 */
export function queueKeyStatements(key: string, place: Place): IamStatement[] {
  const alias = aliasOf(key);
  return [{
    Sid: 'AllowInterruptionQueueKey',
    Effect: 'Allow',
    Action: ['kms:Decrypt'],
    Resource: [alias === undefined ? key : toKeyArn('*', place)],
    Condition: { StringEquals: { 'kms:ViaService': viaService('sqs', place) }, ...alias !== undefined && hasAlias([alias]) },
  }];
}

/**
 * What the policy of a key needs so that everyone in the account who may use EBS may use the key for volumes, as the
 * key of EBS itself has it: it names no role, so it holds for the Spot service too, whose role nobody can give a
 * policy.
 */
export function volumeKeyPolicyStatements(place: Place): IamStatement[] {
  return [{
    Sid: 'AllowVolumesOfThisAccount',
    Effect: 'Allow',
    Action: [...VOLUME_KEY_ACTIONS, 'kms:CreateGrant'],
    Resource: ['*'],
    Condition: { StringEquals: { 'kms:ViaService': viaEc2(place), 'kms:CallerAccount': place.account } },
  }];
}

/** Lets the controller read parameters of the account's own, by names or ARNs, that name images. */
export function parameterStatements(parameterNames: readonly string[], place: Place): IamStatement[] {
  return [{
    Sid: 'AllowImageParameters',
    Effect: 'Allow',
    Action: ['ssm:GetParameter'],
    Resource: parameterNames.map((name) => name.startsWith('arn:') ? name : `arn:${place.partition}:ssm:${place.region}:${place.account}:parameter/${name.replace(/^\//, '')}`),
  }];
}

function viaEc2(place: Place): readonly string[] {
  return viaService('ec2', place);
}

/** A service's name as KMS sees it. Where the partition is not known yet, all of its names. */
function viaService(service: string, { partition, region }: Place): readonly string[] {
  const known = PARTITIONS.filter(({ name }) => name === partition);
  const suffixes = new Set((known.length > 0 ? known : PARTITIONS).map(({ urlSuffix }) => urlSuffix));
  return [...suffixes].map((suffix) => `${service}.${region}.${suffix}`);
}
