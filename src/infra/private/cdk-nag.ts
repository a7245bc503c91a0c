/**
 * Reasons why findings of cdk-nag stay, on the resources of this library. The library does not import cdk-nag: version
 * 3 reads acknowledgements of the CDK, and version 2 reads the metadata `cdk_nag` of a resource.
 *
 * Only resources of this library are acknowledged. A policy that the user adds is still reported.
 */
import { Aspects, AspectPriority, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { CfnManagedPolicy, CfnPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { IConstruct } from 'constructs';
import {
  CNI_IPV6_ACTIONS,
  IamStatement,
  NEWEST_KARPENTER_VERSION,
  nodePolicyNames,
  OLDEST_KARPENTER_VERSION,
  readableValue,
} from '../../contract';

interface NagFinding {
  /** Id of the rule, such as `AwsSolutions-IAM5`. */
  readonly rule: string;
  /** What exactly is found, such as `Resource::*`. */
  readonly detail?: string;
  readonly reason: string;
}

const POLICY_OF_AWS = 'EKS requires this policy on its nodes, and AWS keeps it up to date with what nodes call';
const BY_SELECTORS = 'the selectors of an EC2NodeClass decide at run time which of them are used';
const BY_TAGS = 'Karpenter creates them; conditions allow only those with the tags of this cluster';

/** Types of resources without conditions: launching an instance only refers to them. */
const SELECTED = /:(?:image|snapshot|security-group|subnet|capacity-reservation|placement-group)\/\*$/;
const READ_ONLY = /^[a-z0-9-]+:(?:Describe|Get|List)[A-Za-z]*$/;
const OF_CNI = [...CNI_IPV6_ACTIONS, 'ec2:UnassignIpv6Addresses', 'ec2:CreateTags'];

/** For the inline policy that the CDK gives the role of a node group in an IPv6 cluster. */
const NO_INLINE_POLICY: readonly NagFinding[] = [
  'HIPAA.Security',
  'NIST.800.53.R4',
  'NIST.800.53.R5',
  'PCI.DSS.321',
].map((pack) => ({
  rule: `${pack}-IAMNoInlinePolicy`,
  reason: 'the CDK creates this policy for IPv6 with the node group, for no other role',
}));

/** Acknowledges findings on the resources below the constructs before plugins and aspects check them. */
export function acknowledgeNagFindings(scopes: ReadonlyArray<IConstruct | undefined>): void {
  const seen = new Set<CfnResource>();
  const visit = (construct: IConstruct) => {
    if (!CfnResource.isCfnResource(construct) || seen.has(construct)) return;
    seen.add(construct);
    acknowledge(construct, findingsOf(construct));
  };
  for (const scope of scopes.filter((construct) => construct !== undefined))
    Aspects.of(scope).add({ visit }, { priority: AspectPriority.MUTATING });
}

function acknowledge(resource: CfnResource, findings: readonly NagFinding[]): void {
  if (findings.length === 0) return;
  Validations.of(resource).acknowledge(
    ...findings.map(({ rule, detail, reason }) => ({ id: detail === undefined ? rule : `${rule}[${detail}]`, reason })),
  );
  resource.addMetadata('cdk_nag', {
    rules_to_suppress: [...(resource.getMetadata('cdk_nag')?.rules_to_suppress ?? []), ...suppressionsOf(findings)],
  });
}

/** In the format of cdk-nag 2, with the findings of one reason together. */
function suppressionsOf(findings: readonly NagFinding[]): object[] {
  const groups = new Map<string, NagFinding[]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map((group) => {
    const [{ rule: id, reason }] = group;
    const details = group.flatMap(({ detail }) => detail ?? []);
    return { id, reason, ...(details.length > 0 && { applies_to: details }) };
  });
}

function findingsOf(resource: CfnResource): NagFinding[] {
  if (resource instanceof CfnRole) return managedPolicyFindings(resource);
  if (resource instanceof CfnManagedPolicy) return wildcardFindings(resource);
  if (resource instanceof CfnPolicy && actionsOf(resource).every((action) => OF_CNI.includes(action)))
    return [...wildcardFindings(resource), ...NO_INLINE_POLICY];
  if (resource instanceof CfnQueue && resource.redrivePolicy === undefined)
    return [
      {
        rule: 'AwsSolutions-SQS3',
        reason:
          'events are kept for five minutes: if nobody handles one in this time, it is about an instance that is gone',
      },
    ];
  return [];
}

function managedPolicyFindings(role: CfnRole): NagFinding[] {
  const known = [OLDEST_KARPENTER_VERSION, NEWEST_KARPENTER_VERSION].flatMap(nodePolicyNames);
  const arns: string[] = (Stack.of(role).resolve(role.managedPolicyArns) ?? []).map(readableValue);
  return arns
    .filter((arn) => known.some((name) => arn.endsWith(`:iam::aws:policy/${name}`)))
    .map((arn) => ({ rule: 'AwsSolutions-IAM4', detail: `Policy::${arn}`, reason: POLICY_OF_AWS }));
}

/** cdk-nag reads a policy only if it is an object, which it is unless a condition key contains a token. */
function wildcardFindings(policy: CfnManagedPolicy | CfnPolicy): NagFinding[] {
  const reasons = new Map<string, string | undefined>();
  for (const statement of statementsOf(policy)) {
    for (const detail of wildcardsOf(statement)) {
      const reason = reasonFor(detail, statement);
      // Statements with the same wildcard share a finding, so each of them must have a reason.
      reasons.set(detail, reasons.has(detail) && !reasons.get(detail) ? undefined : reason);
    }
  }
  return [...reasons].flatMap(([detail, reason]) =>
    reason === undefined ? [] : [{ rule: 'AwsSolutions-IAM5', detail, reason }],
  );
}

function statementsOf(policy: CfnManagedPolicy | CfnPolicy): IamStatement[] {
  return Stack.of(policy).resolve(policy.policyDocument).Statement ?? [];
}

function actionsOf(policy: CfnPolicy): string[] {
  return statementsOf(policy).flatMap(({ Action }) => Action);
}

function wildcardsOf({ Action, Resource }: IamStatement): string[] {
  return [
    ...[Action].flat().map((action) => `Action::${action}`),
    ...[Resource].flat().map((resource) => `Resource::${readableValue(resource)}`),
  ].filter((detail) => detail.includes('*'));
}

function reasonFor(detail: string, { Action, Condition }: IamStatement): string | undefined {
  const actions = [Action].flat();
  if (detail.startsWith('Action::kms:'))
    return 'variants of one action, which EBS needs; a condition allows them only through EC2';
  if (/^Resource::.*:kms:.*:key\/\*$/.test(detail)) return 'the key is named by its alias, in a condition';
  if (detail.endsWith(':parameter/aws/service/*')) return 'public parameters in which AWS publishes machine images';
  if (actions.every((action) => OF_CNI.includes(action)))
    return 'the VPC CNI assigns addresses to interfaces that do not exist yet';
  if (actions.every((action) => READ_ONLY.test(action)))
    return 'the actions only read, and IAM offers no narrower resource for them, or Karpenter finds the resource by tags';
  if (SELECTED.test(detail)) return BY_SELECTORS;
  return Condition && /:(?:ec2|iam):/.test(detail) ? BY_TAGS : undefined;
}
