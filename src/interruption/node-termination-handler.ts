import { Annotations, Duration, Resource, Stack, Tags, Token } from 'aws-cdk-lib';
import { DefaultResult, IAutoScalingGroup, LifecycleTransition } from 'aws-cdk-lib/aws-autoscaling';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { IRole, Policy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { HandlerIdentity, HandlerMode, HandlerPlacement, HandlerQueueOptions } from './handler-mode';
import { InterruptionQueue } from './interruption-queue';
import { InterruptionConsumer } from './interruption-queue-props';
import { HandledNodes, NodeTerminationHandlerProps } from './node-termination-handler-props';
import { handlerChart, mergeValues, NEWEST_HANDLER_CHART, NODE_TERMINATION_HANDLER } from '../contract';
import { requireProps, withLongStackTrace } from '../model';
import { assertHandlerProps } from './private/handler-props-check';
import { newHandlerRole } from './private/handler-role';
import { imdsModeValues, managedTag, queueModeValues } from './private/handler-values';
import { isSameCluster } from './private/same-cluster';

/**
 * AWS Node Termination Handler, which drains nodes before AWS interrupts or terminates their instances. It can replace
 * Karpenter's interruption handling, or handle only the nodes that Karpenter did not launch.
 *
 * The construct creates the queue with its rules, a role with the permissions that the mode needs, and values for the
 * chart: at least two pods with a PodDisruptionBudget, on nodes that are not spot. Install the chart with `installOn`,
 * or pass `helmValues` to your deployment tool.
 *
 * @see https://github.com/aws/aws-node-termination-handler
 */
export class NodeTerminationHandler extends Construct {
  /**
   * Name of the cluster.
   */
  public readonly clusterName: string;

  /**
   * How interruption events are received.
   */
  public readonly mode: HandlerMode;

  /**
   * Which nodes are drained.
   */
  public readonly nodes: HandledNodes;

  /**
   * The queue that the handler reads, in queue mode.
   */
  public readonly queue?: InterruptionQueue;

  /**
   * The role of the handler's pods, in queue mode.
   */
  public readonly role?: IRole;

  /**
   * Name of the Helm release and of the chart.
   */
  public readonly chartName = NODE_TERMINATION_HANDLER;

  /**
   * Repository of the chart.
   */
  public readonly chartRepository: string;

  /**
   * Version of the chart.
   */
  public readonly chartVersion: string;

  /**
   * Namespace of the Helm release.
   */
  public readonly namespace: string;

  /**
   * Name of the service account, which the chart creates.
   */
  public readonly serviceAccountName: string;

  /**
   * Values of the chart, including the property `helmValues`.
   */
  public readonly helmValues: { [key: string]: any };

  /**
   * @throws Error if the properties contradict each other, with the reason and a fix
   */
  constructor(scope: Construct, id: string, props: NodeTerminationHandlerProps) {
    super(scope, id);
    requireProps(this, props, { clusterName: "'my-cluster'" });
    assertHandlerProps(this, props);
    this.clusterName = props.clusterName;
    this.mode = props.mode ?? HandlerMode.queue();
    this.nodes = props.nodes ?? HandledNodes.ALL;
    this.chartVersion = props.chartVersion ?? NEWEST_HANDLER_CHART;
    this.chartRepository = handlerChart(this.chartVersion).repository;
    this.namespace = props.namespace ?? 'kube-system';
    this.serviceAccountName = props.serviceAccountName ?? NODE_TERMINATION_HANDLER;
    const { queueOptions } = this.mode;
    if (queueOptions) {
      this.queue = queueOptions.queue ?? withLongStackTrace(() => this.newQueue(props, queueOptions));
      this.queue._assignReader(InterruptionConsumer.NODE_TERMINATION_HANDLER, this);
      const { queue } = this;
      this.role = withLongStackTrace(() => this.newRole(queue, queueOptions, props));
      for (const group of queueOptions.autoScalingGroups ?? [])
        this.addTerminationHook(group, queueOptions.drainTimeout ?? Duration.minutes(5));
    }
    this.helmValues = mergeValues(
      { ...this.modeValues(props), serviceAccount: this.serviceAccountValues() },
      props.helmValues ?? {},
    );
    this.node.addValidation({ validate: () => this.conflicts() });
  }

  /**
   * Installs the chart on a cluster of aws-eks.
   *
   * @param cluster the cluster that is named `clusterName`
   */
  public installOn(cluster: eks.ICluster): eks.HelmChart {
    return this.dependOnRole(new eks.HelmChart(this, 'Chart', { cluster, ...this.release() }));
  }

  /**
   * Installs the chart on a cluster of aws-eks-v2.
   *
   * @param cluster the cluster that is named `clusterName`
   */
  public installOnV2(cluster: eksv2.ICluster): eksv2.HelmChart {
    return this.dependOnRole(new eksv2.HelmChart(this, 'Chart', { cluster, ...this.release() }));
  }

  private release() {
    return {
      chart: this.chartName,
      release: this.chartName,
      repository: this.chartRepository,
      version: this.chartVersion,
      namespace: this.namespace,
      values: this.helmValues,
    };
  }

  /** The pods get credentials when they start, so the role's policy and Pod Identity association must exist before. */
  private dependOnRole<T extends Construct>(chart: T): T {
    const dependencies = this.node
      .findAll()
      .filter((child) => child instanceof Policy || child instanceof eks.CfnPodIdentityAssociation);
    chart.node.addDependency(...dependencies);
    return chart;
  }

  private newQueue(
    props: NodeTerminationHandlerProps,
    { autoScalingGroups = [] }: HandlerQueueOptions,
  ): InterruptionQueue {
    const { clusterName, drainOnRebalance = false } = props;
    return new InterruptionQueue(this, 'Queue', {
      clusterName,
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      autoScalingEvents: autoScalingGroups.length > 0,
      rebalanceEvents: drainOnRebalance,
    });
  }

  private newRole(queue: InterruptionQueue, options: HandlerQueueOptions, props: NodeTerminationHandlerProps): IRole {
    return newHandlerRole(this, {
      clusterName: this.clusterName,
      namespace: this.namespace,
      serviceAccountName: this.serviceAccountName,
      identity: options.identity ?? HandlerIdentity.podIdentity(),
      permissionsBoundary: options.permissionsBoundary,
      queue,
      autoScalingGroups: options.autoScalingGroups ?? [],
      sendsHeartbeats: Number(props.helmValues?.heartbeatInterval) > 0,
    });
  }

  private modeValues(props: NodeTerminationHandlerProps) {
    if (!this.queue) return imdsModeValues(this.nodes, props.drainOnRebalance ?? false);
    return queueModeValues({
      chart: handlerChart(this.chartVersion),
      nodes: this.nodes,
      placement: this.mode.queueOptions?.placement ?? HandlerPlacement.OUTSIDE_KARPENTER,
      clusterName: this.clusterName,
      queueUrl: this.queue.queueUrl,
      region: Stack.of(this).region,
      replicas: this.mode.queueOptions?.replicas ?? 2,
    });
  }

  private serviceAccountValues() {
    const annotations =
      this.mode.queueOptions?.identity?.openIdConnectProvider && this.role
        ? { 'eks.amazonaws.com/role-arn': this.role.roleArn }
        : {};
    return { create: true, name: this.serviceAccountName, annotations };
  }

  private addTerminationHook(group: IAutoScalingGroup, heartbeatTimeout: Duration): void {
    group.addLifecycleHook('NodeTerminationHandler', {
      lifecycleTransition: LifecycleTransition.INSTANCE_TERMINATING,
      defaultResult: DefaultResult.CONTINUE,
      heartbeatTimeout,
    });
    const tag = managedTag(this.nodes, this.clusterName);
    if (Resource.isOwnedResource(group)) {
      Tags.of(group).add(tag, this.nodes.includesKarpenter ? 'owned' : 'true', { applyToLaunchedInstances: true });
    } else {
      Annotations.of(this).addWarningV2(
        'karpenter-constructs:autoScalingGroupTag',
        `the imported Auto Scaling group ${nameOf(group)} cannot be tagged by this app, so its instances are ignored unless they have the tag ${tag}; add it to the group outside this app`,
      );
    }
  }

  private conflicts(): string[] {
    return [...this.duplicateHandlers(), ...this.karpenterQueueConflicts()];
  }

  /**
   * Looks only at earlier handlers of the app, so that a pair is reported once. Both releases have the same name, so
   * one chart would overwrite the other.
   */
  private duplicateHandlers(): string[] {
    const all = this.node.root.node
      .findAll()
      .filter((construct): construct is NodeTerminationHandler => construct instanceof NodeTerminationHandler);
    return all
      .slice(0, all.indexOf(this))
      .filter((handler) => this.isOfSameCluster(handler))
      .map(
        (handler) =>
          `clusterName: a cluster can have only one AWS Node Termination Handler, got a second one, ${handler.node.path}; remove one of them, ` +
          'because both would drain the same nodes or overwrite the same chart',
      );
  }

  private isOfSameCluster(construct: Construct & { readonly clusterName: string }): boolean {
    return isSameCluster({ scope: construct, name: construct.clusterName }, { scope: this, name: this.clusterName });
  }

  /**
   * Karpenter and the handler must not drain the same nodes: they do not coordinate, so both would taint nodes and
   * evict pods.
   */
  private karpenterQueueConflicts(): string[] {
    if (!this.nodes.includesKarpenter) return [];
    return this.node.root.node
      .findAll()
      .filter((construct) => construct instanceof InterruptionQueue)
      .filter((queue) => queue.consumer === InterruptionConsumer.KARPENTER)
      .filter((queue) => this.isOfSameCluster(queue))
      .map(
        (queue) =>
          `nodes: must exclude Karpenter's nodes, which Karpenter drains itself with the queue ${queue.node.path}, got HandledNodes.ALL; ` +
          "write HandledNodes.OUTSIDE_KARPENTER, or remove Karpenter's interruption queue",
      );
  }
}

function nameOf(group: IAutoScalingGroup): string {
  return Token.isUnresolved(group.autoScalingGroupName) ? group.node.path : group.autoScalingGroupName;
}
