import { compareCalls } from '../../conformance/iam/compare';
import { calledMethods, sdkMethods } from '../../conformance/iam/sdk-methods';
import { compareTemplate } from '../../conformance/iam/template';
import { controllerPolicies } from '../../src/contract';
import { compareStatements } from '../support/iam/compare-statements';
import { karpenterCalls, UNCALLED_METHODS } from '../support/iam/karpenter-calls';

const SUBJECT = {
  partition: '${AWS::Partition}',
  region: '${AWS::Region}',
  account: '${AWS::AccountId}',
  clusterName: '${ClusterName}',
  nodeRoles: ['${KarpenterNodeRole.Arn}'],
  interruptionQueue: '${KarpenterInterruptionQueue.Arn}',
};
const ours = controllerPolicies(SUBJECT, { karpenterVersion: '1.15.1' }).flatMap(({ statements }) => statements);
const today = new Set(
  karpenterCalls({
    partition: 'aws',
    region: 'eu-west-1',
    account: '1',
    clusterName: 'c',
    nodeRole: '',
    queue: '',
  }).map(({ api }) => api),
);

/** A template in upstream's form with our statements. */
function template(change: (statements: any[]) => void = () => undefined): string {
  const statements = JSON.parse(JSON.stringify(ours));
  change(statements);
  const document = JSON.stringify({ Version: '2012-10-17', Statement: statements });
  return (
    "Resources:\n  Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: !Sub 'x' } }\n" +
    `  Policy:\n    Type: AWS::IAM::ManagedPolicy\n    Properties:\n      PolicyDocument: !Sub |\n        ${document}\n`
  );
}

describe('compareTemplate', () => {
  test('finds no difference if the template has our statements', () =>
    expect(compareTemplate(template(), '1.15.1')).toEqual([]));

  test.each<[string, (statements: any[]) => void, string[]]>([
    [
      'an additional action',
      ([first]) => first.Action.push('ec2:StopInstances'),
      ['AllowScopedEC2InstanceAccessActions: Action: upstream has ec2:StopInstances, and we do not'],
    ],
    [
      'a missing resource',
      ([first]) => first.Resource.pop(),
      [
        'AllowScopedEC2InstanceAccessActions: Resource: we have arn:${AWS::Partition}:ec2:${AWS::Region}:*:placement-group/*, and upstream does not',
      ],
    ],
    [
      'a changed condition',
      ([, second]) => {
        second.Condition.StringLike['aws:ResourceTag/karpenter.sh/nodepool'] = 'x';
      },
      [
        'AllowScopedEC2LaunchTemplateAccessActions: Condition StringLike aws:ResourceTag/karpenter.sh/nodepool: upstream has x, and we do not',
        'AllowScopedEC2LaunchTemplateAccessActions: Condition StringLike aws:ResourceTag/karpenter.sh/nodepool: we have *, and upstream does not',
      ],
    ],
    [
      'a new statement',
      (statements) => statements.push({ Sid: 'AllowNew', Effect: 'Allow', Action: 'ec2:New', Resource: '*' }),
      ['AllowNew: upstream has it, and we do not'],
    ],
    [
      'a missing statement',
      (statements) => statements.shift(),
      ['AllowScopedEC2InstanceAccessActions: we have it, and upstream does not'],
    ],
  ])('reports %s', (_, change, differences) =>
    expect(compareTemplate(template(change), '1.15.1')).toEqual(differences),
  );

  test('compares with the policies of the given release', () => {
    expect(compareTemplate(template(), '1.14.0')).toEqual([
      'AllowScopedDeletion: Action: upstream has ec2:RebootInstances, and we do not',
    ]);
  });

  test('ignores the order of lists', () => {
    const reversed = ours.map((statement) => ({
      ...statement,
      Sid: statement.Sid!,
      Action: [...statement.Action].reverse(),
    }));
    expect(compareStatements(ours, reversed as any)).toEqual([]);
  });
});

describe("calls of upstream's code", () => {
  test('sdkMethods reads the methods of the interfaces', () => {
    expect(
      sdkMethods(
        'type EC2API interface {\n\tRunInstances(context.Context, *ec2.RunInstancesInput)\n\tWriteRecords(ctx context.Context, p int)\n}',
      ),
    ).toEqual(['RunInstances', 'WriteRecords']);
  });

  test.each([
    ['called directly', 'p.ec2api.RunInstances(ctx, in)'],
    ['called through a paginator', 'ec2.NewRunInstancesPaginator(p.ec2, in)'],
    ['whose input is built', '&ec2.RunInstancesInput{}'],
  ])('calledMethods finds a method %s', (_, code) =>
    expect([...calledMethods(code, ['RunInstances'])]).toEqual(['RunInstances']),
  );

  test("calledMethods ignores Karpenter's own methods of the same name", () =>
    expect([...calledMethods('p.provider.RunInstances(ctx)', ['RunInstances'])]).toEqual([]));

  test('compareCalls reports a new call without a case', () => {
    expect(compareCalls('1.16.0', new Set([...today, 'ModifyInstanceAttribute']))).toEqual([
      'ModifyInstanceAttribute: Karpenter 1.16.0 calls it; add a case to karpenter-calls.ts',
    ]);
  });

  test('compareCalls reports a removed call, and a call that was unused before', () => {
    const without = new Set([...today].filter((method) => method !== 'GetProducts'));
    expect(compareCalls('1.16.0', new Set([...without, UNCALLED_METHODS[0]]))).toEqual([
      'GetProducts: Karpenter 1.16.0 no longer calls it; remove it from karpenter-calls.ts',
      `${UNCALLED_METHODS[0]}: Karpenter 1.16.0 calls it now; remove it from UNCALLED_METHODS`,
    ]);
  });
});
