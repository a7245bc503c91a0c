/**
 * The nodes that AWS Node Termination Handler drains.
 */
export class HandledNodes {
  /**
   * Every node of the cluster, those of Karpenter among them. Karpenter must not handle interruptions itself then.
   */
  public static readonly ALL = new HandledNodes(true);

  /**
   * All but the nodes of Karpenter, which drains its own.
   */
  public static readonly OUTSIDE_KARPENTER = new HandledNodes(false);

  private constructor(
    /** Whether nodes that Karpenter has launched are among them. */
    public readonly includesKarpenter: boolean,
  ) {}
}
