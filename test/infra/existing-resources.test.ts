import { App, IResource, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { OpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { ACCOUNT, newClusterV1, newClusterV2, newReference, newStack, onlyResource, resourcesOf } from './fixtures';
import { ClusterReference, ControllerIdentity, Karpenter, KarpenterProps } from '../../src/infra';
import { AmiSelectorTerm } from '../../src/nodes';

const LINUX = { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] };

function add(stack: Stack, props: KarpenterProps, id = 'Karpenter'): Karpenter {
  return new Karpenter(stack, id, props);
}

describe('the role of a managed node group', () => {
  const withAccessEntries = { authenticationMode: eks.AuthenticationMode.API };

  test.each<[string, (stack: Stack) => eks.Cluster | eksv2.Cluster]>([
    ['aws-eks-v2', newClusterV2],
    ['aws-eks', (stack) => newClusterV1(stack, withAccessEntries)],
  ])('gets no access entry in a cluster of %s, because EKS creates it and rejects a second one', (_, newCluster) => {
    const stack = newStack();
    const cluster = newCluster(stack);
    const karpenter = add(stack, { cluster });
    const { role } = cluster.defaultNodegroup!;
    karpenter.addNodeClass('default', { ...LINUX, nodeRole: role });
    const principals = Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry')).map(
      ({ Properties }) => Properties.PrincipalArn,
    );
    expect(principals).not.toContainEqual(stack.resolve(role.roleArn));
    expect(principals).toContainEqual(stack.resolve(karpenter.nodeRole.role.roleArn));
  });

  test('gets an access entry if the node group is in another cluster', () => {
    const stack = newStack();
    const { role } = newClusterV1(stack).defaultNodegroup!;
    const karpenter = add(stack, {
      cluster: new eksv2.Cluster(stack, 'Other', { version: eksv2.KubernetesVersion.V1_34 }),
      installChart: false,
    });
    expect(karpenter.nodeRole.role).not.toBe(role);
    expect(
      Object.keys(resourcesOf(stack, 'AWS::EKS::AccessEntry')).filter((id) => id.startsWith('KarpenterNodeAdmission')),
    ).toHaveLength(1);
  });
});

describe('the agent of EKS Pod Identity', () => {
  test.each<[string, (stack: Stack, cluster: eksv2.Cluster) => unknown]>([
    ['an Addon', (stack, cluster) => new eksv2.Addon(stack, 'Agent', { cluster, addonName: 'eks-pod-identity-agent' })],
    [
      'a CfnAddon by the name of the cluster',
      (stack) => new eks.CfnAddon(stack, 'Agent', { clusterName: 'shop', addonName: 'eks-pod-identity-agent' }),
    ],
  ])('is not installed if the app installs it as %s', (_, install) => {
    const stack = newStack();
    const cluster = newClusterV2(stack, { clusterName: 'shop' });
    install(stack, cluster);
    add(stack, { cluster });
    onlyResource(stack, 'AWS::EKS::Addon');
    expect(onlyResource(stack, 'AWS::EKS::PodIdentityAssociation').DependsOn).toContain(
      Object.keys(resourcesOf(stack, 'AWS::EKS::Addon'))[0],
    );
  });

  test('is rejected if it is installed twice, which EKS would refuse', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    add(stack, { cluster });
    new eksv2.Addon(stack, 'Agent', { cluster, addonName: 'eks-pod-identity-agent' });
    expect(() => Template.fromStack(stack)).toThrow(
      'identity: a cluster can have the add-on eks-pod-identity-agent only once, got a second one, Stack/Agent/Resource; ' +
        'write ControllerIdentity.podIdentity({ installAgent: false }), or remove the other add-on',
    );
  });

  test('is not installed with installAgent: false', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    add(stack, { cluster, identity: ControllerIdentity.podIdentity({ installAgent: false }) });
    new eksv2.Addon(stack, 'Agent', { cluster, addonName: 'eks-pod-identity-agent' });
    onlyResource(stack, 'AWS::EKS::Addon');
  });
});

describe('the agent of EKS Pod Identity in a cluster that the app does not create', () => {
  const warnings = (stack: Stack) =>
    Annotations.fromStack(stack)
      .findWarning('*', Match.stringLikeRegexp('identity: the app'))
      .map(({ entry }) => entry.data);

  test.each<[string, (stack: Stack) => IResource]>([
    ['a ClusterReference', newReference],
    [
      'an imported cluster of aws-eks',
      (stack) => eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop' }),
    ],
    [
      'an imported cluster of aws-eks-v2',
      (stack) => eksv2.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop' }),
    ],
  ])('causes a warning for %s until the app says whether to install it', (_, newCluster) => {
    const synth = (installAgent?: boolean) => {
      const stack = newStack();
      add(stack, {
        cluster: newCluster(stack),
        installChart: false,
        identity: ControllerIdentity.podIdentity({ installAgent }),
      });
      return { warnings: warnings(stack), addons: Object.keys(resourcesOf(stack, 'AWS::EKS::Addon')).length };
    };
    expect(synth()).toEqual({
      addons: 0,
      warnings: [
        expect.stringContaining(
          'identity: the app neither creates the cluster Stack/Cluster nor installs the add-on eks-pod-identity-agent in it, ' +
            'without which the controller gets no credentials; write ControllerIdentity.podIdentity({ installAgent: true }) to install the add-on, or false if the cluster has it',
        ),
      ],
    });
    expect(synth(true)).toEqual({ addons: 1, warnings: [] });
    expect(synth(false)).toEqual({ addons: 0, warnings: [] });
  });

  test('causes no warning with IRSA, or if the app installs the add-on after Karpenter', () => {
    const [irsa, later] = [newStack(), newStack()];
    const openIdConnectProvider = OpenIdConnectProvider.fromOpenIdConnectProviderArn(
      irsa,
      'Provider',
      `arn:aws:iam::${ACCOUNT}:oidc-provider/oidc.eks`,
    );
    add(irsa, {
      cluster: new ClusterReference(irsa, 'Cluster', { clusterName: 'shop', openIdConnectProvider }),
      identity: ControllerIdentity.irsa(),
    });
    add(later, { cluster: newReference(later) });
    new eks.CfnAddon(later, 'Agent', { clusterName: 'shop', addonName: 'eks-pod-identity-agent' });
    expect([...warnings(irsa), ...warnings(later)]).toEqual([]);
  });
});

test('aws-auth in another stack is rejected with a fix', () => {
  const app = new App({ builtinCloudFormationValidation: false });
  const [own, other] = ['Cluster', 'Karpenter'].map(
    (id) => new Stack(app, id, { env: { account: ACCOUNT, region: 'eu-west-1' } }),
  );
  expect(() => add(other, { cluster: newClusterV1(own) })).toThrow(
    "access: aws-auth can only map roles of the cluster's stack, " +
      'got Karpenter/Karpenter/Nodes/Role; write authenticationMode: AuthenticationMode.API_AND_CONFIG_MAP on the cluster, or put Karpenter and its roles into that stack',
  );
});

describe('the discovery tag of a VPC with two clusters', () => {
  const setUp = (discoveryTag?: string) => {
    const stack = newStack();
    const vpc = new Vpc(stack, 'Vpc', { natGateways: 1 });
    for (const clusterName of ['one', 'two']) {
      add(
        stack,
        {
          cluster: new eksv2.Cluster(stack, clusterName, { version: eksv2.KubernetesVersion.V1_34, vpc, clusterName }),
          installChart: false,
          discoveryTag,
        },
        `Karpenter-${clusterName}`,
      );
    }
    const values = Object.values(resourcesOf(stack, 'AWS::EC2::Subnet')).flatMap(({ Properties }) =>
      Properties.Tags.filter(({ Key }: any) => Key === 'karpenter.sh/discovery').map(({ Value }: any) => Value),
    );
    return {
      values: [...new Set(values)],
      warnings: Annotations.fromStack(stack)
        .findWarning('/Stack/Karpenter-two', Match.stringLikeRegexp('discoveryTag'))
        .map(({ entry }) => entry.data),
    };
  };

  test('keeps the value of the first Karpenter, and the second one warns', () => {
    const { values, warnings } = setUp();
    expect(values).toEqual(['one']);
    expect(warnings).toEqual([
      expect.stringContaining(
        'discoveryTag: the subnet Stack/Vpc/PrivateSubnet1 already has the tag karpenter.sh/discovery with the value one, got two; ' +
          'write discoveryTag: "one", or select subnets by their ids',
      ),
    ]);
  });

  test('is shared if both have the same value', () =>
    expect(setUp('network')).toEqual({ values: ['network'], warnings: [] }));
});
