import { CfnElement, IResource, Stack } from 'aws-cdk-lib';
import { App as Cdk8sApp, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { newClusterV1, newClusterV2, newStack } from './fixtures';
import { Karpenter } from '../../src/infra';
import { InterruptionQueue, NodeTerminationHandler } from '../../src/interruption';
import { AmiAlias, EC2NodeClass, InstanceCategory, NodePool, Requirement } from '../../src/nodes';

/**
 * What the AWS CDK takes for the line of code that made a resource: the first one that is not of a package. As a
 * package, `src` is left out; of what the engine itself calls, such as `Array.map`, it is not, and so hides the user's
 * line.
 */
function firstLine({ creationStack }: CfnElement): string {
  return creationStack.find((line) => !line.startsWith('...') && !line.includes('/src/')) ?? creationStack.join('\n');
}

/** Resources within the scopes that have another line than one of this file. */
function strangers(scopes: readonly IConstruct[]): string[] {
  const elements = scopes.flatMap((scope) => scope.node.findAll()).filter(CfnElement.isCfnElement);
  expect(elements.length).toBeGreaterThan(5);
  return elements.filter((element) => !firstLine(element).includes(__filename)).map((element) => `${element.node.path}: ${firstLine(element)}`);
}

function nodesOf(karpenter: Karpenter): void {
  const nodeClass: EC2NodeClass = karpenter.addNodeClass('al2023', { amiAlias: AmiAlias.al2023('v20250915') });
  const requirements = [Requirement.instanceCategory().in(InstanceCategory.M)];
  karpenter.addNodePool('general', { nodeClass, requirements });
  const chart = new Chart(new Cdk8sApp(), 'more');
  new NodePool(chart, 'batch', { nodeClass, requirements });
  karpenter.addChart('More', chart);
}

describe('the line of code of a resource', () => {
  const { stackTraceLimit } = Error;
  // As Node.js has it; jest looks further.
  beforeEach(() => { Error.stackTraceLimit = 10; });
  afterEach(() => { Error.stackTraceLimit = stackTraceLimit; });

  test.each<[string, (stack: Stack) => IResource]>([
    ['aws-eks', (stack) => newClusterV1(stack)],
    ['aws-eks-v2', (stack) => newClusterV2(stack)],
  ])('is the one that asked for it, of all that Karpenter has in a cluster of %s', (_, newCluster) => {
    const stack = newStack();
    const karpenter = new Karpenter(stack, 'Karpenter', { cluster: newCluster(stack) as never });
    nodesOf(karpenter);
    expect(strangers([karpenter])).toEqual([]);
  });

  test('is the one that asked for it, of all that handles interruptions', () => {
    const stack = newStack();
    const cluster = newClusterV1(stack);
    const queue = new InterruptionQueue(stack, 'Queue', { clusterName: 'shop', deadLetterQueue: {}, alarm: {} });
    const handler = new NodeTerminationHandler(stack, 'Handler', { clusterName: 'shop', oidcProvider: cluster.openIdConnectProvider } as never);
    expect(strangers([queue, handler])).toEqual([]);
  });
});
