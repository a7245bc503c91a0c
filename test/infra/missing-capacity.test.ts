import { CfnStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, MachineImage } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { newClusterV1, newClusterV2, newReference, newStack } from './fixtures';
import { ControllerIdentity, Karpenter, KarpenterProps, SystemNodeGroup } from '../../src/infra';

type EksCluster = eks.Cluster | eksv2.Cluster;
const AUTO_MODE = { defaultCapacityType: eksv2.DefaultCapacityType.AUTOMODE };

const noNodesV1 = (stack: Stack) => newClusterV1(stack, { defaultCapacity: 0 });
const noNodesV2 = (stack: Stack) => newClusterV2(stack, { defaultCapacity: 0 });
const autoMode = (stack: Stack) => newClusterV2(stack, AUTO_MODE);

function synth(
  newCluster: (stack: Stack) => EksCluster,
  props: Partial<KarpenterProps> = {},
  addCapacity: (stack: Stack, cluster: EksCluster) => void = () => {},
): Template {
  const stack = newStack();
  const cluster = newCluster(stack);
  new Karpenter(stack, 'Karpenter', { cluster, identity: ControllerIdentity.irsa(), ...props });
  addCapacity(stack, cluster);
  return Template.fromStack(stack);
}

describe('a cluster without a node for the controller', () => {
  test.each<[string, (stack: Stack) => EksCluster]>([
    ['aws-eks', noNodesV1],
    ['aws-eks-v2', noNodesV2],
  ])('fails the synth with %s', (_, newCluster) =>
    expect(() => synth(newCluster)).toThrow(
      'cluster: must have a node on which the controller can run, got Stack/Cluster without a node group and without a Fargate profile for ' +
        "the namespace kube-system; add new SystemNodeGroup(this, 'System', { cluster }), " +
        'or write nodesElsewhere: true if something outside this app creates the nodes',
    ),
  );

  test('fails the synth with EKS Auto Mode, the default of aws-eks-v2, and says how to leave it', () =>
    expect(() => synth(autoMode)).toThrow(
      'EKS Auto Mode, which is the default of aws-eks-v2, launches nodes with the label karpenter.sh/nodepool, and the chart keeps its pods off them: ' +
        "add new SystemNodeGroup(this, 'System', { cluster }), and write defaultCapacityType: DefaultCapacityType.NODEGROUP, defaultCapacity: 0 on the cluster",
    ));

  test('fails the synth if only another cluster has nodes, or another namespace has a Fargate profile', () => {
    expect(() =>
      synth(noNodesV2, {}, (stack) => {
        new eksv2.Cluster(stack, 'Other', {
          version: eksv2.KubernetesVersion.V1_34,
          defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
        });
      }),
    ).toThrow('cluster: must have a node');
    expect(() =>
      synth(noNodesV2, {}, (_, cluster) => cluster.addFargateProfile('Web', { selectors: [{ namespace: 'web' }] })),
    ).toThrow('cluster: must have a node');
  });
});

describe('the synth passes', () => {
  test.each<[string, (stack: Stack) => EksCluster, Partial<KarpenterProps>, (stack: Stack, cluster: any) => void]>([
    [
      'with a SystemNodeGroup beside EKS Auto Mode',
      autoMode,
      {},
      (stack, cluster) => {
        new SystemNodeGroup(stack, 'System', { cluster });
      },
    ],
    [
      'with a Fargate profile for kube-system',
      noNodesV2,
      {},
      (_, cluster) => cluster.addFargateProfile('System', { selectors: [{ namespace: 'kube-system' }] }),
    ],
    [
      'with any Auto Scaling group, which may join the cluster',
      noNodesV2,
      {},
      (stack, { vpc }) => {
        new AutoScalingGroup(stack, 'Group', {
          vpc,
          instanceType: new InstanceType('m6i.large'),
          machineImage: MachineImage.genericLinux({ 'eu-west-1': 'ami-1' }),
        });
      },
    ],
    [
      'with a template that the app does not show',
      noNodesV1,
      {},
      (stack) => {
        new CfnStack(stack, 'Nodes', { templateUrl: 'https://example.com/nodes.yaml' });
      },
    ],
    ['with nodesElsewhere', noNodesV2, { nodesElsewhere: true }, () => {}],
    [
      'if the affinity of the user may choose nodes of EKS Auto Mode',
      autoMode,
      { helmValues: { affinity: {} } },
      () => {},
    ],
    ['if something else installs the chart', noNodesV2, { installChart: false }, () => {}],
  ])('%s', (_, newCluster, props, addCapacity) => expect(() => synth(newCluster, props, addCapacity)).not.toThrow());

  test('for a cluster that the app does not create', () => {
    const stack = newStack();
    new Karpenter(stack, 'Karpenter', { cluster: newReference(stack) });
    expect(() => Template.fromStack(stack)).not.toThrow();
  });
});
