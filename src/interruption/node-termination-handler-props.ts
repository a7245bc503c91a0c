import { Duration } from 'aws-cdk-lib';
import { IAutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { HandledNodes } from './handled-nodes';
import { HandlerIdentity } from './handler-identity';
import { HandlerPlacement } from './handler-placement';
import { InterruptionQueue } from './interruption-queue';

/**
 * How AWS Node Termination Handler hears of interruptions.
 */
export enum NodeTerminationHandlerMode {
  /**
   * From a queue: a Deployment for the whole cluster, which needs a role. It also hears of Auto Scaling groups and
   * state changes.
   */
  QUEUE = 'queue',
  /** From the metadata of each instance: a DaemonSet on every node, which needs no AWS permissions. */
  IMDS = 'imds',
}

/**
 * Properties of a NodeTerminationHandler.
 */
export interface NodeTerminationHandlerProps {
  /**
   * Name of the cluster.
   */
  readonly clusterName: string;

  /**
   * How interruptions are heard of.
   *
   * @default NodeTerminationHandlerMode.QUEUE
   */
  readonly mode?: NodeTerminationHandlerMode;

  /**
   * Which nodes are drained.
   *
   * In queue mode these are instances with the tag `kubernetes.io/cluster/<name>`, which Karpenter and EKS write;
   * outside Karpenter, instances with the tag `aws-node-termination-handler/managed`.
   *
   * @default HandledNodes.ALL
   */
  readonly nodes?: HandledNodes;

  /**
   * Auto Scaling groups of the cluster whose instances are drained before they are terminated. Each gets a lifecycle
   * hook, and a tag for its instances. Managed node groups are not meant: EKS drains their nodes.
   *
   * @default - none: nothing is asked of Auto Scaling
   */
  readonly autoScalingGroups?: IAutoScalingGroup[];

  /**
   * How long an Auto Scaling group waits for a node to be drained.
   *
   * @default Duration.minutes(5)
   */
  readonly drainTimeout?: Duration;

  /**
   * Whether a spot node is drained when EC2 recommends to replace it, which may be long before an interruption, or
   * without one.
   *
   * For nodes of Karpenter this is dear: it launches the same cheap instance type again, which is recommended to be
   * replaced again.
   *
   * @default false
   */
  readonly drainOnRebalance?: boolean;

  /**
   * The queue to read. One that Karpenter reads is refused.
   *
   * @default - a new one, in queue mode
   */
  readonly queue?: InterruptionQueue;

  /**
   * How the pods come by their role, in queue mode.
   *
   * @default HandlerIdentity.podIdentity()
   */
  readonly identity?: HandlerIdentity;

  /**
   * The most that the role may ever do.
   *
   * @default - no boundary
   */
  readonly permissionsBoundary?: IManagedPolicy;

  /**
   * Version of the chart, 0.18.0 or later.
   *
   * @default 0.27.1
   */
  readonly chartVersion?: string;

  /**
   * Namespace of the release.
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
   * Number of pods in queue mode, at least 2.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Where the pods run in queue mode.
   *
   * @default HandlerPlacement.OUTSIDE_KARPENTER
   */
  readonly placement?: HandlerPlacement;

  /**
   * Values of the chart, which are merged into those of this construct, and win.
   *
   * @default - none
   * @see https://github.com/aws/aws-node-termination-handler/blob/main/config/helm/aws-node-termination-handler/README.md
   */
  readonly values?: { [key: string]: any };
}
