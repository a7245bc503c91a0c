import { App, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { GatewayVpcEndpointAwsService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { ACCOUNT, newClusterV1, newClusterV2, resourcesOf } from './fixtures';
import { ControllerIdentity, Karpenter } from '../../src/infra';

const REGION = { account: ACCOUNT, region: 'eu-west-1' };

/** Two stacks of one class, so that their resources have the same logical ids. */
const APPS: ReadonlyArray<readonly [string, () => [dev: Stack, prod: Stack]]> = [
  [
    'stacks',
    () => {
      const app = new App({ builtinCloudFormationValidation: false });
      return [new Stack(app, 'Dev', { env: REGION }), new Stack(app, 'Prod', { env: REGION })];
    },
  ],
  [
    'stages',
    () => {
      const app = new App({ builtinCloudFormationValidation: false });
      const newStack = (stage: string) => new Stack(new Stage(app, stage, { env: REGION }), 'Shop');
      return [newStack('Dev'), newStack('Prod')];
    },
  ],
];

describe.each(APPS)('Karpenter in two %s of one class', (_, newStacks) => {
  test('installs the EKS Pod Identity agent in each', () => {
    const stacks = newStacks();
    for (const stack of stacks)
      new Karpenter(stack, 'Karpenter', { cluster: newClusterV2(stack, { clusterName: 'shop' }) });
    for (const stack of stacks) {
      const [agent, ...duplicates] = Object.keys(resourcesOf(stack, 'AWS::EKS::Addon'));
      expect(duplicates).toEqual([]);
      expect(Object.values(resourcesOf(stack, 'AWS::EKS::PodIdentityAssociation'))[0].DependsOn).toContain(agent);
    }
  });

  test.each<[string, (stack: Stack) => eks.Cluster | eksv2.Cluster]>([
    ['aws-eks', (stack) => newClusterV1(stack, { authenticationMode: eks.AuthenticationMode.API })],
    ['aws-eks-v2', newClusterV2],
  ])('accepts EKS Pod Identity if only the other one has a Fargate profile of %s', (__, newCluster) => {
    const [dev, prod] = newStacks();
    const cluster = newCluster(dev);
    cluster.addFargateProfile('System', { selectors: [{ namespace: 'kube-system' }] });
    new Karpenter(dev, 'Karpenter', { cluster, identity: ControllerIdentity.irsa() });
    new Karpenter(prod, 'Karpenter', { cluster: newCluster(prod) });
    expect(() => Template.fromStack(prod)).not.toThrow();
  });

  test('warns about a missing endpoint that only the other one has', () => {
    const [dev, prod] = newStacks();
    const isolated = (stack: Stack) =>
      new Vpc(stack, 'Vpc', {
        natGateways: 0,
        subnetConfiguration: [{ name: 'nodes', subnetType: SubnetType.PRIVATE_ISOLATED }],
      });
    isolated(dev).addGatewayEndpoint('S3', { service: GatewayVpcEndpointAwsService.S3 });
    new Karpenter(prod, 'Karpenter', {
      cluster: newClusterV2(prod, { vpc: isolated(prod), vpcSubnets: [{ subnetType: SubnetType.PRIVATE_ISOLATED }] }),
      isolatedVpc: true,
    });
    expect(Annotations.fromStack(prod).findWarning('*', Match.stringLikeRegexp('has no endpoint for s3'))).toHaveLength(
      1,
    );
  });
});
