import { parse } from 'yaml';
import { compareStatements } from './compare-statements';
import { PublishedStatement } from './published-policies';
import { controllerPolicies } from '../../src/contract';

/** Upstream's own placeholders. */
const SUBJECT = {
  partition: '${AWS::Partition}',
  region: '${AWS::Region}',
  account: '${AWS::AccountId}',
  clusterName: '${ClusterName}',
  nodeRoles: ['${KarpenterNodeRole.Arn}'],
  interruptionQueue: '${KarpenterInterruptionQueue.Arn}',
};

/** What differs between the policies of upstream's template, `cloudformation.yaml`, and ours of a release. */
export function compareTemplate(template: string, karpenterVersion: string): string[] {
  const ours = controllerPolicies(SUBJECT, { karpenterVersion }).flatMap(({ statements }) => statements);
  return compareStatements(ours, statementsOf(template));
}

function statementsOf(template: string): PublishedStatement[] {
  // Of CloudFormation's tags only the texts matter.
  const customTags = ['!Sub', '!GetAtt', '!Ref'].map((tag) => ({ tag, resolve: (text: string) => text }));
  const resources: Record<string, { Type: string; Properties: { PolicyDocument?: unknown } }> = parse(template, { customTags }).Resources;
  return Object.values(resources).filter(({ Type }) => Type === 'AWS::IAM::ManagedPolicy')
    .flatMap(({ Properties: { PolicyDocument } }) => JSON.parse(String(PolicyDocument)).Statement);
}
