import { Duration } from 'aws-cdk-lib';
import { IAutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { IManagedPolicy, IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { InterruptionQueue } from './interruption-queue';

/**
 * Nodes that AWS Node Termination Handler runs on in queue mode. They are never spot nodes, because an interruption
 * could terminate the handler before it has handled the event.
 */
export class HandlerPlacement {
  /**
   * Nodes that Karpenter did not launch and does not disrupt: nodes of a managed node group, or Fargate.
   */
  public static readonly OUTSIDE_KARPENTER = new HandlerPlacement({}, false);

  /**
   * Any on-demand node, including Karpenter's. For clusters in which Karpenter launches all nodes.
   */
  public static readonly ON_DEMAND = new HandlerPlacement({}, true);

  /**
   * On-demand nodes with these labels.
   *
   * @param labels labels that a node must have, such as `{ role: 'system' }`
   */
  public static labels(labels: { [key: string]: string }): HandlerPlacement {
    return new HandlerPlacement({ ...labels }, true);
  }

  private constructor(
    /** Labels that a node must have. */
    public readonly requiredLabels: { [key: string]: string },
    /** Whether nodes that Karpenter launched are included. */
    public readonly includesKarpenter: boolean,
  ) {}
}

/**
 * How the pods of AWS Node Termination Handler get their IAM role.
 */
export class HandlerIdentity {
  /**
   * EKS Pod Identity, which associates the service account with the role. The cluster needs the add-on
   * eks-pod-identity-agent. The add-on is a DaemonSet, so this does not work on Fargate.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
   */
  public static podIdentity(): HandlerIdentity {
    return new HandlerIdentity();
  }

  /**
   * IAM roles for service accounts (IRSA): the role trusts the cluster's OpenID Connect provider.
   *
   * @param openIdConnectProvider the cluster's OpenID Connect provider
   * @see https://docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html
   */
  public static irsa(openIdConnectProvider: IOpenIdConnectProvider): HandlerIdentity {
    return new HandlerIdentity(openIdConnectProvider);
  }

  private constructor(
    /** The provider for IRSA. If it is undefined, EKS Pod Identity is used. */
    public readonly openIdConnectProvider?: IOpenIdConnectProvider,
  ) {}
}

/**
 * Options of AWS Node Termination Handler in queue mode.
 */
export interface HandlerQueueOptions {
  /**
   * Auto Scaling groups of the cluster whose instances are drained before they are terminated. Each group gets a
   * lifecycle hook, and a tag for its instances. Do not list groups of managed node groups: EKS drains their nodes.
   *
   * @default - none
   */
  readonly autoScalingGroups?: IAutoScalingGroup[];

  /**
   * How long an Auto Scaling group waits for a node to drain.
   *
   * @default Duration.minutes(5)
   */
  readonly drainTimeout?: Duration;

  /**
   * The queue to read. It must not be the queue that Karpenter reads.
   *
   * @default - a new one
   */
  readonly queue?: InterruptionQueue;

  /**
   * How the pods get their IAM role.
   *
   * @default HandlerIdentity.podIdentity()
   */
  readonly identity?: HandlerIdentity;

  /**
   * Permissions boundary of the role.
   *
   * @default - no boundary
   */
  readonly permissionsBoundary?: IManagedPolicy;

  /**
   * Number of pods, at least 2.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Where the pods run.
   *
   * @default HandlerPlacement.OUTSIDE_KARPENTER
   */
  readonly placement?: HandlerPlacement;
}

/**
 * How AWS Node Termination Handler gets interruption events.
 */
export class HandlerMode {
  /**
   * From an SQS queue: one Deployment for the whole cluster, which needs an IAM role. It also gets Auto Scaling
   * lifecycle hooks and instance state changes.
   *
   * @param options queue, role and pods of the handler
   */
  public static queue(options: HandlerQueueOptions = {}): HandlerMode {
    return new HandlerMode('queue', options);
  }

  /** From the instance metadata service (IMDS): a DaemonSet on every node, which needs no AWS permissions. */
  public static imds(): HandlerMode {
    return new HandlerMode('imds');
  }

  private constructor(
    /** `queue` or `imds`. */
    public readonly name: string,
    /** Options of queue mode. */
    public readonly queueOptions?: HandlerQueueOptions,
  ) {}
}
