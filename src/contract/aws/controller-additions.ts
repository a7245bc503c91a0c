import { PolicySubject } from './controller-policies';
import { IamStatement } from './iam-statement';
import { PARTITIONS } from './partition';

/** Actions on a key that EBS does in the caller's name: without them instances end seconds after their launch. */
const VOLUME_KEY_ACTIONS: readonly string[] = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'];

type Place = Pick<PolicySubject, 'partition' | 'region' | 'account'>;

/**
 * Lets the controller launch nodes whose volumes are encrypted with these keys, through EC2 alone. Grants are for AWS only: EBS
 * makes them in order to attach the volume.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#node-terminates-before-ready-on-failed-encrypted-ebs-volume
 */
export function volumeKeyStatements(keyArns: readonly string[], place: Place): IamStatement[] {
  const throughEc2 = { 'kms:ViaService': viaEc2(place), 'kms:CallerAccount': place.account };
  return [
    { Sid: 'AllowVolumeKeys', Effect: 'Allow', Action: VOLUME_KEY_ACTIONS, Resource: keyArns, Condition: { StringEquals: throughEc2 } },
    {
      Sid: 'AllowVolumeKeyGrants',
      Effect: 'Allow',
      Action: ['kms:CreateGrant'],
      Resource: keyArns,
      Condition: { StringEquals: throughEc2, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    },
  ];
}

/**
 * What the policy of a key needs so that everyone in the account who may use EBS may use the key for volumes, as the key of EBS
 * itself has it: it names no role, so it holds for the Spot service too, whose role nobody can give a policy.
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

/** Lets the controller read parameters of the account's own that name images. */
export function parameterStatements(parameterNames: readonly string[], place: Place): IamStatement[] {
  return [{
    Sid: 'AllowImageParameters',
    Effect: 'Allow',
    Action: ['ssm:GetParameter'],
    Resource: parameterNames.map((name) => `arn:${place.partition}:ssm:${place.region}:${place.account}:parameter/${name.replace(/^\//, '')}`),
  }];
}

/** EC2's name as KMS sees it. Where the partition is not known yet, all of its names. */
function viaEc2({ partition, region }: Place): readonly string[] {
  const known = PARTITIONS.filter(({ name }) => name === partition);
  const suffixes = new Set((known.length > 0 ? known : PARTITIONS).map(({ urlSuffix }) => urlSuffix));
  return [...suffixes].map((suffix) => `ec2.${region}.${suffix}`);
}
