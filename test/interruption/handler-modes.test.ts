import { newCluster, newClusterV2, newHandler, newStack, templateOf } from './fixtures';
import { HandledNodes, HandlerMode, NodeTerminationHandler } from '../../src/interruption';

const imds = HandlerMode.imds();

describe('NodeTerminationHandler installed on a cluster', () => {
  const release = {
    Release: 'aws-node-termination-handler',
    Chart: 'aws-node-termination-handler',
    Version: '0.27.1',
    Repository: 'oci://public.ecr.aws/aws-ec2/helm/aws-node-termination-handler',
    Namespace: 'kube-system',
  };
  const dependencies = [
    expect.stringMatching(/^NTHPodIdentityAssociation/),
    expect.stringMatching(/^NTHRoleDefaultPolicy/),
  ];

  test('of aws-eks is a Helm release that depends on its role', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    const handler = newHandler({ clusterName: cluster.clusterName }, stack);
    handler.installOn(cluster);
    templateOf(handler).hasResourceProperties('Custom::AWSCDK-EKS-HelmChart', release);
    expect(dependenciesOfChart(handler)).toEqual(expect.arrayContaining(dependencies));
  });

  test('of aws-eks-v2 is a Helm release that depends on its role', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    const handler = newHandler({ clusterName: cluster.clusterName }, stack);
    handler.installOnV2(cluster);
    templateOf(handler).hasResourceProperties('Custom::AWSCDK-EKS-HelmChart', release);
    expect(dependenciesOfChart(handler)).toEqual(expect.arrayContaining(dependencies));
  });
});

describe('NodeTerminationHandler in IMDS mode', () => {
  test('creates no AWS resources', () => {
    const handler = newHandler({ mode: imds });
    expect(templateOf(handler).toJSON().Resources).toBeUndefined();
    expect([handler.queue, handler.role]).toEqual([undefined, undefined]);
  });

  test('runs on every node, and drains on rebalance recommendations only if that is enabled', () => {
    const values = newHandler({ mode: imds }).helmValues;
    expect(values).toMatchObject({
      enableSqsTerminationDraining: false,
      enableSpotInterruptionDraining: true,
      enableRebalanceMonitoring: false,
      enableRebalanceDraining: false,
    });
    expect(JSON.stringify(values.daemonsetAffinity)).not.toContain('karpenter');
    expect(newHandler({ mode: imds, drainOnRebalance: true }).helmValues.enableRebalanceDraining).toBe(true);
  });

  test("does not run on Karpenter's nodes with HandledNodes.OUTSIDE_KARPENTER", () => {
    const { daemonsetAffinity } = newHandler({ mode: imds, nodes: HandledNodes.OUTSIDE_KARPENTER }).helmValues;
    expect(
      daemonsetAffinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]
        .matchExpressions,
    ).toContainEqual({ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' });
  });
});

function dependenciesOfChart(handler: NodeTerminationHandler): string[] {
  const [chart] = Object.values(templateOf(handler).findResources('Custom::AWSCDK-EKS-HelmChart'));
  return chart.DependsOn;
}
