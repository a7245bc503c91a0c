import { App, Stack, Stage, Token } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { newCluster, newClusterV2, newGroup, newHandler, newStack, templateOf } from './fixtures';
import { HandledNodes, HandlerMode, InterruptionQueue } from '../../src/interruption';

describe('NodeTerminationHandler in a cluster with Karpenter', () => {
  const synth = (stack: Stack) => () => Template.fromStack(stack);

  test('fails at synth if both drain the same nodes', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    newHandler({}, stack);
    expect(synth(stack)).toThrow(
      "nodes: must exclude Karpenter's nodes, which Karpenter drains itself with the queue Test/Karpenter, got HandledNodes.ALL; " +
        "write HandledNodes.OUTSIDE_KARPENTER, or remove Karpenter's interruption queue",
    );
  });

  test.each<[string, (app: App) => Stack]>([
    ['stage', (app) => new Stack(new Stage(app, 'Prod'), 'Test')],
    ['region', (app) => new Stack(app, 'Other', { env: { region: 'eu-north-1' } })],
  ])('drains all nodes if Karpenter is in a cluster of the same name in another %s', (_, newOther) => {
    const stack = newStack();
    new InterruptionQueue(newOther(stack.node.root as App), 'Karpenter', { clusterName: 'shop' });
    newHandler({}, stack);
    expect(synth(stack)).not.toThrow();
  });

  test('fails in IMDS mode with a token as the cluster name', () => {
    const stack = newStack();
    const clusterName = Token.asString({ Ref: 'Cluster' });
    new InterruptionQueue(stack, 'Karpenter', { clusterName });
    newHandler({ clusterName, mode: HandlerMode.imds() }, stack);
    expect(synth(stack)).toThrow("must exclude Karpenter's nodes");
  });

  test.each(['eks', 'eks-v2'])('fails if one has the cluster name of %s as text and the other as a token', (kind) => {
    const stack = newStack();
    const cluster = kind === 'eks' ? newCluster(stack, 'shop') : newClusterV2(stack, 'shop');
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    newHandler({ clusterName: cluster.clusterName }, stack);
    expect(synth(stack)).toThrow("must exclude Karpenter's nodes");
  });

  test('accepts Karpenter in another cluster', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'other' });
    newHandler({}, stack);
    expect(synth(stack)).not.toThrow();
  });

  test('selects instances by its own tag with HandledNodes.OUTSIDE_KARPENTER', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    const handler = newHandler(
      { nodes: HandledNodes.OUTSIDE_KARPENTER, mode: HandlerMode.queue({ autoScalingGroups: [newGroup(stack)] }) },
      stack,
    );
    expect(handler.helmValues.managedTag).toBe('aws-node-termination-handler/managed');
    templateOf(handler).hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
      Tags: Match.arrayWith([{ Key: 'aws-node-termination-handler/managed', Value: 'true', PropagateAtLaunch: true }]),
    });
  });

  test('rejects the queue of Karpenter', () => {
    const stack = newStack();
    const queue = new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    expect(() =>
      newHandler({ mode: HandlerMode.queue({ queue }), nodes: HandledNodes.OUTSIDE_KARPENTER }, stack),
    ).toThrow('Test/Karpenter: the queue is for Karpenter, got the reader Test/NTH (AWS Node Termination Handler)');
  });
});
