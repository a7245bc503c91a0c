import { Annotations as CdkAnnotations, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { IpFamily } from 'aws-cdk-lib/aws-eks-v2';
import { AccountRootPrincipal, IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ACCOUNT, newClusterV2, newReference, newStack, resourcesOf } from './fixtures';
import { ControllerIdentity, Karpenter, KarpenterProps, NodeRole } from '../../src/infra';

const arn = (name: string, account = ACCOUNT) => `arn:aws:iam::${account}:role/${name}`;

function add(stack: Stack, props: Partial<KarpenterProps>): Karpenter {
  return new Karpenter(stack, 'Karpenter', {
    cluster: props.cluster ?? newReference(stack),
    ...props,
    identity: props.identity ?? ControllerIdentity.podIdentity({ installAgent: false }),
  });
}

function warnings(stack: Stack): string[] {
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => entry.data as string);
}

function trustOf(stack: Stack, role: IRole): any[] {
  const [, { Properties }] = Object.entries(resourcesOf(stack, 'AWS::IAM::Role')).find(
    ([id]) => id === stack.getLogicalId(role.node.defaultChild as never),
  )!;
  const document = Properties.AssumeRolePolicyDocument;
  return (
    document.Statement ??
    JSON.parse(document['Fn::Join'][1].map((part: any) => part.Ref ?? part['Fn::GetAtt']?.join('.') ?? part).join(''))
      .Statement
  ); // prettier-ignore
}

const policyRoles = (stack: Stack) =>
  Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).map(({ Properties }) => Properties.Roles);

describe('an existing role of the controller', () => {
  test('that is imported gets the policies, and the trust statement is in a warning', () => {
    const stack = newStack();
    const existingControllerRole = Role.fromRoleArn(stack, 'Existing', arn('controller'));
    const karpenter = add(stack, { existingControllerRole });
    expect(karpenter.controllerRole.role).toBe(existingControllerRole);
    expect(new Set(policyRoles(stack).flat())).toEqual(new Set(['controller']));
    expect(Object.values(resourcesOf(stack, 'AWS::EKS::PodIdentityAssociation'))[0].Properties.RoleArn).toBe(
      arn('controller'),
    );
    expect(warnings(stack)).toEqual([
      'existingControllerRole: this app cannot change everything on the role Stack/Existing, and the controller gets no credentials unless the role ' +
        'has this statement in its trust policy: {"Action":["sts:AssumeRole","sts:TagSession"],"Condition":{"StringEquals":' +
        `{"aws:RequestTag/eks-cluster-arn":"arn:<AWS::Partition>:eks:eu-west-1:${ACCOUNT}:cluster/shop",` +
        '"aws:RequestTag/kubernetes-namespace":"kube-system","aws:RequestTag/kubernetes-service-account":"karpenter"}},' +
        '"Effect":"Allow","Principal":{"Service":"pods.eks.amazonaws.com"}}; ' +
        "add what is missing by hand, then write Annotations.of(this).acknowledgeWarning('karpenter-constructs:existingControllerRole') " +
        '[ack: karpenter-constructs:existingControllerRole]',
    ]);
  });

  test('causes no warning once the user has acknowledged it', () => {
    const stack = newStack();
    CdkAnnotations.of(stack).acknowledgeWarning('karpenter-constructs:existingControllerRole');
    add(stack, { existingControllerRole: Role.fromRoleArn(stack, 'Existing', arn('controller')) });
    expect(warnings(stack)).toEqual([]);
  });

  test('that must not be changed gets no policy, which a second warning says', () => {
    const stack = newStack();
    add(stack, { existingControllerRole: Role.fromRoleArn(stack, 'Existing', arn('controller'), { mutable: false }) });
    expect(new Set(policyRoles(stack))).toEqual(new Set([undefined]));
    expect(warnings(stack)).toContainEqual(
      expect.stringMatching(/has the \d+ managed policies of Stack\/Karpenter\/Policies, whose ARNs are in policyArns/),
    );
  });

  test('of the app also trusts EKS Pod Identity, without a warning', () => {
    const stack = newStack();
    const existingControllerRole = new Role(stack, 'Existing', { assumedBy: new AccountRootPrincipal() });
    add(stack, { existingControllerRole, path: '/karpenter/' });
    expect(trustOf(stack, existingControllerRole)).toMatchObject([
      { Principal: { AWS: expect.anything() } },
      { Action: ['sts:AssumeRole', 'sts:TagSession'], Principal: { Service: 'pods.eks.amazonaws.com' } },
    ]);
    expect(warnings(stack)).toEqual([]);
  });

  test('of the app also trusts the OpenID Connect provider with IRSA', () => {
    const stack = newStack();
    const existingControllerRole = new Role(stack, 'Existing', { assumedBy: new AccountRootPrincipal() });
    const identity = ControllerIdentity.irsa();
    add(stack, { cluster: newClusterV2(stack), identity, existingControllerRole });
    const issuers = trustOf(stack, existingControllerRole).map(({ Action, Condition }) => [
      Action,
      Object.keys(Condition?.StringEquals ?? {}).length,
    ]);
    expect(issuers).toEqual([
      ['sts:AssumeRole', 0],
      ['sts:AssumeRoleWithWebIdentity', 2],
    ]);
    expect(warnings(stack)).toEqual([]);
  });

  test('in another account is rejected', () => {
    const stack = newStack();
    const existingControllerRole = Role.fromRoleArn(stack, 'Existing', arn('controller', '444455556666'));
    expect(() => add(stack, { existingControllerRole })).toThrow(
      "Stack/Karpenter/Controller/existingRole: must be a role of the cluster's account 111122223333, " +
        'got a role of the account 444455556666; create the role in the account of the cluster',
    );
  });

  test('is rejected together with the name of a new role', () => {
    const stack = newStack();
    const existingControllerRole = Role.fromRoleArn(stack, 'Existing', arn('controller'));
    expect(() => add(stack, { existingControllerRole, controllerRoleName: 'karpenter' })).toThrow(
      'Stack/Karpenter/controllerRoleName: must not be set together with existingControllerRole, got the role Stack/Existing; ' +
        'set it on that role',
    );
  });
});

describe('an existing role of the nodes', () => {
  const POLICIES = /AmazonEKSWorkerNodePolicy.*AmazonEC2ContainerRegistryPullOnly.*AmazonSSMManagedInstanceCore/;

  test('that is imported is passed and admitted, and a warning lists its policies', () => {
    const stack = newStack();
    const existingNodeRole = Role.fromRoleArn(stack, 'Existing', arn('nodes'));
    const karpenter = add(stack, { existingNodeRole });
    expect(karpenter.nodeRole.roleName).toBe('nodes');
    expect(Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry'))[0].Properties.PrincipalArn).toBe(arn('nodes'));
    expect(JSON.stringify(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'))).toContain(arn('nodes'));
    expect(warnings(stack)).toEqual([expect.stringMatching(POLICIES)]);
    expect(warnings(stack)[0]).toContain(
      '{"Action":"sts:AssumeRole","Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"}}',
    );
    expect(warnings(stack)[0]).toContain('has the policies arn:<AWS::Partition>:iam::aws:policy/AmazonEKS');
  });

  test('of the app gets the policies and the trust policy of nodes once', () => {
    const stack = newStack();
    const existingNodeRole = new Role(stack, 'Existing', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    add(stack, { existingNodeRole });
    expect(trustOf(stack, existingNodeRole)).toHaveLength(1);
    const roles = Object.entries(resourcesOf(stack, 'AWS::IAM::Role')).filter(([id]) => id.startsWith('Existing'));
    expect(JSON.stringify(roles[0][1].Properties.ManagedPolicyArns)).toMatch(/CNI.*WorkerNode/);
    expect(warnings(stack)).toEqual([]);
  });

  test('gets an instance profile in an isolated VPC', () => {
    const stack = newStack();
    add(stack, { existingNodeRole: Role.fromRoleArn(stack, 'Existing', arn('nodes')), isolatedVpc: true });
    expect(Object.values(resourcesOf(stack, 'AWS::IAM::InstanceProfile'))[0].Properties.Roles).toEqual(['nodes']);
  });

  test('that must not be changed is listed with the statements for IPv6', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack, { ipFamily: IpFamily.IP_V6 });
    const existingRole = Role.fromRoleArn(stack, 'Existing', arn('nodes'), { mutable: false });
    new NodeRole(stack, 'Nodes', { cluster, existingRole });
    expect(warnings(stack)).toContainEqual(expect.stringContaining('"Sid":"AssignIpv6Addresses"'));
  });

  test('is rejected together with nodeRole, or with properties of a new role', () => {
    const stack = newStack();
    const cluster = newReference(stack);
    const existingNodeRole = Role.fromRoleArn(stack, 'Existing', arn('nodes'));
    const nodeRole = new NodeRole(stack, 'Nodes', { cluster });
    expect(() => add(stack, { cluster, nodeRole, existingNodeRole })).toThrow(
      'Stack/Karpenter/existingNodeRole: must not be set together with nodeRole, got the role Stack/Nodes',
    );
    const other = newStack();
    expect(() => add(other, { existingNodeRole, nodeManagedPolicies: [] })).toThrow(
      'Stack/Karpenter/nodeManagedPolicies: must not be set together with existingNodeRole',
    );
  });
});
