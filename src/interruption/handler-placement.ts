/**
 * Nodes that AWS Node Termination Handler runs on in queue mode. They are never spot nodes, since the interruption that
 * it must handle could take it away first.
 */
export class HandlerPlacement {
  /**
   * Nodes that Karpenter has not launched, and so does not replace either: those of a managed node group, or Fargate.
   */
  public static readonly OUTSIDE_KARPENTER = new HandlerPlacement({}, false);

  /**
   * Any on-demand node, also one of Karpenter. For clusters that have no others.
   */
  public static readonly ON_DEMAND = new HandlerPlacement({}, true);

  /**
   * On-demand nodes with these labels.
   *
   * @param labels what a node must have, such as `{ role: 'system' }`
   */
  public static labels(labels: { [key: string]: string }): HandlerPlacement {
    return new HandlerPlacement({ ...labels }, true);
  }

  private constructor(
    /** Labels that a node must have. */
    public readonly requiredLabels: { [key: string]: string },
    /** Whether nodes that Karpenter has launched are among them. */
    public readonly includesKarpenter: boolean,
  ) {}
}
