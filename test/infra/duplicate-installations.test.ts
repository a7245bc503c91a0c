import { App, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ACCOUNT, newClusterV1, newClusterV2, newReference, newStack } from './fixtures';
import { ClusterReference, InterruptionHandling, Karpenter } from '../../src/infra';
import { HandledNodes, HandlerMode, NodeTerminationHandler } from '../../src/interruption';

const REGION = { account: ACCOUNT, region: 'eu-west-1' };
const newApp = () => new App({ builtinCloudFormationValidation: false });

describe('a second Karpenter', () => {
  test.each([
    ['aws-eks', newClusterV1],
    ['aws-eks-v2', newClusterV2],
    ['another app', newReference],
  ])('is rejected for a cluster of %s, and the error names both', (_, newCluster) => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new Karpenter(stack, 'First', { cluster: cluster as never });
    new Karpenter(stack, 'Second', { cluster: cluster as never, interruptionHandling: InterruptionHandling.none() });
    expect(() => Template.fromStack(stack)).toThrow(
      /\[Stack\/Second\] cluster: a cluster can have only one Karpenter, got a second one, Stack\/First, for Stack\/Cluster; remove one of them/,
    );
  });

  test('is rejected if another stack refers to the cluster by name', () => {
    const app = newApp();
    const [system, team] = ['System', 'Team'].map((id) => new Stack(app, id, { env: REGION }));
    new Karpenter(system, 'Karpenter', { cluster: newClusterV2(system, { clusterName: 'shop' }) });
    new Karpenter(team, 'Karpenter', { cluster: newReference(team, 'shop') });
    expect(() => app.synth()).toThrow(/got a second one, System\/Karpenter, for Team\/Cluster/);
  });

  test('is accepted for a cluster of another name, region or stage', () => {
    const app = newApp();
    const stack = new Stack(app, 'One', { env: REGION });
    new Karpenter(stack, 'Karpenter', { cluster: newReference(stack, 'shop') });
    const other = new ClusterReference(stack, 'Other', { clusterName: 'other' });
    new Karpenter(stack, 'Other2', { cluster: other });
    for (const elsewhere of [
      new Stack(app, 'Far', { env: { ...REGION, region: 'eu-central-1' } }),
      new Stack(new Stage(app, 'Test'), 'One', { env: REGION }),
    ]) {
      new Karpenter(elsewhere, 'Karpenter', { cluster: newReference(elsewhere, 'shop') });
    }
    expect(() => app.synth()).not.toThrow();
  });
});

describe('a second AWS Node Termination Handler', () => {
  const nodes = HandledNodes.OUTSIDE_KARPENTER;
  const mode = HandlerMode.imds();

  test('is rejected for the same cluster, and the error names both', () => {
    const stack = newStack();
    new NodeTerminationHandler(stack, 'First', { clusterName: 'shop', nodes, mode });
    new NodeTerminationHandler(stack, 'Second', { clusterName: 'shop', nodes, mode });
    expect(() => Template.fromStack(stack)).toThrow(
      /\[Stack\/Second\] clusterName: a cluster can have only one AWS Node Termination Handler, got a second one, Stack\/First; remove one of them/,
    );
  });

  test('is accepted for another cluster', () => {
    const stack = newStack();
    for (const clusterName of ['shop', 'other'])
      new NodeTerminationHandler(stack, clusterName, { clusterName, nodes, mode });
    expect(() => Template.fromStack(stack)).not.toThrow();
  });
});
