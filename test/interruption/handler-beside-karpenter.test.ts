import { App, Stack, Stage, Token } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { newCluster, newClusterV2, newGroup, newHandler, newStack, templateOf } from './handlers';
import { HandledNodes, InterruptionQueue, NodeTerminationHandlerMode } from '../../src/interruption';

describe('NodeTerminationHandler beside Karpenter', () => {
  const synth = (stack: Stack) => () => Template.fromStack(stack);

  test('fails at synth if both drain the same nodes', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    newHandler({}, stack);
    expect(synth(stack)).toThrow('nodes: must leave out those of Karpenter, which hears of interruptions through Test/Karpenter, got HandledNodes.ALL; '
      + "write HandledNodes.OUTSIDE_KARPENTER, or leave out Karpenter's interruption queue");
  });

  test.each<[string, (app: App) => Stack]>([
    ['stage', (app) => new Stack(new Stage(app, 'Prod'), 'Test')], ['region', (app) => new Stack(app, 'Other', { env: { region: 'eu-north-1' } })],
  ])('may drain all nodes of a cluster that has its name in another %s', (_, newOther) => {
    const stack = newStack();
    new InterruptionQueue(newOther(stack.node.root as App), 'Karpenter', { clusterName: 'shop' });
    newHandler({}, stack);
    expect(synth(stack)).not.toThrow();
  });

  test('fails in IMDS mode, too, and where the name of the cluster is not known yet', () => {
    const stack = newStack();
    const clusterName = Token.asString({ Ref: 'Cluster' });
    new InterruptionQueue(stack, 'Karpenter', { clusterName });
    newHandler({ clusterName, mode: NodeTerminationHandlerMode.IMDS }, stack);
    expect(synth(stack)).toThrow('must leave out those of Karpenter');
  });

  test.each(['eks', 'eks-v2'])('fails where one has the name of a cluster of %s as it was written, and the other has asked the cluster for it', (kind) => {
    const stack = newStack();
    const cluster = kind === 'eks' ? newCluster(stack, 'shop') : newClusterV2(stack, 'shop');
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    newHandler({ clusterName: cluster.clusterName }, stack);
    expect(synth(stack)).toThrow('must leave out those of Karpenter');
  });

  test('passes for another cluster', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'other' });
    newHandler({}, stack);
    expect(synth(stack)).not.toThrow();
  });

  test('handles the instances with a tag of its own, if it leaves those of Karpenter out', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    const handler = newHandler({ nodes: HandledNodes.OUTSIDE_KARPENTER, autoScalingGroups: [newGroup(stack)] }, stack);
    expect(handler.values.managedTag).toBe('aws-node-termination-handler/managed');
    templateOf(handler).hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
      Tags: Match.arrayWith([{ Key: 'aws-node-termination-handler/managed', Value: 'true', PropagateAtLaunch: true }]),
    });
  });

  test('does not read the queue of Karpenter', () => {
    const stack = newStack();
    const queue = new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    expect(() => newHandler({ queue, nodes: HandledNodes.OUTSIDE_KARPENTER }, stack)).toThrow('Test/Karpenter: is for Karpenter, got AWS Node Termination Handler (Test/NTH) as its reader');
  });
});
