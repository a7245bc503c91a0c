/** Queues and handlers with everything that they can have, where the examples leave it out. */
import { App, Stack, Validations } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { OidcProviderNative } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CdkExample, ExampleEnvironment } from '../examples/cdk-example';
import { HandledNodes, HandlerIdentity, InterruptionConsumer, InterruptionQueue, NodeTerminationHandler } from '../src/interruption';

export const interruptionSetup: CdkExample = {
  build(app: App, env: ExampleEnvironment): void {
    const stack = new Stack(app, 'Interruption', { env });
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop', deadLetterQueue: {}, alarm: {} });
    const plain = new InterruptionQueue(stack, 'Plain', { clusterName: 'plain' });
    Validations.of(plain).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'five minutes after an event its instance is gone: there is nothing left to do' });
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
  // Its ARN, and so the issuer, is known only when it is deployed.
  const provider = new OidcProviderNative(stack, 'Provider', { url: 'https://oidc.eks.example.com/id/1234', clientIds: ['sts.amazonaws.com'] });
  const handler = new NodeTerminationHandler(stack, 'NTH', {
    clusterName: 'shop',
    queue,
    nodes: HandledNodes.OUTSIDE_KARPENTER,
    identity: HandlerIdentity.irsa(provider),
    autoScalingGroups: [AutoScalingGroup.fromAutoScalingGroupName(stack, 'Workers', 'workers')],
    values: { heartbeatInterval: 60, heartbeatUntil: 3600 },
  });
  Validations.of(handler).acknowledge(
    { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'calls that only read, and take no resource: IAM offers nothing narrower' },
    {
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:autoscaling:${stack.region}:${stack.account}:autoScalingGroup:*:autoScalingGroupName/workers]`,
      reason: 'the id of a group is not known before it is deployed; its name is unique',
    },
  );
}
