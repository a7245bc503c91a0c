import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { newClusterV2, newReference, newStack, REGIONS, resourcesOf } from './fixtures';
import {
  ControllerPermissions,
  ControllerPolicies,
  ControllerPoliciesProps,
  ControllerRole,
  NodeRole,
} from '../../src/infra';
import { InterruptionQueue } from '../../src/interruption';
import { compareStatements } from '../support/iam/compare-statements';
import { publishedPolicies } from '../support/iam/published-policies';

function addPolicies(stack: Stack, props: Partial<ControllerPoliciesProps> = {}): ControllerPolicies {
  const cluster = props.cluster ?? newReference(stack);
  return new ControllerPolicies(stack, 'Policies', {
    cluster,
    role: new ControllerRole(stack, 'Controller', { cluster }).role,
    nodeRoles: [Role.fromRoleArn(stack, 'Nodes', 'arn:aws:iam::111122223333:role/nodes')],
    ...props,
  });
}

function statementsOf(stack: Stack): any[] {
  return Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement,
  );
}

function actionsWith(permissions: ControllerPermissions): string[] {
  const stack = newStack();
  addPolicies(stack, { permissions });
  return statementsOf(stack).flatMap(({ Action }) => Action);
}

/** The template's value, with references resolved for the cluster `shop` in eu-west-1. */
function evaluate(value: any, refs: Record<string, string>): any {
  if (Array.isArray(value)) return value.map((child) => evaluate(child, refs));
  if (typeof value !== 'object' || value === null) return value;
  if (value.Ref) return refs[value.Ref] ?? value.Ref;
  if (value['Fn::GetAtt']) return refs[value['Fn::GetAtt'].join('.')] ?? value['Fn::GetAtt'].join('.');
  if (value['Fn::Join'])
    return value['Fn::Join'][1].map((part: any) => evaluate(part, refs)).join(value['Fn::Join'][0]);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, evaluate(child, refs)]));
}

describe('ControllerPolicies', () => {
  test('has the statements that upstream publishes', () => {
    const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Stack');
    const cluster = newReference(stack, 'the-cluster');
    addPolicies(stack, { cluster, interruptionQueue: new InterruptionQueue(stack, 'Queue', { clusterName: 'shop' }) });
    const refs = Object.fromEntries(
      ['Partition', 'Region', 'AccountId'].map((name) => [`AWS::${name}`, `\${AWS::${name}}`]),
    );
    const queue = Object.keys(resourcesOf(stack, 'AWS::SQS::Queue'))[0];
    const statements = JSON.parse(JSON.stringify(statementsOf(stack)).replaceAll('the-cluster', '${ClusterName}'));
    const ours = evaluate(statements, {
      ...refs,
      [`${queue}.Arn`]: '${KarpenterInterruptionQueue.Arn}',
    }).map((statement: any) =>
      statement.Sid === 'AllowPassingInstanceRole' ? { ...statement, Resource: '${KarpenterNodeRole.Arn}' } : statement,
    );
    expect(compareStatements(ours, publishedPolicies().slice(-1)[0].statements)).toEqual([]);
  });

  test("renders the documents as JSON strings if the cluster's name is known only at deployment", () => {
    const stack = newStack();
    addPolicies(stack, { cluster: newClusterV2(stack) });
    const [policy] = Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'));
    const [cluster] = Object.keys(resourcesOf(stack, 'AWS::EKS::Cluster'));
    const document = JSON.parse(evaluate(policy.Properties.PolicyDocument, { [cluster]: 'shop' }));
    expect(document.Statement[1].Condition.StringEquals).toEqual({
      'aws:ResourceTag/kubernetes.io/cluster/shop': 'owned',
    });
  });

  test("renders the documents as objects if the cluster's name is known", () => {
    const stack = newStack();
    addPolicies(stack, { cluster: newClusterV2(stack, { clusterName: 'shop' }) });
    expect(JSON.stringify(statementsOf(stack))).toContain('aws:ResourceTag/kubernetes.io/cluster/shop');
  });

  test.each(REGIONS)('uses the ARNs of the partition %s', (partition, region) => {
    const stack = newStack(region);
    addPolicies(stack);
    const text = JSON.stringify(statementsOf(stack));
    expect(text).toContain(`"aws:RequestedRegion":"${region}"`);
    expect(JSON.stringify(evaluate(statementsOf(stack), { 'AWS::Partition': partition }))).toContain(
      `arn:${partition}:ec2:${region}:*:instance/*`,
    );
  });

  test('allows passing the node role to both names of the EC2 service', () => {
    const stack = newStack('cn-north-1');
    const cluster = newReference(stack);
    const nodes = new NodeRole(stack, 'NodeRole', { cluster });
    addPolicies(stack, { cluster, nodeRoles: [nodes.role] });
    const [passing] = statementsOf(stack).filter(({ Sid }) => Sid === 'AllowPassingInstanceRole');
    expect(passing.Condition).toEqual({
      StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] },
    });
    expect(passing.Resource).toEqual({ 'Fn::GetAtt': [expect.stringContaining('NodeRole'), 'Arn'] });
  });

  test.each<[keyof ControllerPermissions, string]>([
    ['instanceProfiles', 'iam:CreateInstanceProfile'],
    ['capacityReservations', 'ec2:DescribeCapacityReservations'],
    ['placementGroups', 'ec2:DescribePlacementGroups'],
    ['zonalShift', 'arc-zonal-shift:GetManagedResource'],
    ['nodeReboot', 'ec2:RebootInstances'],
  ])('without %s does not allow %s', (permission, action) => {
    expect(actionsWith({})).toContain(action);
    expect(actionsWith({ [permission]: false })).not.toContain(action);
  });

  test('for an isolated VPC allows no IAM action except PassRole, and no price list', () => {
    const actions = actionsWith({ isolatedVpc: true });
    expect(actions.filter((action) => action.startsWith('iam:'))).toEqual(['iam:PassRole']);
    expect(actions).not.toContain('pricing:GetProducts');
  });

  test('allows volume encryption with a key, and adds the statement for EBS to its policy', () => {
    const stack = newStack();
    addPolicies(stack, { permissions: { volumeKeys: [new Key(stack, 'Key')] } });
    const used = statementsOf(stack).filter(({ Sid }) => /Key/.test(Sid));
    expect(used.map(({ Sid }) => Sid)).toEqual(['AllowVolumeKeys', 'AllowVolumeKeyGrants']);
    Template.fromStack(stack).hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([Match.objectLike({ Sid: 'AllowVolumesOfThisAccount', Principal: { AWS: '*' } })]),
      },
    });
  });

  test('allows reading an encrypted queue', () => {
    const stack = newStack();
    addPolicies(stack, {
      interruptionQueue: new InterruptionQueue(stack, 'Queue', {
        clusterName: 'shop',
        encryptionKey: new Key(stack, 'Key'),
      }),
    });
    const [reading] = statementsOf(stack).filter(({ Sid }) => Sid === 'AllowInterruptionQueueKey');
    expect(reading).toMatchObject({
      Action: 'kms:Decrypt',
      Condition: { StringEquals: { 'kms:ViaService': expect.arrayContaining(['sqs.eu-west-1.amazonaws.com']) } },
    });
  });

  test("allows reading a queue that is encrypted with a key's alias", () => {
    const stack = newStack();
    addPolicies(stack, {
      interruptionQueue: new InterruptionQueue(stack, 'Queue', {
        clusterName: 'shop',
        encryptionKey: Alias.fromAliasName(stack, 'Key', 'alias/events'),
      }),
    });
    const [reading] = statementsOf(stack).filter(({ Sid }) => Sid === 'AllowInterruptionQueueKey');
    expect(JSON.stringify(reading.Resource)).toContain(':kms:eu-west-1:111122223333:key/*');
    expect(reading.Condition).toMatchObject({
      'ForAnyValue:StringEquals': { 'kms:ResourceAliases': ['alias/events'] },
    });
  });

  test('allows reading SSM parameters of the account', () => {
    const stack = newStack();
    addPolicies(stack, { permissions: { imageParameters: ['/images/golden'] } });
    const [reading] = statementsOf(stack).filter(({ Sid }) => Sid === 'AllowImageParameters');
    expect(reading.Resource['Fn::Join'][1].slice(-1)).toEqual([':ssm:eu-west-1:111122223333:parameter/images/golden']);
  });

  test("has policy names within IAM's limit for any cluster name", () => {
    const stack = newStack();
    addPolicies(stack, { cluster: newReference(stack, 'c'.repeat(100)), policyNamePrefix: 'KarpenterController' });
    const names = Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).map(
      ({ Properties }) => Properties.ManagedPolicyName,
    );
    expect(names.filter((name) => name.length > 128)).toEqual([]);
    expect(new Set(names).size).toBe(5);
  });

  test("fails at synth if a policy may exceed IAM's size limit", () => {
    const stack = newStack();
    const volumeKeys = Array.from({ length: 40 }, (_, index) =>
      Key.fromKeyArn(stack, `Key${index}`, `arn:aws:kms:eu-west-1:111122223333:key/${index}-${'0'.repeat(30)}`),
    );
    addPolicies(stack, { permissions: { volumeKeys } });
    expect(() => Template.fromStack(stack)).toThrow(
      /NodeLifecycle: must have at most 6144 characters as a managed policy, got \d+; split it in two policies/,
    );
  });

  test('rejects an unsupported Karpenter version', () => {
    expect(() => addPolicies(newStack(), { karpenterVersion: '2.0.0' })).toThrow(
      'Stack/Policies/karpenterVersion: must be a release from 1.0.0 to 1.15.1, got "2.0.0"; write for example 1.15.1',
    );
  });

  test('rejects a resource that is not a cluster', () => {
    const stack = newStack();
    const reference = newReference(stack);
    const role = new ControllerRole(stack, 'Controller', { cluster: reference }).role;
    expect(
      () => new ControllerPolicies(stack, 'Policies', { cluster: new Key(stack, 'Key'), role, nodeRoles: [] }),
    ).toThrow(
      'Stack/Policies/cluster: must be a cluster of aws-eks or aws-eks-v2 or a ClusterReference, got Stack/Key',
    );
  });
});

test.each([
  ['us-iso-east-1', 'aws-iso'],
  ['us-isob-east-1', 'aws-iso-b'],
  ['eusc-de-east-1', 'aws-eusc'],
  ['eu-isoe-west-1', 'aws-iso-e'],
  ['us-isof-south-1', 'aws-iso-f'],
])('ControllerPolicies in %s warn that the partition %s is not supported', (region, partition) => {
  const stack = newStack(region);
  addPolicies(stack);
  Annotations.fromStack(stack).hasWarning(
    '/Stack/Policies',
    Match.stringLikeRegexp(
      `are for the partitions aws, aws-cn and aws-us-gov, got the region ${region} of ${partition}, `,
    ),
  );
});

test.each([...REGIONS.map(([, region]) => region), undefined])(
  'ControllerPolicies in %s do not warn about the partition',
  (region) => {
    const stack =
      region === undefined ? new Stack(new App({ builtinCloudFormationValidation: false }), 'Stack') : newStack(region);
    addPolicies(stack);
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('partition'));
  },
);
