/** The queue with everything that it can have. */
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CdkExample, ExampleEnvironment } from '../examples/cdk-example';
import { InterruptionConsumer, InterruptionQueue } from '../src/interruption';

export const interruptionSetup: CdkExample = {
  build(app: App, env: ExampleEnvironment): void {
    const stack = new Stack(app, 'Interruption', { env });
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop', deadLetterQueue: {}, alarm: {} });
    const plain = new InterruptionQueue(stack, 'Plain', { clusterName: 'plain' });
    Validations.of(plain).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'five minutes after an event its instance is gone: there is nothing left to do' });
    new InterruptionQueue(stack, 'Encrypted', {
      clusterName: 'shop',
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
      deadLetterQueue: {},
    });
  },
};
