import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { GatewayVpcEndpointAwsService, InterfaceVpcEndpointService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { newClusterV2, newReference, newStack } from './fixtures';
import { Karpenter, KarpenterProps } from '../../src/infra';

const ALL = ['ec2', 'ecr.api', 'ecr.dkr', 'sts', 'ssm', 'eks', 'sqs', 'eks-auth'];

/** Services that Karpenter in a private cluster is warned to be without. */
function missingWith(services: readonly string[], props: Partial<KarpenterProps> = { isolatedVpc: true }): string[] {
  const stack = newStack();
  const vpc = new Vpc(stack, 'Vpc', { subnetConfiguration: [{ name: 'nodes', subnetType: SubnetType.PRIVATE_ISOLATED }] });
  new Karpenter(stack, 'Karpenter', { cluster: newClusterV2(stack, { vpc, vpcSubnets: [{ subnetType: SubnetType.PRIVATE_ISOLATED }] }), ...props });
  vpc.addGatewayEndpoint('s3', { service: GatewayVpcEndpointAwsService.S3 });
  for (const service of services) vpc.addInterfaceEndpoint(service, { service: new InterfaceVpcEndpointService(`com.amazonaws.eu-west-1.${service}`) });
  return warningsOf(stack);
}

function warningsOf(stack: Stack): string[] {
  return Annotations.fromStack(stack).findWarning('/Stack/Karpenter', Match.stringLikeRegexp('has no endpoint'))
    .map(({ entry }) => /no endpoint for ([\w.-]+),/.exec(String(entry.data))![1]).sort();
}

describe('Karpenter in an isolated VPC', () => {
  test('needs endpoints, and nothing is said where they are there', () => expect(missingWith(ALL)).toEqual([]));

  test.each(ALL)('is warned of a missing endpoint for %s', (service) => expect(missingWith(ALL.filter((each) => each !== service))).toEqual([service]));

  test('needs none for a queue that it does not have', () => {
    expect(missingWith(ALL.filter((service) => service !== 'sqs'), { isolatedVpc: true, interruptionHandling: false })).toEqual([]);
  });

  test('is warned of nothing in a VPC with a way out', () => expect(missingWith([], {})).toEqual([]));

  test('is warned of nothing where the VPC is not known', () => {
    const stack = newStack();
    new Karpenter(stack, 'Karpenter', { cluster: newReference(stack), isolatedVpc: true });
    expect(warningsOf(stack)).toEqual([]);
  });
});
