import { Duration, Token } from 'aws-cdk-lib';
import { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { IRule, Rule } from 'aws-cdk-lib/aws-events';
import { IKey } from 'aws-cdk-lib/aws-kms';
import { IQueue, Queue, QueueEncryption, QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct, IConstruct } from 'constructs';
import { InterruptionConsumer } from './interruption-consumer';
import { InterruptionQueueProps } from './interruption-queue-props';
import {
  AUTO_SCALING_TERMINATION, INTERRUPTION_RETENTION_SECONDS, InterruptionEvent, karpenterEvents, NODE_TERMINATION_HANDLER_EVENTS,
  QUEUE_NAME, queueNameOf, REBALANCE,
} from '../contract';
import { keyBehind, letEventBridgeSend, letEventBridgeUse, refuseKeyOfSqs } from './private/queue-access';
import { addAlarms } from './private/queue-alarms';

/**
 * A queue that hears of it when AWS takes an instance away, and the EventBridge rules that send the events there.
 *
 * It is encrypted, keeps events for five minutes, refuses connections without TLS, and takes messages from its own
 * rules alone. Use it for Karpenter or for AWS Node Termination Handler, and have one for each, because the consumer
 * that reads an event deletes it.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#interruption
 */
export class InterruptionQueue extends Construct {
  /**
   * The queue.
   */
  public readonly queue: IQueue;

  /**
   * Its name, as in Karpenter's setting `interruptionQueue`.
   */
  public readonly queueName: string;

  /**
   * Its ARN.
   */
  public readonly queueArn: string;

  /**
   * Its URL, as in the value `queueURL` of AWS Node Termination Handler.
   */
  public readonly queueUrl: string;

  /**
   * Name of the cluster whose nodes the events are about.
   */
  public readonly clusterName: string;

  /**
   * What will read the queue.
   */
  public readonly consumer: InterruptionConsumer;

  /**
   * Whether it hears of the lifecycle hooks of Auto Scaling groups.
   */
  public readonly autoScalingEvents: boolean;

  /**
   * One rule for each kind of event.
   */
  public readonly rules: IRule[];

  /**
   * Key of your own that events are encrypted with: the reader needs to decrypt with it.
   */
  public readonly encryptionKey?: IKey;

  /**
   * Where events go that could not be delivered or handled.
   */
  public readonly deadLetterQueue?: IQueue;

  /**
   * What tells that interruptions are not handled: none without the property `alarm`.
   */
  public readonly alarms: IAlarm[] = [];

  private reader?: IConstruct;

  /**
   * @throws Error if SQS or EventBridge would not accept the queue, with what to write instead
   */
  constructor(scope: Construct, id: string, props: InterruptionQueueProps) {
    super(scope, id);
    refuseKeyOfSqs(this, props.encryptionKey);
    this.clusterName = props.clusterName;
    this.consumer = props.consumer ?? InterruptionConsumer.KARPENTER;
    this.autoScalingEvents = props.autoScalingEvents ?? !this.isForKarpenter();
    this.encryptionKey = keyBehind(props.encryptionKey);
    this.deadLetterQueue = props.deadLetterQueue && this.newQueue('DeadLetterQueue', props, {
      retentionPeriod: props.deadLetterQueue.retentionPeriod ?? Duration.days(14),
    });
    this.queue = this.newQueue('Queue', props, {
      queueName: this.chooseName(props),
      retentionPeriod: Duration.seconds(INTERRUPTION_RETENTION_SECONDS),
      deadLetterQueue: this.deadLetterQueue && {
        queue: this.deadLetterQueue,
        maxReceiveCount: props.deadLetterQueue?.maxReceiveCount ?? (this.isForKarpenter() ? 5 : 14),
      },
    });
    this.queueName = this.queue.queueName;
    this.queueArn = this.queue.queueArn;
    this.queueUrl = this.queue.queueUrl;
    const rules: IRule[] = [];
    // With a callback, the line of code that a report names would be the engine's.
    for (const event of this.eventsOf(props)) rules.push(this.newRule(event, props.clusterName));
    this.rules = rules;
    letEventBridgeSend(this.queue, this.rules);
    if (this.deadLetterQueue) letEventBridgeSend(this.deadLetterQueue, this.rules);
    letEventBridgeUse(this, props.encryptionKey);
    if (props.alarm) {
      const unreadFor = props.alarm.unreadFor ?? Duration.minutes(this.isForKarpenter() ? 1 : 4);
      this.alarms = addAlarms(this, props.alarm, { queue: this.queue, deadLetterQueue: this.deadLetterQueue, unreadFor });
    }
  }

  /**
   * Notes who reads the queue. The constructs that read one call it.
   *
   * @param consumer what reads
   * @param reader the construct that it belongs to
   * @throws Error if the queue is for another consumer, or if something else reads it already
   */
  public assignReader(consumer: InterruptionConsumer, reader: IConstruct): void {
    if (consumer !== this.consumer) {
      throw new Error(`${this.node.path}: is for ${this.consumer.name}, got ${consumer.name} (${reader.node.path}) as its reader; `
        + `give ${consumer.name} an InterruptionQueue of its own`);
    }
    if (this.reader && this.reader !== reader) {
      throw new Error(`${this.node.path}: is read by ${this.reader.node.path} already, got ${reader.node.path} as another reader; `
        + 'give each an InterruptionQueue of its own, since the consumer that reads an event deletes it');
    }
    this.reader = reader;
  }

  private isForKarpenter(): boolean {
    return this.consumer === InterruptionConsumer.KARPENTER;
  }

  private chooseName({ queueName, clusterName }: InterruptionQueueProps): string | undefined {
    if (queueName !== undefined) {
      if (!Token.isUnresolved(queueName) && !QUEUE_NAME.test(queueName)) {
        throw new Error(`${this.node.path}/queueName: must be 1 to 80 letters, digits, hyphens or underscores, got ${JSON.stringify(queueName)}; `
          + 'write for example the name of the cluster, since EventBridge sends to standard queues only');
      }
      return queueName;
    }
    return Token.isUnresolved(clusterName) ? undefined : queueNameOf(this.isForKarpenter() ? clusterName : `${clusterName}-nth`);
  }

  private newQueue(id: string, { encryptionKey, removalPolicy }: InterruptionQueueProps, rest: QueueProps): Queue {
    return new Queue(this, id, {
      ...rest,
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
      ...this.autoScalingEvents ? [AUTO_SCALING_TERMINATION] : [],
    ];
  }

  private newRule({ rule, says, pattern }: InterruptionEvent, clusterName: string): Rule {
    return new Rule(this, rule, {
      description: `${clusterName}: ${says}`,
      eventPattern: { source: [...pattern.source], detailType: [...pattern['detail-type']], detail: pattern.detail },
      targets: [{ bind: () => ({ arn: this.queueArn, deadLetterConfig: this.deadLetterQueue && { arn: this.deadLetterQueue.queueArn } }) }],
    });
  }
}
