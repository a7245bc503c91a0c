import { AWS_LIMITS, LONGEST_VALUES, QUEUE_NAME_MAX_LENGTH } from '../../../contract';
import { AwsModel, textParts, Policy, TemplateResource, TextPart } from '../../template';
import { defineRule, unknown } from '../define-rule';
import { subjectsWith } from '../subjects';

interface LimitedText {
  readonly resource: TemplateResource;
  readonly path: readonly (string | number)[];
  /** For messages: `RoleName karpenter-node`. */
  readonly subject: string;
  readonly length: TextLength;
  readonly most: number;
  readonly remedy: string;
}

const SHORTER = 'let CloudFormation generate the name, or write a shorter one that ends in a hash';

const SHORTER_IN_TERRAFORM = 'write a shorter name, or a name_prefix';

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const roleNameOrPolicyTooLong = defineRule({
  id: 'KARP-608',
  name: 'role-name-or-policy-too-long',
  severity: 'error',
  summary:
    'A name or a policy is longer than AWS allows: the deployment fails, possibly in some clusters or regions only.',
  subjects: subjectsWith<LimitedText>(
    ({ resource }) => resource.object,
    ({ model: { aws } }) => [
      ...explicitNames(aws),
      ...aws.policies.filter((policy) => policy.managed).map(managedPolicy),
      ...inlinePolicies(aws),
    ],
  ),
  judge({ path, subject, length: { characters, open }, most, remedy }) {
    if (characters > most)
      return {
        path,
        message: `${subject} must have at most ${most} characters, got ${characters}${open.length > 0 ? ` plus ${open.join(', ')}` : ''}`,
        remedy,
        evidence: { characters, most },
      };
    const longestPossible = characters + open.length * LONGEST_VALUES.clusterName.length;
    if (longestPossible <= most) return undefined;
    return unknown(
      `${subject} must have at most ${most} characters and has ${characters} plus ${open.join(', ')}, which is known only at deployment: ${most - characters} are left for it`,
    );
  },
});

/** Explicit names only: CloudFormation truncates the names that it generates. */
function explicitNames({ roles, instanceProfiles, policies, queues }: AwsModel): LimitedText[] {
  const limited = (resource: TemplateResource, property: string, most: number): LimitedText[] => {
    const name = resource.properties[property];
    return typeof name !== 'string'
      ? []
      : [
          {
            resource,
            path: ['Properties', property],
            subject: `${property} ${name}`,
            length: lengthOf(name),
            most,
            remedy: resource.tool === 'Terraform' ? SHORTER_IN_TERRAFORM : SHORTER,
          },
        ];
  };
  return [
    ...roles.flatMap(({ resource }) => limited(resource, 'RoleName', AWS_LIMITS.roleNameCharacters)),
    ...instanceProfiles.flatMap(({ resource }) =>
      limited(resource, 'InstanceProfileName', AWS_LIMITS.instanceProfileNameCharacters),
    ),
    ...policies
      .filter(({ managed }) => managed)
      .flatMap(({ resource }) => limited(resource, 'ManagedPolicyName', AWS_LIMITS.policyNameCharacters)),
    ...queues.flatMap(({ resource }) => limited(resource, 'QueueName', QUEUE_NAME_MAX_LENGTH)),
  ];
}

function managedPolicy({ resource, path, document }: Policy): LimitedText {
  return {
    resource,
    path,
    subject: 'its document',
    length: documentLength(document),
    most: AWS_LIMITS.managedPolicyCharacters,
    remedy: 'split it into several policies, as Karpenter does since 1.9',
  };
}

/** IAM limits the total length of a role's inline policies. */
function inlinePolicies({ roles }: AwsModel): LimitedText[] {
  return roles.flatMap(({ resource, policies }) => {
    const inline = policies.filter(({ managed }) => !managed);
    const lengths = inline.map(({ document }) => documentLength(document));
    if (inline.length === 0) return [];
    return [
      {
        resource,
        path: [],
        subject: `${inline.length === 1 ? 'its inline policy' : `its ${inline.length} inline policies together`}`,
        length: {
          characters: lengths.reduce((sum, { characters }) => sum + characters, 0),
          open: [...new Set(lengths.flatMap(({ open }) => open))],
        },
        most: AWS_LIMITS.inlinePolicyCharacters,
        remedy: 'use managed policies instead, which are limited one by one',
      },
    ];
  });
}

/** The length of a policy document without white space, which IAM does not count. */
function documentLength(document: unknown): TextLength {
  // Tokens keep their white space, because it belongs to the token's name.
  const texts = JSON.stringify(document ?? '')
    .split(/(\$\{Token\[[^\]]*\]\})/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/\s/g, '')));
  return lengthOf(texts.join(''));
}

/** The maximum lengths of CloudFormation's pseudo parameters. */
const LONGEST_PART: Readonly<Record<string, number>> = {
  'AWS::Region': LONGEST_VALUES.region.length,
  'AWS::AccountId': LONGEST_VALUES.account.length,
  'AWS::Partition': LONGEST_VALUES.partition.length,
  'AWS::URLSuffix': 'amazonaws.com.cn'.length,
};
/** A generated name: stack name, logical id and a suffix, truncated by CloudFormation to IAM's limit. */
const GENERATED_NAME = 64;
/** The maximum length of a text. */
interface TextLength {
  /** The length of the known parts, plus the maximum of the parts with a known limit. */
  readonly characters: number;
  /** Tokens without a known limit. */
  readonly open: readonly string[];
}

function lengthOf(text: string): TextLength {
  const parts = textParts(text);
  return {
    characters: parts.reduce((sum, part) => sum + (maximumLength(part) ?? 0), 0),
    open: [
      ...new Set(
        parts.flatMap((part) => (part.token === undefined || maximumLength(part) !== undefined ? [] : [part.token])),
      ),
    ],
  };
}

function maximumLength(part: TextPart): number | undefined {
  if (part.token === undefined) return part.literal.length;
  return part.generated ? GENERATED_NAME : LONGEST_PART[part.token];
}
