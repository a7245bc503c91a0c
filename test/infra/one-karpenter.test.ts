import { App, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ACCOUNT, newClusterV1, newClusterV2, newReference, newStack } from './fixtures';
import { ClusterReference, Karpenter } from '../../src/infra';
import { HandledNodes, NodeTerminationHandler, NodeTerminationHandlerMode } from '../../src/interruption';

const REGION = { account: ACCOUNT, region: 'eu-west-1' };
const newApp = () => new App({ builtinCloudFormationValidation: false });

describe('a second Karpenter', () => {
  test.each([['aws-eks', newClusterV1], ['aws-eks-v2', newClusterV2], ['another app', newReference]])('is refused for a cluster of %s, and both are named', (_, newCluster) => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new Karpenter(stack, 'First', { cluster: cluster as never });
    new Karpenter(stack, 'Second', { cluster: cluster as never, interruptionHandling: false });
    expect(() => Template.fromStack(stack)).toThrow(/\[Stack\/Second\] cluster: must have one Karpenter, got Stack\/First as another one of Stack\/Cluster; leave one of them out/);
  });

  test('is refused for a cluster that one of two stacks knows by its name alone', () => {
    const app = newApp();
    const [system, team] = ['System', 'Team'].map((id) => new Stack(app, id, { env: REGION }));
    new Karpenter(system, 'Karpenter', { cluster: newClusterV2(system, { clusterName: 'shop' }) });
    new Karpenter(team, 'Karpenter', { cluster: newReference(team, 'shop') });
    expect(() => app.synth()).toThrow(/got System\/Karpenter as another one of Team\/Cluster/);
  });

  test('is right for a cluster of another name, region or stage', () => {
    const app = newApp();
    const stack = new Stack(app, 'One', { env: REGION });
    new Karpenter(stack, 'Karpenter', { cluster: newReference(stack, 'shop') });
    const other = new ClusterReference(stack, 'Other', { clusterName: 'other' });
    new Karpenter(stack, 'Other2', { cluster: other });
    for (const elsewhere of [new Stack(app, 'Far', { env: { ...REGION, region: 'eu-central-1' } }), new Stack(new Stage(app, 'Test'), 'One', { env: REGION })]) {
      new Karpenter(elsewhere, 'Karpenter', { cluster: newReference(elsewhere, 'shop') });
    }
    expect(() => app.synth()).not.toThrow();
  });
});

describe('a second AWS Node Termination Handler', () => {
  const nodes = HandledNodes.OUTSIDE_KARPENTER;
  const mode = NodeTerminationHandlerMode.IMDS;

  test('is refused for the same cluster, and both are named', () => {
    const stack = newStack();
    new NodeTerminationHandler(stack, 'First', { clusterName: 'shop', nodes, mode });
    new NodeTerminationHandler(stack, 'Second', { clusterName: 'shop', nodes, mode });
    expect(() => Template.fromStack(stack)).toThrow(/\[Stack\/Second\] clusterName: a cluster has one AWS Node Termination Handler, got Stack\/First for the same cluster, too/);
  });

  test('is right for another cluster', () => {
    const stack = newStack();
    for (const clusterName of ['shop', 'other']) new NodeTerminationHandler(stack, clusterName, { clusterName, nodes, mode });
    expect(() => Template.fromStack(stack)).not.toThrow();
  });
});
