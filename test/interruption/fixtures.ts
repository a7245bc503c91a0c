import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, LaunchTemplate, MachineImage, Vpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { NodeTerminationHandler, NodeTerminationHandlerProps } from '../../src/interruption';

export function newStack(): Stack {
  return new Stack(new App({ builtinCloudFormationValidation: false }), 'Test', {
    env: { account: '111122223333', region: 'eu-west-1' },
  });
}

export function newHandler(
  props: Partial<NodeTerminationHandlerProps> = {},
  stack = newStack(),
): NodeTerminationHandler {
  return new NodeTerminationHandler(stack, 'NTH', { clusterName: 'shop', ...props });
}

export function templateOf(handler: NodeTerminationHandler): Template {
  return Template.fromStack(Stack.of(handler));
}

export function newGroup(stack: Stack): AutoScalingGroup {
  const launchTemplate = new LaunchTemplate(stack, 'LaunchTemplate', {
    machineImage: MachineImage.genericLinux({ 'eu-west-1': 'ami-1234' }),
    instanceType: new InstanceType('m7i.large'),
  });
  return new AutoScalingGroup(stack, 'Workers', {
    vpc: Vpc.fromVpcAttributes(stack, 'Vpc', {
      vpcId: 'vpc-1',
      availabilityZones: ['eu-west-1a'],
      privateSubnetIds: ['subnet-1'],
    }),
    launchTemplate,
  });
}

export function newCluster(stack: Stack, clusterName?: string): eks.Cluster {
  return new eks.Cluster(stack, 'Cluster', {
    clusterName,
    version: eks.KubernetesVersion.V1_34,
    kubectlLayer: newLayer(stack),
    defaultCapacity: 0,
  });
}

export function newClusterV2(stack: Stack, clusterName?: string): eksv2.Cluster {
  return new eksv2.Cluster(stack, 'Cluster', {
    clusterName,
    version: eksv2.KubernetesVersion.V1_34,
    kubectlProviderOptions: { kubectlLayer: newLayer(stack) },
    defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
  });
}

/** A reference instead of the real layer, which has 36 MB and is not under test. */
function newLayer(stack: Stack) {
  return LayerVersion.fromLayerVersionArn(stack, 'Kubectl', 'arn:aws:lambda:eu-west-1:111122223333:layer:kubectl:1');
}
