import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { newReference, newStack, onlyResource, resourcesOf } from './fixtures';
import { ClusterReference, NodeRole, NodeRoleProps } from '../../src/infra';

function addRole(stack: Stack, props: Partial<NodeRoleProps> = {}): NodeRole {
  return new NodeRole(stack, 'Nodes', { cluster: props.cluster ?? newReference(stack), ...props });
}

function roleIn(stack: Stack): any {
  return onlyResource(stack, 'AWS::IAM::Role').Properties;
}

function policiesIn(stack: Stack): string[] {
  return roleIn(stack).ManagedPolicyArns.map((arn: any) =>
    typeof arn === 'string' ? arn : arn['Fn::Join'][1].slice(-1)[0].replace(':iam::aws:policy/', ''),
  );
}

describe('NodeRole', () => {
  test('has the AWS managed policies that upstream gives to nodes', () => {
    const stack = newStack();
    addRole(stack);
    expect(policiesIn(stack)).toEqual([
      'AmazonEKS_CNI_Policy',
      'AmazonEKSWorkerNodePolicy',
      'AmazonEC2ContainerRegistryPullOnly',
      'AmazonSSMManagedInstanceCore',
    ]);
  });

  test('has the policies of the given Karpenter version', () => {
    const stack = newStack();
    addRole(stack, { karpenterVersion: '1.3.3' });
    expect(policiesIn(stack)).toContain('AmazonEC2ContainerRegistryReadOnly');
  });

  test('has no network and Session Manager policies if they are disabled, and has additional policies', () => {
    const stack = newStack();
    addRole(stack, {
      vpcCniPermissions: false,
      sessionManagerPermissions: false,
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('CloudWatchAgentServerPolicy')],
    });
    expect(policiesIn(stack)).toEqual([
      'AmazonEKSWorkerNodePolicy',
      'AmazonEC2ContainerRegistryPullOnly',
      'CloudWatchAgentServerPolicy',
    ]);
  });

  test.each([
    ['eu-west-1', ['ec2.amazonaws.com']],
    ['cn-north-1', ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn']],
    ['us-gov-west-1', ['ec2.amazonaws.com']],
  ])('trusts EC2 in %s by its service names there', (region, services) => {
    const stack = newStack(region);
    addRole(stack);
    const [statement] = roleIn(stack).AssumeRolePolicyDocument.Statement;
    expect([statement.Principal.Service].flat()).toEqual(services);
  });

  test('trusts EC2 in a stack without a known region', () => {
    const stack = new Stack(newStack().node.root, 'Anywhere');
    addRole(stack);
    expect(JSON.stringify(roleIn(stack).AssumeRolePolicyDocument)).toContain('"ec2.",{"Ref":"AWS::URLSuffix"}');
  });

  test('allows assigning addresses in an IPv6 cluster, for which no AWS managed policy exists', () => {
    const stack = newStack();
    addRole(stack, { cluster: new ClusterReference(stack, 'Cluster', { clusterName: 'shop', ipv6: true }) });
    const [policy] = Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'));
    expect(policy.Properties.PolicyDocument.Statement.map(({ Sid }: any) => Sid)).toEqual([
      'AssignIpv6Addresses',
      'TagInterfaces',
    ]);
  });

  test('has an instance profile on request', () => {
    const stack = newStack();
    const nodes = addRole(stack, { instanceProfileName: 'shop-nodes', path: '/platform/' });
    expect(onlyResource(stack, 'AWS::IAM::InstanceProfile').Properties).toMatchObject({
      InstanceProfileName: 'shop-nodes',
      Path: '/platform/',
    });
    expect(nodes.instanceProfile).toBeDefined();
    expect(addRole(newStack()).instanceProfile).toBeUndefined();
  });

  test('has a permissions boundary', () => {
    const stack = newStack();
    addRole(stack, { permissionsBoundary: ManagedPolicy.fromAwsManagedPolicyName('PowerUserAccess') });
    expect(roleIn(stack).PermissionsBoundary).toBeDefined();
  });

  test.each<[string, Partial<NodeRoleProps>, string]>([
    ['role', { roleName: 'n'.repeat(65) }, 'Stack/Nodes/roleName: must have at most 64 characters, got 65'],
    [
      'instance profile',
      { instanceProfileName: 'n'.repeat(129) },
      'Stack/Nodes/instanceProfileName: must have at most 128 characters, got 129',
    ],
  ])('rejects a name of the %s that is too long for IAM', (_, props, message) => {
    expect(() => addRole(newStack(), props)).toThrow(message);
  });
});
