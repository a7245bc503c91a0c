import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { IKey } from 'aws-cdk-lib/aws-kms';
import { IQueue } from 'aws-cdk-lib/aws-sqs';

/**
 * The program that reads an interruption queue and drains nodes.
 */
export class InterruptionConsumer {
  /**
   * Karpenter, for the nodes that it launches.
   *
   * @see https://karpenter.sh/docs/concepts/disruption/#interruption
   */
  public static readonly KARPENTER = new InterruptionConsumer('Karpenter');

  /**
   * AWS Node Termination Handler in queue mode.
   *
   * @see https://github.com/aws/aws-node-termination-handler#readme
   */
  public static readonly NODE_TERMINATION_HANDLER = new InterruptionConsumer('AWS Node Termination Handler');

  /**
   * @param name name for error messages
   */
  private constructor(public readonly name: string) {}
}

/**
 * Options of the dead-letter queue, which gets events that could not be delivered or handled.
 */
export interface DeadLetterQueueOptions {
  /**
   * How often an event is received before it moves to the dead-letter queue.
   *
   * Karpenter and AWS Node Termination Handler receive an event every 20 seconds until they have handled it. Events are
   * kept for five minutes, so a value of 15 or more is never reached.
   *
   * @default - 5 for Karpenter; 14 for AWS Node Termination Handler, which deletes an event only after the node is
   * drained
   */
  readonly maxReceiveCount?: number;

  /**
   * How long the dead-letter queue keeps events.
   *
   * @default Duration.days(14)
   */
  readonly retentionPeriod?: Duration;
}

/**
 * Options of the alarms for interruptions that are not handled.
 */
export interface InterruptionAlarmOptions {
  /**
   * Actions of the alarms.
   *
   * @default - none, so alarms only show in CloudWatch
   */
  readonly actions?: IAlarmAction[];

  /**
   * Age of the oldest event above which the queue counts as not read.
   *
   * @default - one minute for Karpenter, which is half of the notice before a spot interruption; four minutes for AWS
   * Node Termination Handler, which deletes an event only after the node is drained
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
   * The program that reads the queue. It determines which events are sent to the queue.
   *
   * @default InterruptionConsumer.KARPENTER
   */
  readonly consumer?: InterruptionConsumer;

  /**
   * Existing queue of the cluster's account and region, created by this app or imported. If it is imported, its policy
   * cannot be changed here, and a warning at synth has the statement that it needs.
   *
   * It must not be given together with `queueName`, `deadLetterQueue` or `removalPolicy`, which are for a new queue.
   *
   * @default - a new queue
   */
  readonly existingQueue?: IQueue;

  /**
   * Whether EventBridge rules that send events to the queue are created.
   *
   * @default true
   */
  readonly eventRules?: boolean;

  /**
   * Name of the queue, at most 80 letters, digits, hyphens and underscores.
   *
   * @default - the name of the cluster, followed by `-nth` for AWS Node Termination Handler, and shortened with a hash
   * if it is too long. If the name of the cluster is known only at deployment, CloudFormation generates the name.
   */
  readonly queueName?: string;

  /**
   * Version of Karpenter. 1.10 and later also read interruptions of capacity reservations.
   *
   * @default - the newest version that this package supports
   */
  readonly karpenterVersion?: string;

  /**
   * Whether events of the lifecycle hooks of Auto Scaling groups are sent to the queue. Only AWS Node Termination
   * Handler acts on them.
   *
   * @default - true for AWS Node Termination Handler, false for Karpenter
   */
  readonly autoScalingEvents?: boolean;

  /**
   * Whether rebalance recommendations for spot instances are sent to the queue.
   *
   * Karpenter only records them. AWS Node Termination Handler drains the node at once, although EC2 may interrupt it
   * much later.
   *
   * @default true
   */
  readonly rebalanceEvents?: boolean;

  /**
   * Customer managed key that encrypts the events. The policy of a key in this app gets the statement that EventBridge
   * needs. For an imported key, you must add that statement.
   *
   * @default - encryption with a key that SQS manages (SSE-SQS); the key of `existingQueue` if it is known
   */
  readonly encryptionKey?: IKey;

  /**
   * Creates a dead-letter queue for events that could not be delivered or handled.
   *
   * @default - no dead-letter queue: such events are lost, which matters little, because the instance is gone after
   * five minutes
   */
  readonly deadLetterQueue?: DeadLetterQueueOptions;

  /**
   * Creates an alarm for a queue that is not read, and one for events in the dead-letter queue.
   *
   * @default - no alarms
   */
  readonly alarms?: InterruptionAlarmOptions;

  /**
   * Removal policy of the queues.
   *
   * @default RemovalPolicy.DESTROY
   */
  readonly removalPolicy?: RemovalPolicy;
}
