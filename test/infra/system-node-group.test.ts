import { Lazy } from 'aws-cdk-lib';
import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import { AuthenticationMode } from 'aws-cdk-lib/aws-eks';
import { newClusterV1, newClusterV2, newReference, newStack, onlyResource, resourcesOf } from './fixtures';
import { SystemNodeGroup } from '../../src/infra';

describe('a SystemNodeGroup', () => {
  test.each([
    ['aws-eks', newClusterV1, { defaultCapacity: 0, authenticationMode: AuthenticationMode.API }],
    ['aws-eks-v2', newClusterV2, { defaultCapacity: 0 }],
  ])('of %s has two amd64 nodes with a taint and a role of their own', (_, newCluster, props) => {
    const stack = newStack();
    new SystemNodeGroup(stack, 'System', { cluster: newCluster(stack, props) });
    const { Properties } = onlyResource(stack, 'AWS::EKS::Nodegroup');
    expect(Properties).toMatchObject({
      AmiType: 'AL2023_x86_64_STANDARD',
      InstanceTypes: ['m6i.large'],
      ScalingConfig: { MinSize: 2, DesiredSize: 2, MaxSize: 3 },
      Taints: [{ Key: 'CriticalAddonsOnly', Value: 'true', Effect: 'NO_SCHEDULE' }],
    });
    expect(Object.keys(resourcesOf(stack, 'AWS::IAM::Role'))).toContain(Properties.NodeRole['Fn::GetAtt'][0]);
  });

  test('has arm64 nodes without a taint if requested', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack, { defaultCapacity: 0 });
    new SystemNodeGroup(stack, 'System', {
      cluster,
      instanceType: new InstanceType('m7g.large'),
      nodes: 3,
      onlyCriticalAddons: false,
    });
    const { Properties } = onlyResource(stack, 'AWS::EKS::Nodegroup');
    expect([Properties.AmiType, Properties.ScalingConfig.MinSize, Properties.Taints ?? []]).toEqual([
      'AL2023_ARM_64_STANDARD',
      3,
      [],
    ]);
  });

  test('refuses a number of nodes that is known only at deployment, because one more is added to it', () => {
    const cluster = newClusterV2(newStack(), { defaultCapacity: 0 });
    expect(
      () => new SystemNodeGroup(newStack(), 'System', { cluster, nodes: Lazy.number({ produce: () => 3 }) }),
    ).toThrow(
      "Stack/System/nodes: must be a whole number of at least 2, because the controller's pods never share a node, got a number that is known only at deployment; write 2",
    );
  });

  test('refuses one node, and a ClusterReference', () => {
    const stack = newStack();
    const cluster = newReference(stack);
    expect(() => new SystemNodeGroup(stack, 'Named', { cluster })).toThrow(
      'Stack/Named/cluster: must be a cluster of aws-eks or aws-eks-v2, ' +
        'because a node group needs its subnets, got a ClusterReference; import the cluster with its VPC, or create the node group where the cluster is created',
    );
    expect(
      () => new SystemNodeGroup(stack, 'One', { cluster: newClusterV2(newStack(), { defaultCapacity: 0 }), nodes: 1 }),
    ).toThrow(
      "Stack/One/nodes: must be a whole number of at least 2, because the controller's pods never share a node, got 1; write 2",
    );
  });
});
