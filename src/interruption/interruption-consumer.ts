/**
 * What reads an interruption queue and drains the nodes.
 */
export class InterruptionConsumer {
  /**
   * Karpenter itself, for the nodes that it has launched.
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
   * @param name as in messages
   */
  private constructor(public readonly name: string) {}
}
