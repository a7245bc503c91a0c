import { inspect } from 'util';
import { CfnElement, IResource, Stack } from 'aws-cdk-lib';
import { App as Cdk8sApp, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { newClusterV1, newClusterV2, newStack } from './fixtures';
import { Karpenter } from '../../src/infra';
import { InterruptionQueue, NodeTerminationHandler } from '../../src/interruption';
import {
  AmiSelectorTerm,
  EC2NodeClass,
  InstanceCategory,
  NodeIdentity,
  NodePool,
  Requirement,
  SecurityGroupSelectorTerm,
} from '../../src/nodes';

/**
 * The line of code that the AWS CDK reports for a resource: the first stack frame outside of packages. `src` counts as
 * a package here. A frame of JavaScript itself, such as `Array.map`, does not, and would hide the user's line.
 */
function firstLine({ creationStack }: CfnElement): string {
  return creationStack.find((line) => !line.startsWith('...') && !line.includes('/src/')) ?? creationStack.join('\n');
}

/** Resources within the scopes whose reported line is not in this file. */
function resourcesWithOtherLines(scopes: readonly IConstruct[]): string[] {
  const elements = scopes.flatMap((scope) => scope.node.findAll()).filter(CfnElement.isCfnElement);
  expect(elements.length).toBeGreaterThan(5);
  return elements
    .filter((element) => !firstLine(element).includes(__filename))
    .map((element) => `${element.node.path}: ${firstLine(element)}`);
}

function addNodes(karpenter: Karpenter): void {
  const nodeClass: EC2NodeClass = karpenter.addNodeClass('al2023', {
    amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
  });
  const requirements = [Requirement.instanceCategory().in(InstanceCategory.M)];
  karpenter.addNodePool('general', { nodeClass, requirements });
  const chart = new Chart(new Cdk8sApp(), 'more');
  new NodePool(chart, 'batch', { nodeClass, requirements });
  karpenter.addChart('More', chart);
}

describe('the reported line of code of a resource', () => {
  const { stackTraceLimit } = Error;
  // The default of Node.js. Jest raises it.
  beforeEach(() => {
    Error.stackTraceLimit = 10;
  });
  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  test.each<[string, (stack: Stack) => IResource]>([
    ['aws-eks', (stack) => newClusterV1(stack)],
    ['aws-eks-v2', (stack) => newClusterV2(stack)],
  ])("is the user's for all resources of Karpenter in a cluster of %s", (_, newCluster) => {
    const stack = newStack();
    const karpenter = new Karpenter(stack, 'Karpenter', { cluster: newCluster(stack) as never });
    addNodes(karpenter);
    expect(resourcesWithOtherLines([karpenter])).toEqual([]);
  });

  test("is the user's for interruption queues and AWS Node Termination Handler", () => {
    const stack = newStack();
    const cluster = newClusterV1(stack);
    const queue = new InterruptionQueue(stack, 'Queue', { clusterName: 'shop', deadLetterQueue: {}, alarms: {} });
    const handler = new NodeTerminationHandler(stack, 'Handler', {
      clusterName: 'shop',
      oidcProvider: cluster.openIdConnectProvider,
    } as never);
    expect(resourcesWithOtherLines([queue, handler])).toEqual([]);
  });
});

test.each<[string, (stack: Stack) => void]>([
  [
    'a property of Karpenter',
    (stack) => new Karpenter(stack, 'It', { cluster: newClusterV1(stack), karpenterVersion: '0.9' }),
  ],
  ['a queue', (stack) => new InterruptionQueue(stack, 'It', { clusterName: 'shop', queueName: 'a b' })],
  [
    'AWS Node Termination Handler',
    (stack) => new NodeTerminationHandler(stack, 'It', { clusterName: 'shop', chartVersion: 'latest' }),
  ],
  [
    'an EC2NodeClass',
    () =>
      new EC2NodeClass(new Chart(new Cdk8sApp(), 'c'), 'It', {
        amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
        identity: NodeIdentity.role('nodes'),
        subnetSelectorTerms: [],
        securityGroupSelectorTerms: [SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
      }),
  ],
])('the error about %s prints its message once, without a stack trace or a cause', (_, construct) => {
  let uncaught: unknown;
  try {
    construct(newStack());
  } catch (error) {
    uncaught = error;
  }
  expect(uncaught).toBeInstanceOf(Error);
  expect(inspect(uncaught)).toBe(`[Error: ${(uncaught as Error).message}]`);
});
