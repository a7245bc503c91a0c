import { compareCalls } from '../../conformance/iam/compare';
import { compareStatements } from '../../conformance/iam/compare-statements';
import { karpenterCalls, UNCALLED_METHODS } from '../../conformance/iam/karpenter-calls';
import { calledMethods, sdkMethods } from '../../conformance/iam/sdk-methods';
import { compareTemplate } from '../../conformance/iam/template';
import { controllerPolicies } from '../../src/contract';

const SUBJECT = {
  partition: '${AWS::Partition}',
  region: '${AWS::Region}',
  account: '${AWS::AccountId}',
  clusterName: '${ClusterName}',
  nodeRoles: ['${KarpenterNodeRole.Arn}'],
  interruptionQueue: '${KarpenterInterruptionQueue.Arn}',
};
const ours = controllerPolicies(SUBJECT, { karpenterVersion: '1.15.1' }).flatMap(({ statements }) => statements);
const today = new Set(karpenterCalls({ partition: 'aws', region: 'eu-west-1', account: '1', clusterName: 'c', nodeRole: '', queue: '' }).map(({ api }) => api));

/** Upstream's template in outline, with our statements in it. */
function template(change: (statements: any[]) => void = () => undefined): string {
  const statements = JSON.parse(JSON.stringify(ours));
  change(statements);
  const document = JSON.stringify({ Version: '2012-10-17', Statement: statements });
  return 'Resources:\n  Role: { Type: \'AWS::IAM::Role\', Properties: { RoleName: !Sub \'x\' } }\n'
    + `  Policy:\n    Type: AWS::IAM::ManagedPolicy\n    Properties:\n      PolicyDocument: !Sub |\n        ${document}\n`;
}

describe('upstream\'s template', () => {
  test('agrees with ours', () => expect(compareTemplate(template(), '1.15.1')).toEqual([]));

  test.each<[string, (statements: any[]) => void, string[]]>([
    ['an action more', ([first]) => first.Action.push('ec2:StopInstances'), ['AllowScopedEC2InstanceAccessActions: Action: upstream has ec2:StopInstances, and we do not']],
    ['a resource less', ([first]) => first.Resource.pop(),
      ['AllowScopedEC2InstanceAccessActions: Resource: we have arn:${AWS::Partition}:ec2:${AWS::Region}:*:placement-group/*, and upstream does not']],
    ['another condition', ([, second]) => { second.Condition.StringLike['aws:ResourceTag/karpenter.sh/nodepool'] = 'x'; }, [
      'AllowScopedEC2LaunchTemplateAccessActions: Condition StringLike aws:ResourceTag/karpenter.sh/nodepool: upstream has x, and we do not',
      'AllowScopedEC2LaunchTemplateAccessActions: Condition StringLike aws:ResourceTag/karpenter.sh/nodepool: we have *, and upstream does not',
    ]],
    ['a new statement', (statements) => statements.push({ Sid: 'AllowNew', Effect: 'Allow', Action: 'ec2:New', Resource: '*' }), ['AllowNew: upstream has it, and we do not']],
    ['a statement less', (statements) => statements.shift(), ['AllowScopedEC2InstanceAccessActions: we have it, and upstream does not']],
  ])('with %s differs, and it is said in what', (_, change, differences) => expect(compareTemplate(template(change), '1.15.1')).toEqual(differences));

  test('is that of its release', () => {
    expect(compareTemplate(template(), '1.14.0')).toEqual(['AllowScopedDeletion: Action: upstream has ec2:RebootInstances, and we do not']);
  });

  test('may write its lists in any order', () => {
    const reversed = ours.map((statement) => ({ ...statement, Sid: statement.Sid!, Action: [...statement.Action].reverse() }));
    expect(compareStatements(ours, reversed as any)).toEqual([]);
  });
});

describe('the calls of upstream\'s code', () => {
  test('are read from its interfaces', () => {
    expect(sdkMethods('type EC2API interface {\n\tRunInstances(context.Context, *ec2.RunInstancesInput)\n\tWriteRecords(ctx context.Context, p int)\n}')).toEqual(['RunInstances', 'WriteRecords']);
  });

  test.each([
    ['directly', 'p.ec2api.RunInstances(ctx, in)'], ['by a paginator', 'ec2.NewRunInstancesPaginator(p.ec2, in)'], ['by their input', '&ec2.RunInstancesInput{}'],
  ])('are found %s', (_, code) => expect([...calledMethods(code, ['RunInstances'])]).toEqual(['RunInstances']));

  test('are not those of Karpenter\'s own methods', () => expect([...calledMethods('p.provider.RunInstances(ctx)', ['RunInstances'])]).toEqual([]));

  test('that are new fail until there is a case for them', () => {
    expect(compareCalls('1.16.0', new Set([...today, 'ModifyInstanceAttribute'])))
      .toEqual(['ModifyInstanceAttribute: Karpenter 1.16.0 calls it, and no case in karpenter-calls.ts says that the policies allow it']);
  });

  test('that are gone, or that nothing called before, fail too', () => {
    const without = new Set([...today].filter((method) => method !== 'GetProducts'));
    expect(compareCalls('1.16.0', new Set([...without, UNCALLED_METHODS[0]]))).toEqual([
      'GetProducts: Karpenter 1.16.0 calls it no more; take it out of karpenter-calls.ts',
      `${UNCALLED_METHODS[0]}: Karpenter 1.16.0 calls it now; take it out of UNCALLED_METHODS`,
    ]);
  });
});
