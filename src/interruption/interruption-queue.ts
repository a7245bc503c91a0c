import { Duration, Token } from 'aws-cdk-lib';
import { IAlarm, Alarm, ComparisonOperator, IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { IRule, Rule } from 'aws-cdk-lib/aws-events';
import { IKey } from 'aws-cdk-lib/aws-kms';
import { IQueue, Queue, QueueEncryption, QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct, IConstruct } from 'constructs';
import { InterruptionConsumer, InterruptionQueueProps, InterruptionAlarmOptions } from './interruption-queue-props';
import {
  AUTO_SCALING_TERMINATION,
  INTERRUPTION_RETENTION_SECONDS,
  InterruptionEvent,
  karpenterEvents,
  NODE_TERMINATION_HANDLER_EVENTS,
  QUEUE_NAME,
  queueNameOf,
  REBALANCE,
} from '../contract';
import { errorWithoutStack, requireProps } from '../model';
import {
  allowEventBridgeToEncrypt,
  allowEventBridgeToSend,
  assertUsableQueue,
  rejectSqsManagedKey,
  targetKeyOf,
} from './private/queue-access';

/** The construct that reads a queue. Two InterruptionQueue constructs may have the same existing queue. */
const readers = new WeakMap<IQueue, IConstruct>();

/**
 * An SQS queue for interruption events of EC2 instances, and the EventBridge rules that send the events to it.
 *
 * A new queue is encrypted, keeps events for five minutes, requires TLS, and accepts messages only from its own rules.
 * Use it for Karpenter or for AWS Node Termination Handler. Each needs its own queue, because the consumer that reads
 * an event deletes it.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#interruption
 */
export class InterruptionQueue extends Construct {
  /**
   * The queue.
   */
  public readonly queue: IQueue;

  /**
   * Name of the queue, for Karpenter's setting `interruptionQueue`.
   */
  public readonly queueName: string;

  /**
   * ARN of the queue.
   */
  public readonly queueArn: string;

  /**
   * URL of the queue, for the chart value `queueURL` of AWS Node Termination Handler.
   */
  public readonly queueUrl: string;

  /**
   * Name of the cluster whose nodes the events are about.
   */
  public readonly clusterName: string;

  /**
   * The program that reads the queue.
   */
  public readonly consumer: InterruptionConsumer;

  /**
   * Whether the queue gets events of the lifecycle hooks of Auto Scaling groups.
   */
  public readonly autoScalingEvents: boolean;

  /**
   * The EventBridge rules, one for each kind of event.
   */
  public readonly rules: IRule[];

  /**
   * Customer managed key that encrypts the events. The consumer needs permission to decrypt with it.
   */
  public readonly encryptionKey?: IKey;

  /**
   * Queue for events that could not be delivered or handled.
   */
  public readonly deadLetterQueue?: IQueue;

  /**
   * Alarms that report unhandled interruptions. Empty if the property `alarms` is not set.
   */
  public readonly alarms: IAlarm[] = [];

  /**
   * @throws Error if SQS or EventBridge would reject the queue, with the reason and a fix
   */
  constructor(scope: Construct, id: string, props: InterruptionQueueProps) {
    super(scope, id);
    requireProps(this, props, { clusterName: "'my-cluster'" });
    assertUsableQueue(this, props);
    const key = props.encryptionKey ?? props.existingQueue?.encryptionMasterKey;
    rejectSqsManagedKey(this, key);
    this.clusterName = props.clusterName;
    this.consumer = props.consumer ?? InterruptionConsumer.KARPENTER;
    this.autoScalingEvents = props.autoScalingEvents ?? !this.isForKarpenter();
    this.encryptionKey = targetKeyOf(key);
    this.deadLetterQueue =
      props.deadLetterQueue &&
      this.newQueue('DeadLetterQueue', props, {
        retentionPeriod: props.deadLetterQueue.retentionPeriod ?? Duration.days(14),
      });
    this.queue = props.existingQueue ?? this.newEventQueue(props);
    this.queueName = this.queue.queueName;
    this.queueArn = this.queue.queueArn;
    this.queueUrl = this.queue.queueUrl;
    const rules: IRule[] = [];
    // No callback, which would hide the user's line of code in the CDK's stack traces.
    for (const event of props.eventRules === false ? [] : this.eventsOf(props))
      rules.push(this.newRule(event, props.clusterName));
    this.rules = rules;
    if (rules.length > 0) {
      allowEventBridgeToSend(this, this.queue, rules);
      if (this.deadLetterQueue) allowEventBridgeToSend(this, this.deadLetterQueue, rules);
      allowEventBridgeToEncrypt(this, key);
    }
    if (props.alarms) {
      const unreadFor = props.alarms.unreadFor ?? Duration.minutes(this.isForKarpenter() ? 1 : 4);
      this.alarms = addAlarms(this, props.alarms, {
        queue: this.queue,
        deadLetterQueue: this.deadLetterQueue,
        unreadFor,
      });
    }
  }

  /**
   * Records the construct that reads the queue. Constructs call this for the queue that they read.
   *
   * @param consumer program that reads the queue
   * @param reader construct that installs the program
   * @throws Error if the queue is for another consumer, or if another construct already reads it
   * @internal
   */
  public _assignReader(consumer: InterruptionConsumer, reader: IConstruct): void {
    if (consumer !== this.consumer) {
      throw errorWithoutStack(
        `${this.node.path}: the queue is for ${this.consumer.name}, got the reader ${reader.node.path} (${consumer.name}); ` +
          `give ${consumer.name} its own InterruptionQueue`,
      );
    }
    const current = readers.get(this.queue);
    if (current && current !== reader) {
      throw errorWithoutStack(
        `${this.node.path}: the queue can have only one reader, because the reader deletes each event, got ${reader.node.path} after ` +
          `${current.node.path}; give each its own InterruptionQueue`,
      );
    }
    readers.set(this.queue, reader);
  }

  private isForKarpenter(): boolean {
    return this.consumer === InterruptionConsumer.KARPENTER;
  }

  private chooseName({ queueName, clusterName }: InterruptionQueueProps): string | undefined {
    if (queueName !== undefined) {
      if (!Token.isUnresolved(queueName) && !QUEUE_NAME.test(queueName)) {
        throw errorWithoutStack(
          `${this.node.path}/queueName: must be 1 to 80 letters, digits, hyphens or underscores, got ${JSON.stringify(queueName)}; ` +
            'write for example the name of the cluster',
        );
      }
      return queueName;
    }
    return Token.isUnresolved(clusterName)
      ? undefined
      : queueNameOf(this.isForKarpenter() ? clusterName : `${clusterName}-nth`);
  }

  private newEventQueue(props: InterruptionQueueProps): Queue {
    return this.newQueue('Queue', props, {
      queueName: this.chooseName(props),
      retentionPeriod: Duration.seconds(INTERRUPTION_RETENTION_SECONDS),
      deadLetterQueue: this.deadLetterQueue && {
        queue: this.deadLetterQueue,
        maxReceiveCount: props.deadLetterQueue?.maxReceiveCount ?? (this.isForKarpenter() ? 5 : 14),
      },
    });
  }

  private newQueue(
    id: string,
    { encryptionKey, removalPolicy }: InterruptionQueueProps,
    queueProps: QueueProps,
  ): Queue {
    return new Queue(this, id, {
      ...queueProps,
      removalPolicy,
      enforceSSL: true,
      encryption: encryptionKey ? QueueEncryption.KMS : QueueEncryption.SQS_MANAGED,
      encryptionMasterKey: encryptionKey,
    });
  }

  private eventsOf({ karpenterVersion, rebalanceEvents }: InterruptionQueueProps): readonly InterruptionEvent[] {
    const events = this.isForKarpenter() ? karpenterEvents(karpenterVersion) : NODE_TERMINATION_HANDLER_EVENTS;
    return [
      ...events.filter((event) => event !== REBALANCE || rebalanceEvents !== false),
      ...(this.autoScalingEvents ? [AUTO_SCALING_TERMINATION] : []),
    ];
  }

  private newRule({ rule, description, pattern }: InterruptionEvent, clusterName: string): Rule {
    return new Rule(this, rule, {
      description: `${clusterName}: ${description}`,
      eventPattern: { source: [...pattern.source], detailType: [...pattern['detail-type']], detail: pattern.detail },
      targets: [
        {
          bind: () => ({
            arn: this.queueArn,
            deadLetterConfig: this.deadLetterQueue && { arn: this.deadLetterQueue.queueArn },
          }),
        },
      ],
    });
  }
}

// Alarms for interruptions that are not handled.

interface MonitoredQueues {
  readonly queue: IQueue;
  readonly deadLetterQueue?: IQueue;
  readonly unreadFor: Duration;
}

function addAlarms(scope: Construct, { actions = [] }: InterruptionAlarmOptions, queues: MonitoredQueues): Alarm[] {
  const { queue, deadLetterQueue, unreadFor } = queues;
  const period = Duration.minutes(1);
  const alarms = [
    newAlarm(scope, 'UnreadAlarm', {
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      threshold: unreadFor.toSeconds(),
      description: 'nobody reads the interruption queue: nodes are lost without being drained',
    }),
  ];
  if (deadLetterQueue) {
    alarms.push(
      newAlarm(scope, 'DeadLetterAlarm', {
        metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
        threshold: 0,
        description: 'interruptions could not be delivered or handled',
      }),
    );
  }
  alarms.forEach((alarm) => alarm.addAlarmAction(...actions));
  return alarms;
}

interface AlarmOptions {
  readonly metric: IMetric;
  readonly threshold: number;
  readonly description: string;
}

function newAlarm(scope: Construct, id: string, { metric, threshold, description }: AlarmOptions): Alarm {
  return new Alarm(scope, id, {
    metric,
    threshold,
    alarmDescription: description,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    // SQS reports no metrics for an unused queue.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
