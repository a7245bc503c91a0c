import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { newClusterV1, newClusterV2, newReference, newStack, onlyResource, REGIONS, resourcesOf } from './fixtures';
import { ClusterReference, ControllerIdentity, ControllerRole, ControllerRoleProps } from '../../src/infra';

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';

function addRole(stack: Stack, props: Partial<ControllerRoleProps> = {}): ControllerRole {
  return new ControllerRole(stack, 'Controller', { cluster: props.cluster ?? newReference(stack), ...props });
}

function roleIn(stack: Stack): any {
  return Object.values(resourcesOf(stack, 'AWS::IAM::Role')).find(
    ({ Properties }) => Properties.Description === "Karpenter's controller",
  )!.Properties;
}

describe('ControllerRole with EKS Pod Identity', () => {
  test("can only be assumed by the controller's service account in this cluster", () => {
    const stack = newStack();
    addRole(stack);
    const [statement] = roleIn(stack).AssumeRolePolicyDocument.Statement;
    expect(statement).toMatchObject({
      Principal: { Service: 'pods.eks.amazonaws.com' },
      Action: ['sts:AssumeRole', 'sts:TagSession'],
    });
    expect(statement.Condition.StringEquals).toMatchObject({
      'aws:RequestTag/kubernetes-namespace': 'kube-system',
      'aws:RequestTag/kubernetes-service-account': 'karpenter',
    });
    expect(JSON.stringify(statement.Condition.StringEquals['aws:RequestTag/eks-cluster-arn'])).toContain(
      ':eks:eu-west-1:111122223333:cluster/shop',
    );
  });

  test('associates the service account in its namespace with the role', () => {
    const stack = newStack();
    addRole(stack, { namespace: 'karpenter', serviceAccountName: 'scaler' });
    expect(onlyResource(stack, 'AWS::EKS::PodIdentityAssociation').Properties).toMatchObject({
      ClusterName: 'shop',
      Namespace: 'karpenter',
      ServiceAccount: 'scaler',
      RoleArn: expect.anything(),
    });
  });

  test('has no service account annotation', () => expect(addRole(newStack()).serviceAccountAnnotations).toEqual({}));

  test.each([
    ['aws-eks-v2', newClusterV2],
    ['aws-eks', newClusterV1],
  ])('installs the agent in a cluster of %s before the association', (_, newCluster) => {
    const stack = newStack();
    addRole(stack, { cluster: newCluster(stack) });
    const [agent] = Object.keys(resourcesOf(stack, 'AWS::EKS::Addon'));
    expect(onlyResource(stack, 'AWS::EKS::Addon').Properties.AddonName).toBe('eks-pod-identity-agent');
    expect(onlyResource(stack, 'AWS::EKS::PodIdentityAssociation').DependsOn).toContain(agent);
  });

  test('assumes that a cluster outside the app has the agent', () => {
    const stack = newStack();
    addRole(stack);
    expect(resourcesOf(stack, 'AWS::EKS::Addon')).toEqual({});
  });

  test('installs the agent in a cluster outside the app with installAgent: true', () => {
    const stack = newStack();
    addRole(stack, { identity: ControllerIdentity.podIdentity({ installAgent: true }) });
    expect(onlyResource(stack, 'AWS::EKS::Addon').Properties).toMatchObject({
      ClusterName: 'shop',
      AddonName: 'eks-pod-identity-agent',
    });
  });
});

describe('ControllerRole on Fargate', () => {
  const REJECTION =
    /identity: EKS Pod Identity does not work on Fargate, which runs no DaemonSets, got the Fargate profile Stack\/Profile for namespace kube-system; write identity: ControllerIdentity.irsa\(\)/;

  test.each([
    ['namespace', { namespace: 'kube-system' }],
    ['pattern', { namespace: 'kube-*' }],
    ['labels of the controller', { namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'karpenter' } }],
  ])('rejects Pod Identity with a Fargate profile for its %s', (_, selector) => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    addRole(stack, { cluster });
    new eksv2.FargateProfile(stack, 'Profile', { cluster, selectors: [selector] });
    expect(() => Template.fromStack(stack)).toThrow(REJECTION);
  });

  test('rejects Pod Identity in a cluster of aws-eks', () => {
    const stack = newStack();
    const cluster = newClusterV1(stack);
    new eks.FargateProfile(stack, 'Profile', { cluster, selectors: [{ namespace: 'kube-system' }] });
    addRole(stack, { cluster });
    expect(() => Template.fromStack(stack)).toThrow(REJECTION);
  });

  test.each([
    ['another namespace', { namespace: 'jobs' }],
    ['other pods of the namespace', { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } }],
  ])('accepts a Fargate profile for %s', (_, selector) => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    addRole(stack, { cluster });
    new eksv2.FargateProfile(stack, 'Profile', { cluster, selectors: [selector] });
    expect(Object.keys(resourcesOf(stack, 'AWS::EKS::FargateProfile'))).toHaveLength(1);
  });

  test('accepts IRSA', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    addRole(stack, { cluster, identity: ControllerIdentity.irsa() });
    new eksv2.FargateProfile(stack, 'Profile', { cluster, selectors: [{ namespace: 'kube-system' }] });
    expect(resourcesOf(stack, 'AWS::EKS::PodIdentityAssociation')).toEqual({});
  });
});

describe('ControllerRole with IRSA', () => {
  const newCluster = (stack: Stack) =>
    new ClusterReference(stack, 'Cluster', {
      clusterName: 'shop',
      openIdConnectProvider: eks.OpenIdConnectProvider.fromOpenIdConnectProviderArn(
        stack,
        'Provider',
        `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`,
      ),
    });

  test('can only be assumed by the service account in its namespace, with the audience of STS', () => {
    const stack = newStack();
    addRole(stack, { cluster: newCluster(stack), identity: ControllerIdentity.irsa(), namespace: 'karpenter' });
    expect(roleIn(stack).AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${ISSUER}` },
        Condition: {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: 'system:serviceaccount:karpenter:karpenter',
          },
        },
      },
    ]);
  });

  test('annotates the service account', () => {
    const stack = newStack();
    const { serviceAccountAnnotations } = addRole(stack, {
      cluster: newCluster(stack),
      identity: ControllerIdentity.irsa(),
    });
    expect(stack.resolve(serviceAccountAnnotations)).toEqual({
      'eks.amazonaws.com/role-arn': { 'Fn::GetAtt': [expect.stringContaining('Controller'), 'Arn'] },
    });
  });

  test('renders the trust policy as a JSON string if the issuer is known only at deployment', () => {
    const stack = newStack();
    addRole(stack, { cluster: newClusterV2(stack), identity: ControllerIdentity.irsa() });
    expect(resourcesOf(stack, 'Custom::AWSCDKCfnJson')).toEqual({});
    expect(JSON.stringify(roleIn(stack).AssumeRolePolicyDocument)).toContain(
      ':sub\\":\\"system:serviceaccount:kube-system:karpenter\\"',
    );
  });

  test('rejects a cluster without OpenID Connect provider', () => {
    expect(() => addRole(newStack(), { identity: ControllerIdentity.irsa() })).toThrow(
      "Stack/Controller/identity: IRSA needs the cluster's OpenID Connect provider, got none; import the cluster with openIdConnectProvider, or use ControllerIdentity.podIdentity()",
    );
  });
});

describe('ControllerRole with either identity', () => {
  test('has the permissions boundary, path and name of its properties', () => {
    const stack = newStack();
    addRole(stack, {
      roleName: 'scaler',
      path: '/platform/',
      permissionsBoundary: ManagedPolicy.fromManagedPolicyArn(
        stack,
        'Boundary',
        'arn:aws:iam::111122223333:policy/boundary',
      ),
    });
    expect(roleIn(stack)).toMatchObject({
      RoleName: 'scaler',
      Path: '/platform/',
      PermissionsBoundary: 'arn:aws:iam::111122223333:policy/boundary',
    });
  });

  test('rejects a name that is too long for IAM, and suggests a shorter one', () => {
    expect(() => addRole(newStack(), { roleName: `KarpenterController-${'shop'.repeat(12)}` })).toThrow(
      /roleName: must have at most 64 characters, got 68 \(KarpenterController-(shop){12}\); write for example KarpenterController-[a-z]{35}-[0-9a-f]{8}, or leave it out/,
    );
  });

  test.each(REGIONS)('has the same principals in the partition %s', (_, region) => {
    const stack = newStack(region);
    addRole(stack);
    expect(roleIn(stack).AssumeRolePolicyDocument.Statement[0].Principal).toEqual({
      Service: 'pods.eks.amazonaws.com',
    });
  });
});
