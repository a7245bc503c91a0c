import { Annotations, Duration, Resource, Stack, Tags, Token } from 'aws-cdk-lib';
import { DefaultResult, IAutoScalingGroup, LifecycleTransition } from 'aws-cdk-lib/aws-autoscaling';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { IRole, Policy } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { HandledNodes } from './handled-nodes';
import { HandlerIdentity } from './handler-identity';
import { HandlerPlacement } from './handler-placement';
import { InterruptionConsumer } from './interruption-consumer';
import { InterruptionQueue } from './interruption-queue';
import { NodeTerminationHandlerMode, NodeTerminationHandlerProps } from './node-termination-handler-props';
import { handlerChart, NEWEST_HANDLER_CHART, NODE_TERMINATION_HANDLER } from '../contract';
import { withLongStackTrace } from '../model';
import { assertHandlerProps } from './private/handler-misuse';
import { newHandlerRole } from './private/handler-role';
import { imdsModeValues, managedTag, mergeValues, queueModeValues } from './private/handler-values';
import { isSameCluster } from './private/same-cluster';

/**
 * AWS Node Termination Handler: it drains nodes whose instances AWS takes away, in place of Karpenter or beside it.
 *
 * It comes with the queue and the rules that it hears from, a role with the permissions that its mode needs, and values
 * for its chart: two pods or more with a disruption budget, on nodes that no interruption takes away. Install it with
 * `installOn`, or hand `values` to what deploys charts for you.
 *
 * @see https://github.com/aws/aws-node-termination-handler
 */
export class NodeTerminationHandler extends Construct {
  /**
   * Name of the cluster.
   */
  public readonly clusterName: string;

  /**
   * How interruptions are heard of.
   */
  public readonly mode: NodeTerminationHandlerMode;

  /**
   * Which nodes are drained.
   */
  public readonly nodes: HandledNodes;

  /**
   * Where it hears of interruptions, in queue mode.
   */
  public readonly queue?: InterruptionQueue;

  /**
   * The role of its pods, in queue mode.
   */
  public readonly role?: IRole;

  /**
   * Name of the release, and of the chart.
   */
  public readonly chartName = NODE_TERMINATION_HANDLER;

  /**
   * Where the chart lies.
   */
  public readonly chartRepository: string;

  /**
   * Version of the chart.
   */
  public readonly chartVersion: string;

  /**
   * Namespace of the release.
   */
  public readonly namespace: string;

  /**
   * Name of the service account, which the chart makes.
   */
  public readonly serviceAccountName: string;

  /**
   * Values of the chart, with yours merged in.
   */
  public readonly values: { [key: string]: any };

  /**
   * @throws Error if the properties do not go together, with what to write instead
   */
  constructor(scope: Construct, id: string, props: NodeTerminationHandlerProps) {
    super(scope, id);
    assertHandlerProps(this, props);
    this.clusterName = props.clusterName;
    this.mode = props.mode ?? NodeTerminationHandlerMode.QUEUE;
    this.nodes = props.nodes ?? HandledNodes.ALL;
    this.chartVersion = props.chartVersion ?? NEWEST_HANDLER_CHART;
    this.chartRepository = handlerChart(this.chartVersion).repository;
    this.namespace = props.namespace ?? 'kube-system';
    this.serviceAccountName = props.serviceAccountName ?? NODE_TERMINATION_HANDLER;
    if (this.mode === NodeTerminationHandlerMode.QUEUE) {
      this.queue = props.queue ?? withLongStackTrace(() => this.newQueue(props));
      this.queue.assignReader(InterruptionConsumer.NODE_TERMINATION_HANDLER, this);
      const { queue } = this;
      this.role = withLongStackTrace(() => this.newRole(queue, props));
      for (const group of props.autoScalingGroups ?? []) this.waitForDraining(group, props.drainTimeout ?? Duration.minutes(5));
    }
    this.values = mergeValues({ ...this.modeValues(props), serviceAccount: this.serviceAccountValues(props) }, props.values ?? {});
    this.node.addValidation({ validate: () => this.conflicts() });
  }

  /**
   * Installs the chart on a cluster of aws-eks.
   *
   * @param cluster of `clusterName`
   */
  public installOn(cluster: eks.ICluster): eks.HelmChart {
    return this.afterRole(new eks.HelmChart(this, 'Chart', { cluster, ...this.release() }));
  }

  /**
   * Installs the chart on a cluster of aws-eks-v2.
   *
   * @param cluster of `clusterName`
   */
  public installOnV2(cluster: eksv2.ICluster): eksv2.HelmChart {
    return this.afterRole(new eksv2.HelmChart(this, 'Chart', { cluster, ...this.release() }));
  }

  private release() {
    return {
      chart: this.chartName,
      release: this.chartName,
      repository: this.chartRepository,
      version: this.chartVersion,
      namespace: this.namespace,
      values: this.values,
    };
  }

  /** The pods ask for credentials when they start, and would be refused without the role and what it allows. */
  private afterRole<T extends Construct>(chart: T): T {
    const needed = this.node.findAll().filter((child) => child instanceof Policy || child instanceof eks.CfnPodIdentityAssociation);
    chart.node.addDependency(...needed);
    return chart;
  }

  private newQueue({ clusterName, autoScalingGroups = [], drainOnRebalance = false }: NodeTerminationHandlerProps): InterruptionQueue {
    return new InterruptionQueue(this, 'Queue', {
      clusterName,
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      autoScalingEvents: autoScalingGroups.length > 0,
      rebalanceEvents: drainOnRebalance,
    });
  }

  private newRole(queue: InterruptionQueue, props: NodeTerminationHandlerProps): IRole {
    return newHandlerRole(this, {
      clusterName: this.clusterName,
      namespace: this.namespace,
      serviceAccountName: this.serviceAccountName,
      identity: props.identity ?? HandlerIdentity.podIdentity(),
      permissionsBoundary: props.permissionsBoundary,
      queue,
      autoScalingGroups: props.autoScalingGroups ?? [],
      sendsHeartbeats: Number(props.values?.heartbeatInterval) > 0,
    });
  }

  private modeValues(props: NodeTerminationHandlerProps) {
    if (!this.queue) return imdsModeValues(this.nodes, props.drainOnRebalance ?? false);
    return queueModeValues({
      chart: handlerChart(this.chartVersion),
      nodes: this.nodes,
      placement: props.placement ?? HandlerPlacement.OUTSIDE_KARPENTER,
      clusterName: this.clusterName,
      queueUrl: this.queue.queueUrl,
      region: Stack.of(this).region,
      replicas: props.replicas ?? 2,
    });
  }

  private serviceAccountValues({ identity }: NodeTerminationHandlerProps) {
    const annotations = identity?.openIdConnectProvider && this.role ? { 'eks.amazonaws.com/role-arn': this.role.roleArn } : {};
    return { create: true, name: this.serviceAccountName, annotations };
  }

  private waitForDraining(group: IAutoScalingGroup, heartbeatTimeout: Duration): void {
    group.addLifecycleHook('NodeTerminationHandler', {
      lifecycleTransition: LifecycleTransition.INSTANCE_TERMINATING,
      defaultResult: DefaultResult.CONTINUE,
      heartbeatTimeout,
    });
    const tag = managedTag(this.nodes, this.clusterName);
    if (Resource.isOwnedResource(group)) {
      Tags.of(group).add(tag, this.nodes.includesKarpenter ? 'owned' : 'true', { applyToLaunchedInstances: true });
    } else {
      Annotations.of(this).addWarningV2('karpenter-constructs:autoScalingGroupTag',
        `the imported Auto Scaling group ${nameOf(group)} cannot be tagged from here: its instances are passed over unless they carry the tag ${tag}`);
    }
  }

  private conflicts(): string[] {
    return [...this.otherHandlers(), ...this.karpenterQueues()];
  }

  /**
   * Those that come before it in the app: one error for two of them. Of the same name, the chart of one replaces that
   * of the other.
   */
  private otherHandlers(): string[] {
    const all = this.node.root.node.findAll().filter((construct): construct is NodeTerminationHandler => construct instanceof NodeTerminationHandler);
    return all.slice(0, all.indexOf(this)).filter((other) => this.isOfSameCluster(other)).map((other) =>
      `clusterName: a cluster has one AWS Node Termination Handler, got ${other.node.path} for the same cluster, too; leave one of them out, `
      + 'since both drain the same nodes, or replace what the other installs');
  }

  private isOfSameCluster(other: Construct & { readonly clusterName: string }): boolean {
    return isSameCluster({ scope: other, name: other.clusterName }, { scope: this, name: this.clusterName });
  }

  /**
   * Two that drain the same nodes know nothing of each other: each taints and evicts, and neither waits for the other.
   */
  private karpenterQueues(): string[] {
    if (!this.nodes.includesKarpenter) return [];
    return this.node.root.node.findAll()
      .filter((construct) => construct instanceof InterruptionQueue)
      .filter((queue) => queue.consumer === InterruptionConsumer.KARPENTER)
      .filter((queue) => this.isOfSameCluster(queue))
      .map((queue) => `nodes: must leave out those of Karpenter, which hears of interruptions through ${queue.node.path}, got HandledNodes.ALL; `
        + "write HandledNodes.OUTSIDE_KARPENTER, or leave out Karpenter's interruption queue");
  }
}

function nameOf(group: IAutoScalingGroup): string {
  return Token.isUnresolved(group.autoScalingGroupName) ? group.node.path : group.autoScalingGroupName;
}
