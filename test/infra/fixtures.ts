import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { ClusterReference } from '../../src/infra';

export const ACCOUNT = '111122223333';

/** A stack without aws-cdk-lib's built-in validation, which takes seconds and is not under test. */
export function newStack(region: string | undefined = 'eu-west-1'): Stack {
  return new Stack(
    new App({ builtinCloudFormationValidation: false }),
    'Stack',
    region === undefined ? {} : { env: { account: ACCOUNT, region } },
  );
}

/** One region of each partition. */
export const REGIONS: ReadonlyArray<readonly [partition: string, region: string]> = [
  ['aws', 'eu-west-1'],
  ['aws-cn', 'cn-north-1'],
  ['aws-us-gov', 'us-gov-west-1'],
];

export function newReference(stack: Stack, clusterName: string = 'shop'): ClusterReference {
  return new ClusterReference(stack, 'Cluster', { clusterName });
}

/** A reference instead of the real layer, which has 36 MB and is not under test. */
function newLayer(stack: Stack, id: string): ILayerVersion {
  return LayerVersion.fromLayerVersionArn(stack, id, `arn:aws:lambda:eu-west-1:${ACCOUNT}:layer:${id}:1`);
}

export function newClusterV2(stack: Stack, props: Partial<eksv2.ClusterProps> = {}): eksv2.Cluster {
  return new eksv2.Cluster(stack, 'Cluster', {
    version: eksv2.KubernetesVersion.V1_34,
    defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
    kubectlProviderOptions: { kubectlLayer: newLayer(stack, 'kubectl'), awscliLayer: newLayer(stack, 'awscli') },
    ...props,
  });
}

export function newClusterV1(stack: Stack, props: Partial<eks.ClusterProps> = {}): eks.Cluster {
  return new eks.Cluster(stack, 'Cluster', {
    version: eks.KubernetesVersion.V1_34,
    kubectlLayer: newLayer(stack, 'kubectl'),
    awscliLayer: newLayer(stack, 'awscli'),
    ...props,
  });
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, any>>;
  readonly DependsOn?: string | string[];
}

/** Resources of a type by logical id. */
export function resourcesOf(stack: Stack, type: string): Record<string, Resource> {
  return Template.fromStack(stack).findResources(type) as Record<string, Resource>;
}

/** The only resource of a type. */
export function onlyResource(stack: Stack, type: string): Resource {
  const resources = Object.values(resourcesOf(stack, type));
  expect(resources).toHaveLength(1);
  return resources[0];
}
