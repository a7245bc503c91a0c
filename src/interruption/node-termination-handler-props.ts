import { HandlerMode } from './handler-mode';

/**
 * Properties of a NodeTerminationHandler.
 */
export interface NodeTerminationHandlerProps {
  /**
   * Name of the cluster.
   */
  readonly clusterName: string;

  /**
   * How interruption events are received.
   *
   * @default HandlerMode.queue()
   */
  readonly mode?: HandlerMode;

  /**
   * Which nodes are drained.
   *
   * In queue mode, `HandledNodes.ALL` means instances with the tag `kubernetes.io/cluster/<name>`, which Karpenter and
   * EKS set. `HandledNodes.OUTSIDE_KARPENTER` means instances with the tag `aws-node-termination-handler/managed`.
   *
   * @default HandledNodes.ALL
   */
  readonly nodes?: HandledNodes;

  /**
   * Whether a spot node is drained on a rebalance recommendation. An interruption may follow much later, or never.
   *
   * For Karpenter's nodes this is expensive: Karpenter launches the same cheap instance type again, and EC2 recommends
   * to replace it again.
   *
   * @default false
   */
  readonly drainOnRebalance?: boolean;

  /**
   * Version of the chart, 0.18.0 or later.
   *
   * @default 0.27.1
   */
  readonly chartVersion?: string;

  /**
   * Namespace of the Helm release.
   *
   * @default kube-system
   */
  readonly namespace?: string;

  /**
   * Name of the service account.
   *
   * @default aws-node-termination-handler
   */
  readonly serviceAccountName?: string;

  /**
   * Values of the chart, merged into the values of this construct. Your values take precedence.
   *
   * @default - none
   * @see https://github.com/aws/aws-node-termination-handler/blob/main/config/helm/aws-node-termination-handler/README.md
   */
  readonly helmValues?: { [key: string]: any };
}

/**
 * The nodes that AWS Node Termination Handler drains.
 */
export class HandledNodes {
  /**
   * All nodes of the cluster, including Karpenter's. Karpenter itself must then not handle interruptions.
   */
  public static readonly ALL = new HandledNodes(true);

  /**
   * All nodes except those that Karpenter launched, which Karpenter drains itself.
   */
  public static readonly OUTSIDE_KARPENTER = new HandledNodes(false);

  private constructor(
    /** Whether nodes that Karpenter launched are included. */
    public readonly includesKarpenter: boolean,
  ) {}
}
