import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { IKey } from 'aws-cdk-lib/aws-kms';
import { InterruptionConsumer } from './interruption-consumer';

/**
 * Where events go that could not be delivered, or that nobody could handle.
 */
export interface DeadLetterQueueOptions {
  /**
   * How often an event is read without being deleted before it is moved here.
   *
   * Karpenter and AWS Node Termination Handler see an event again every 20 seconds until they have handled it, and
   * events are kept for five minutes: 15 and more are never reached.
   *
   * @default - 5 for Karpenter; 14 for AWS Node Termination Handler, which deletes an event only when the node is
   * drained
   */
  readonly maxReceiveCount?: number;

  /**
   * How long events are kept here.
   *
   * @default Duration.days(14)
   */
  readonly retentionPeriod?: Duration;
}

/**
 * When to raise an alarm that interruptions are not handled.
 */
export interface InterruptionAlarmOptions {
  /**
   * What happens on alarm.
   *
   * @default - the alarm only shows in CloudWatch
   */
  readonly actions?: IAlarmAction[];

  /**
   * Age of the oldest event from which on nobody seems to read the queue.
   *
   * @default - one minute for Karpenter, half of the time that a spot instance has left; four minutes for AWS Node
   * Termination Handler, which deletes an event only when the node is drained
   */
  readonly unreadFor?: Duration;
}

/**
 * Properties of an InterruptionQueue.
 */
export interface InterruptionQueueProps {
  /**
   * Name of the cluster whose nodes the events are about.
   */
  readonly clusterName: string;

  /**
   * What will read the queue. It decides which events are sent there.
   *
   * @default InterruptionConsumer.KARPENTER
   */
  readonly consumer?: InterruptionConsumer;

  /**
   * Name of the queue, at most 80 letters, digits, hyphens and underscores.
   *
   * @default - the name of the cluster, for AWS Node Termination Handler with `-nth` at its end, and shortened with a
   * hash where it is too long; where the name of the cluster is not known before deployment, CloudFormation makes one
   * up
   */
  readonly queueName?: string;

  /**
   * Version of Karpenter: 1.10 and later also read interruptions of capacity reservations.
   *
   * @default - the newest that this package knows
   */
  readonly karpenterVersion?: string;

  /**
   * Whether the lifecycle hooks of Auto Scaling groups are heard, too. Only AWS Node Termination Handler acts on them.
   *
   * @default - true for AWS Node Termination Handler, false for Karpenter
   */
  readonly autoScalingEvents?: boolean;

  /**
   * Whether recommendations to replace a spot instance early are heard.
   *
   * Karpenter only records them. AWS Node Termination Handler drains the node at once, long before EC2 may want it
   * back.
   *
   * @default true
   */
  readonly rebalanceEvents?: boolean;

  /**
   * Key of your own to encrypt events with. Its policy gets the statement that EventBridge needs; where the key is
   * imported, you have to add it.
   *
   * @default - a key that SQS manages
   */
  readonly encryptionKey?: IKey;

  /**
   * Keeps events that could not be delivered or handled.
   *
   * @default - they are lost: after five minutes the instance is gone anyway
   */
  readonly deadLetterQueue?: DeadLetterQueueOptions;

  /**
   * Tells when nobody reads the queue, or when something gets to the dead-letter queue.
   *
   * @default - no alarm
   */
  readonly alarm?: InterruptionAlarmOptions;

  /**
   * What happens to the queues when they are removed from the stack.
   *
   * @default RemovalPolicy.DESTROY
   */
  readonly removalPolicy?: RemovalPolicy;
}
