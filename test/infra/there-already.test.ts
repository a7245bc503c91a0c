import { Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { newClusterV1, newClusterV2, newStack, resourcesOf } from './fixtures';
import { Karpenter, KarpenterProps } from '../../src/infra';
import { AmiAlias } from '../../src/nodes';

const LINUX = { amiAlias: AmiAlias.al2023('v20250915') };

function add(stack: Stack, props: KarpenterProps, id = 'Karpenter'): Karpenter {
  return new Karpenter(stack, id, props);
}

describe('the role of a managed node group', () => {
  const withAccessEntries = { authenticationMode: eks.AuthenticationMode.API };

  test.each<[string, (stack: Stack) => eks.Cluster | eksv2.Cluster]>([
    ['aws-eks-v2', newClusterV2], ['aws-eks', (stack) => newClusterV1(stack, withAccessEntries)],
  ])('gets no access entry in a cluster of %s, since EKS makes it and refuses a second one', (_, newCluster) => {
    const stack = newStack();
    const cluster = newCluster(stack);
    const karpenter = add(stack, { cluster });
    const { role } = cluster.defaultNodegroup!;
    karpenter.addNodeClass('default', { ...LINUX, nodeRole: role });
    const principals = Object.values(resourcesOf(stack, 'AWS::EKS::AccessEntry')).map(({ Properties }) => Properties.PrincipalArn);
    expect(principals).not.toContainEqual(stack.resolve(role.roleArn));
    expect(principals).toContainEqual(stack.resolve(karpenter.nodeRole.role.roleArn));
  });

  test('has its access entry where the node group is in another cluster', () => {
    const stack = newStack();
    const { role } = newClusterV1(stack).defaultNodegroup!;
    const karpenter = add(stack, { cluster: new eksv2.Cluster(stack, 'Other', { version: eksv2.KubernetesVersion.V1_34 }), installChart: false });
    expect(karpenter.nodeRole.role).not.toBe(role);
    expect(Object.keys(resourcesOf(stack, 'AWS::EKS::AccessEntry')).filter((id) => id.startsWith('KarpenterNodeAdmission'))).toHaveLength(1);
  });
});
