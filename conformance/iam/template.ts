import { parse } from 'yaml';
import { controllerPolicies } from '../../src/contract';
import { compareStatements } from '../../test/support/iam/compare-statements';
import { PublishedStatement } from '../../test/support/iam/published-policies';

/** Upstream's own placeholders. */
const SUBJECT = {
  partition: '${AWS::Partition}',
  region: '${AWS::Region}',
  account: '${AWS::AccountId}',
  clusterName: '${ClusterName}',
  nodeRoles: ['${KarpenterNodeRole.Arn}'],
  interruptionQueue: '${KarpenterInterruptionQueue.Arn}',
};

/** Differences between the policies of upstream's template, `cloudformation.yaml`, and ours for a release. */
export function compareTemplate(template: string, karpenterVersion: string): string[] {
  const ours = controllerPolicies(SUBJECT, { karpenterVersion }).flatMap(({ statements }) => statements);
  return compareStatements(ours, statementsOf(template));
}

function statementsOf(template: string): PublishedStatement[] {
  // Only the text of CloudFormation's tags matters.
  const customTags = ['!Sub', '!GetAtt', '!Ref'].map((tag) => ({ tag, resolve: (text: string) => text }));
  const resources: Record<string, { Type: string; Properties: { PolicyDocument?: unknown } }> = parse(template, {
    customTags,
  }).Resources;
  return Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::IAM::ManagedPolicy')
    .flatMap(({ Properties: { PolicyDocument } }) => JSON.parse(String(PolicyDocument)).Statement);
}
