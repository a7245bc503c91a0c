import { IQueue } from 'aws-cdk-lib/aws-sqs';
import { InterruptionQueue } from '../interruption';

/**
 * Options of an existing queue.
 */
export interface ExistingQueueOptions {
  /**
   * Whether EventBridge rules that send events to the queue are created. Write `false` if the queue has them already.
   *
   * @default true
   */
  readonly eventRules?: boolean;
}

/**
 * How Karpenter learns of interruptions, so that it drains nodes before their instances are interrupted.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#interruption
 */
export class InterruptionHandling {
  /** From a new queue, with EventBridge rules that send events to it. */
  public static newQueue(): InterruptionHandling {
    return new InterruptionHandling('new-queue');
  }

  /**
   * From this queue.
   *
   * @param queue queue for Karpenter that nothing else reads
   */
  public static fromQueue(queue: InterruptionQueue): InterruptionHandling {
    return new InterruptionHandling('queue', queue);
  }

  /**
   * From an SQS queue of the cluster's account and region that exists already, created by this app or imported.
   *
   * EventBridge gets permission to send to a queue of this app. The policy of an imported queue cannot be changed here,
   * so a warning at synth has the statement that it needs.
   *
   * @param queue queue for Karpenter that nothing else reads
   * @param options whether the queue needs EventBridge rules
   * @see https://karpenter.sh/docs/reference/cloudformation/#interruption-handling
   */
  public static fromExistingQueue(queue: IQueue, options: ExistingQueueOptions = {}): InterruptionHandling {
    return new InterruptionHandling('existing-queue', undefined, queue, options.eventRules);
  }

  /** Not at all: something else, such as AWS Node Termination Handler, must drain the nodes. */
  public static none(): InterruptionHandling {
    return new InterruptionHandling('none');
  }

  private constructor(
    /** `new-queue`, `queue`, `existing-queue` or `none`. */
    public readonly name: string,
    /** The queue, if it is a construct of this library. */
    public readonly queue?: InterruptionQueue,
    /** The SQS queue that exists already, if it is not a construct of this library. */
    public readonly existingQueue?: IQueue,
    /** Whether rules are created for the existing queue, if it is set. */
    public readonly eventRules?: boolean,
  ) {}
}
