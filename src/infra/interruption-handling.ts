import { InterruptionQueue } from '../interruption';

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

  /** Not at all: something else, such as AWS Node Termination Handler, must drain the nodes. */
  public static none(): InterruptionHandling {
    return new InterruptionHandling('none');
  }

  private constructor(
    /** `new-queue`, `queue` or `none`. */
    public readonly name: string,
    /** The queue, if it is not a new one. */
    public readonly queue?: InterruptionQueue,
  ) {}
}
