import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { GatewayVpcEndpointAwsService, InterfaceVpcEndpointService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { newClusterV2, newReference, newStack } from './fixtures';
import { InterruptionHandling, Karpenter, KarpenterProps } from '../../src/infra';

const ALL = ['ec2', 'ecr.api', 'ecr.dkr', 'sts', 'ssm', 'eks', 'sqs', 'eks-auth'];

/** Services whose endpoints Karpenter reports as missing, if the VPC has endpoints for `services`. */
function missingWith(services: readonly string[], props: Partial<KarpenterProps> = { isolatedVpc: true }): string[] {
  const stack = newStack();
  const vpc = new Vpc(stack, 'Vpc', {
    subnetConfiguration: [{ name: 'nodes', subnetType: SubnetType.PRIVATE_ISOLATED }],
  });
  new Karpenter(stack, 'Karpenter', {
    cluster: newClusterV2(stack, { vpc, vpcSubnets: [{ subnetType: SubnetType.PRIVATE_ISOLATED }] }),
    ...props,
  });
  vpc.addGatewayEndpoint('s3', { service: GatewayVpcEndpointAwsService.S3 });
  for (const service of services)
    vpc.addInterfaceEndpoint(service, {
      service: new InterfaceVpcEndpointService(`com.amazonaws.eu-west-1.${service}`),
    });
  return warningsOf(stack);
}

function warningsOf(stack: Stack): string[] {
  return Annotations.fromStack(stack)
    .findWarning('/Stack/Karpenter', Match.stringLikeRegexp('has no endpoint'))
    .map(({ entry }) => /no endpoint for ([\w.-]+),/.exec(String(entry.data))![1])
    .sort();
}

describe('Karpenter in an isolated VPC', () => {
  test('does not warn if all endpoints exist', () => expect(missingWith(ALL)).toEqual([]));

  test.each(ALL)('warns about a missing endpoint for %s', (service) =>
    expect(missingWith(ALL.filter((existing) => existing !== service))).toEqual([service]),
  );

  test('needs no endpoint for SQS without interruption handling', () => {
    expect(
      missingWith(
        ALL.filter((service) => service !== 'sqs'),
        { isolatedVpc: true, interruptionHandling: InterruptionHandling.none() },
      ),
    ).toEqual([]);
  });

  test('does not warn in a VPC with internet access', () => expect(missingWith([], {})).toEqual([]));

  test('does not warn if the VPC is unknown', () => {
    const stack = newStack();
    new Karpenter(stack, 'Karpenter', { cluster: newReference(stack), isolatedVpc: true });
    expect(warningsOf(stack)).toEqual([]);
  });
});
