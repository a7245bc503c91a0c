/**
 * Permissions of AWS Node Termination Handler and the values of its chart, by chart version.
 *
 * Sources: chart 0.27.1 with application 1.25.1 (values.yaml, templates, getNodeInfo and processEventBridgeEvent in
 * pkg/monitor/sqsevent, pkg/config); pull requests 632 (assumeAsgTagPropagation removed) and 669 (keys about tags
 * renamed, in 1.17.0, chart 0.19.0), issue 892 (0.22.0 and later are only in a registry) and issue 977 (1.21.0, chart
 * 0.23.0, does not support EKS Pod Identity) of https://github.com/aws/aws-node-termination-handler.
 */
import { compareKarpenterVersions } from '../karpenter-version';

export const NODE_TERMINATION_HANDLER = 'aws-node-termination-handler';

/** The default chart version. */
export const NEWEST_HANDLER_CHART = '0.27.1';

/** The oldest supported chart version, of application 1.16.0. */
export const OLDEST_HANDLER_CHART = '0.18.0';

export const POD_IDENTITY_SINCE_HANDLER_CHART = '0.24.0';

const RENAMED_SINCE = '0.19.0';
const REGISTRY_SINCE = '0.22.0';

/** The handler's default tag: the handler ignores instances without it, unless the chart sets another tag. */
export const MANAGED_TAG = `${NODE_TERMINATION_HANDLER}/managed`;

/** Labels of spot nodes, as label and value. */
export const SPOT_NODE_LABELS: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/capacity-type', 'spot'],
  ['eks.amazonaws.com/capacityType', 'SPOT'],
  ['node.kubernetes.io/lifecycle', 'spot'],
]);

export interface HandlerChart {
  readonly repository: string;
  /**
   * Whether the chart has `checkTagBeforeDraining` and `managedTag`; before, it had `checkASGTagBeforeDraining` and
   * `managedAsgTag`.
   */
  readonly checksInstanceTags: boolean;
  readonly supportsPodIdentity: boolean;
}

/**
 * Properties of a chart version.
 *
 * @throws Error if `version` is not a version
 */
export function handlerChart(version: string): HandlerChart {
  const since = (first: string) => compareHandlerCharts(version, first) >= 0;
  return {
    repository: since(REGISTRY_SINCE)
      ? `oci://public.ecr.aws/aws-ec2/helm/${NODE_TERMINATION_HANDLER}`
      : 'https://aws.github.io/eks-charts',
    checksInstanceTags: since(RENAMED_SINCE),
    supportsPodIdentity: since(POD_IDENTITY_SINCE_HANDLER_CHART),
  };
}

/**
 * Negative if a is older than b, positive if newer, 0 if the same.
 *
 * @throws Error if one of them is not a version
 */
export function compareHandlerCharts(a: string, b: string): number {
  return compareKarpenterVersions(a, b);
}

/**
 * Chart values that select the handled instances. Newer charts check the tag of the instance. Older charts check the
 * tags of Auto Scaling groups and would ignore instances without a group, so their tag check is disabled.
 */
export function managedTagValues(
  { checksInstanceTags }: HandlerChart,
  tag: string,
): Readonly<Record<string, boolean | string>> {
  return checksInstanceTags
    ? { checkTagBeforeDraining: true, managedTag: tag }
    : { checkASGTagBeforeDraining: false, assumeAsgTagPropagation: true };
}

/** Actions in queue mode, for all kinds of nodes. */
export const HANDLER_QUEUE_ACTIONS = ['sqs:DeleteMessage', 'sqs:ReceiveMessage'] as const;
export const HANDLER_INSTANCE_ACTIONS = ['ec2:DescribeInstances'] as const;

/** Actions for lifecycle hooks. The heartbeat actions are needed only if heartbeats are enabled. */
export const HANDLER_LIFECYCLE_ACTIONS = ['autoscaling:CompleteLifecycleAction'] as const;
export const HANDLER_HEARTBEAT_ACTIONS = ['autoscaling:RecordLifecycleActionHeartbeat'] as const;
export const HANDLER_HEARTBEAT_READ_ACTIONS = ['autoscaling:DescribeLifecycleHooks'] as const;
