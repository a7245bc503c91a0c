import { NEWEST_KARPENTER_VERSION } from '../karpenter-version';
import { ControllerPolicy, controllerPolicies } from './controller-policies';
import { IamStatement, toIamDocument } from './iam-statement';
import { QUEUE_NAME_MAX_LENGTH } from './queue';

/** Limits that AWS has on what this library makes; those of IAM count every character but white space. */
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

/** The longest values that each part may turn out to have: a token is taken for them. */
export const LONGEST = {
  partition: 'aws-us-gov',
  region: 'ap-southeast-1',
  account: '123456789012',
  clusterName: 'c'.repeat(AWS_LIMITS.clusterNameCharacters),
} as const;

/** Characters that IAM counts of a policy. */
export function policyCharacters(statements: readonly IamStatement[]): number {
  return JSON.stringify(toIamDocument(statements)).replace(/\s/g, '').length;
}

/** What is too long of a policy, or undefined. */
export function findOversize(name: string, statements: readonly IamStatement[]): string | undefined {
  const characters = policyCharacters(statements);
  if (characters <= AWS_LIMITS.managedPolicyCharacters) return undefined;
  return `${name}: must have at most ${AWS_LIMITS.managedPolicyCharacters} characters as a managed policy, got ${characters}; split it in two policies`;
}

/** The policies of a release at their longest: any name that EKS takes, in any region. */
export function longestControllerPolicies(karpenterVersion: string = NEWEST_KARPENTER_VERSION): ControllerPolicy[] {
  const role = `arn:${LONGEST.partition}:iam::${LONGEST.account}:role/${'r'.repeat(AWS_LIMITS.roleNameCharacters)}`;
  const queue = `arn:${LONGEST.partition}:sqs:${LONGEST.region}:${LONGEST.account}:${'q'.repeat(QUEUE_NAME_MAX_LENGTH)}`;
  return controllerPolicies({ ...LONGEST, nodeRoles: [role], interruptionQueue: queue }, { karpenterVersion });
}
