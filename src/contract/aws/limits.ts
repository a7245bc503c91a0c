import { createHash } from 'crypto';
import { NEWEST_KARPENTER_VERSION } from '../karpenter-version';
import { controllerPolicies, ControllerPolicy } from './controller-policies';
import { IamStatement, toIamDocument } from './iam-statement';

/** AWS limits for the resources that this library creates. IAM does not count white space. */
export const AWS_LIMITS = {
  /** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
  managedPolicyCharacters: 6144,
  inlinePolicyCharacters: 10240,
  roleNameCharacters: 64,
  policyNameCharacters: 128,
  instanceProfileNameCharacters: 128,
  /** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html */
  ruleNameCharacters: 64,
  /** @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html */
  clusterNameCharacters: 100,
} as const;

/** The longest possible values. They replace unresolved CDK tokens when sizes are checked. */
export const LONGEST_VALUES = {
  partition: 'aws-us-gov',
  region: 'ap-southeast-1',
  account: '123456789012',
  clusterName: 'c'.repeat(AWS_LIMITS.clusterNameCharacters),
} as const;

/** The size of a policy as IAM counts it, in characters. */
export function policyCharacters(statements: readonly IamStatement[]): number {
  return JSON.stringify(toIamDocument(statements)).replace(/\s/g, '').length;
}

/** An error message if a policy is too long for a managed policy. Undefined otherwise. */
export function oversizeProblem(name: string, statements: readonly IamStatement[]): string | undefined {
  const characters = policyCharacters(statements);
  if (characters <= AWS_LIMITS.managedPolicyCharacters) return undefined;
  return `${name}: must have at most ${AWS_LIMITS.managedPolicyCharacters} characters as a managed policy, got ${characters}; split it in two policies`;
}

/** The policies of a release with the longest names that AWS allows. */
export function longestControllerPolicies(karpenterVersion: string = NEWEST_KARPENTER_VERSION): ControllerPolicy[] {
  const role = `arn:${LONGEST_VALUES.partition}:iam::${LONGEST_VALUES.account}:role/${'r'.repeat(AWS_LIMITS.roleNameCharacters)}`;
  const queue = `arn:${LONGEST_VALUES.partition}:sqs:${LONGEST_VALUES.region}:${LONGEST_VALUES.account}:${'q'.repeat(QUEUE_NAME_MAX_LENGTH)}`;
  return controllerPolicies({ ...LONGEST_VALUES, nodeRoles: [role], interruptionQueue: queue }, { karpenterVersion });
}

/** Names of clusters. @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html */
export const CLUSTER_NAME = /^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** Part of the name of a cluster. */
export const CLUSTER_NAME_CHARACTERS = /^[A-Za-z0-9_-]*$/;

export const QUEUE_NAME_MAX_LENGTH = 80;

/** Names of standard queues. EventBridge rules send no message group ID, so FIFO queues (`.fifo`) do not work. */
export const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** After this time, the announced instance is terminated, so its messages are useless. */
export const INTERRUPTION_RETENTION_SECONDS = 300;

/** The AWS managed key of SQS. Its policy cannot allow EventBridge, so events would be lost silently. */
export const AWS_MANAGED_QUEUE_KEY = 'alias/aws/sqs';

/** The queue name, shortened with a hash if it is too long for SQS. */
export function queueNameOf(name: string): string {
  return boundedName(name, QUEUE_NAME_MAX_LENGTH);
}

const HASH_CHARACTERS = 8;

/**
 * Shortens a name that is too long: its beginning, followed by a hash of the whole name. The result is deterministic,
 * and names with the same beginning stay distinct.
 */
export function boundedName(name: string, characters: number): string {
  if (name.length <= characters) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  return `${name.slice(0, characters - HASH_CHARACTERS - 1)}-${hash}`;
}

/**
 * The maximum number of instances in the action `aws:ec2:send-spot-instance-interruptions` of AWS Fault Injection
 * Service.
 *
 * Sources: https://docs.aws.amazon.com/fis/latest/userguide/fis-actions-reference.html, the quotas of the service, and
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/initiate-a-spot-instance-interruption.html (regions)
 */
export const SPOT_EXPERIMENT_MAX_INSTANCES = 5;

/** Allowed minutes between the notice and the interruption. EC2 sends the same notice as for a real interruption. */
export const SPOT_EXPERIMENT_NOTICE_MINUTES = { min: 2, max: 15 } as const;

/** Regions in which AWS FIS cannot send spot interruptions. */
export const REGIONS_WITHOUT_SPOT_EXPERIMENTS: ReadonlySet<string> = new Set([
  'ap-northeast-3',
  'ap-southeast-3',
  'cn-north-1',
  'cn-northwest-1',
  'me-central-1',
]);
