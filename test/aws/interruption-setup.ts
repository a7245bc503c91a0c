/** Queues and handlers with the optional features that the examples do not use. */
import { App, Stack, Validations } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { OidcProviderNative } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CdkExample, ExampleEnvironment } from '../../examples/cdk-example';
import {
  HandledNodes,
  HandlerIdentity,
  HandlerMode,
  InterruptionConsumer,
  InterruptionQueue,
  NodeTerminationHandler,
} from '../../src/interruption';

export const interruptionSetup: CdkExample = {
  build(app: App, env: ExampleEnvironment): void {
    const stack = new Stack(app, 'Interruption', { env });
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop', deadLetterQueue: {}, alarms: {} });
    const plain = new InterruptionQueue(stack, 'Plain', { clusterName: 'plain' });
    Validations.of(plain).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'the instance is gone five minutes after the event, so a lost event needs no handling',
    });
    newHandler(stack);
  },
};

function newHandler(stack: Stack): void {
  const queue = new InterruptionQueue(stack, 'Encrypted', {
    clusterName: 'shop',
    consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
    encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
    deadLetterQueue: {},
  });
  // The provider's ARN, and so its issuer, is known only at deployment.
  const provider = new OidcProviderNative(stack, 'Provider', {
    url: 'https://oidc.eks.example.com/id/1234',
    clientIds: ['sts.amazonaws.com'],
  });
  const handler = new NodeTerminationHandler(stack, 'NTH', {
    clusterName: 'shop',
    nodes: HandledNodes.OUTSIDE_KARPENTER,
    mode: HandlerMode.queue({
      queue,
      identity: HandlerIdentity.irsa(provider),
      autoScalingGroups: [AutoScalingGroup.fromAutoScalingGroupName(stack, 'Workers', 'workers')],
    }),
    helmValues: { heartbeatInterval: 60, heartbeatUntil: 3600 },
  });
  Validations.of(handler).acknowledge(
    { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'read-only calls without resource-level permissions' },
    {
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:autoscaling:${stack.region}:${stack.account}:autoScalingGroup:*:autoScalingGroupName/workers]`,
      reason: 'the id of a group is known only at deployment; its name is unique',
    },
  );
}
