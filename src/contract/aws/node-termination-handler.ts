/**
 * What AWS Node Termination Handler needs, and the values of its chart, by chart version.
 *
 * Sources: chart 0.27.1 with application 1.25.1 (values.yaml, templates, getNodeInfo and processEventBridgeEvent in
 * pkg/monitor/sqsevent, pkg/config); pull requests 632 (assumeAsgTagPropagation removed) and 669 (keys about tags
 * renamed, in 1.17.0, chart 0.19.0), issue 892 (0.22.0 and later are in a registry only) and issue 977 (1.21.0, chart
 * 0.23.0, knows no EKS Pod Identity)
 * of https://github.com/aws/aws-node-termination-handler.
 */
import { compareKarpenterVersions } from '../karpenter-version';

export const NODE_TERMINATION_HANDLER = 'aws-node-termination-handler';

/** The chart whose values are written unless a version is given. */
export const NEWEST_HANDLER_CHART = '0.27.1';

/** The oldest chart that is known here, that of application 1.16.0. */
export const OLDEST_HANDLER_CHART = '0.18.0';

export const POD_IDENTITY_SINCE_HANDLER_CHART = '0.24.0';

const RENAMED_SINCE = '0.19.0';
const REGISTRY_SINCE = '0.22.0';

/** Without a value for it, the handler passes over every instance that does not carry this tag. */
export const MANAGED_TAG = `${NODE_TERMINATION_HANDLER}/managed`;

/** Label values of nodes that may be taken away at any time, by the label that says so. */
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
  readonly checksTagsOfInstances: boolean;
  readonly knowsPodIdentity: boolean;
}

/**
 * Facts of a version of the chart.
 *
 * @throws Error if it is no version
 */
export function handlerChart(version: string): HandlerChart {
  const since = (first: string) => compareHandlerCharts(version, first) >= 0;
  return {
    repository: since(REGISTRY_SINCE) ? `oci://public.ecr.aws/aws-ec2/helm/${NODE_TERMINATION_HANDLER}` : 'https://aws.github.io/eks-charts',
    checksTagsOfInstances: since(RENAMED_SINCE),
    knowsPodIdentity: since(POD_IDENTITY_SINCE_HANDLER_CHART),
  };
}

/**
 * Negative if a is older than b, positive if newer, 0 if the same.
 *
 * @throws Error if one of them is no version
 */
export function compareHandlerCharts(a: string, b: string): number {
  return compareKarpenterVersions(a, b);
}

/**
 * Which instances the handler acts on, in words of its chart: those with a tag, or all where the chart looks at Auto
 * Scaling groups for their tags and would pass over every instance that is in none.
 */
export function tagValues({ checksTagsOfInstances }: HandlerChart, tag: string): Readonly<Record<string, boolean | string>> {
  return checksTagsOfInstances
    ? { checkTagBeforeDraining: true, managedTag: tag }
    : { checkASGTagBeforeDraining: false, assumeAsgTagPropagation: true };
}

/** Calls in queue mode, whatever the nodes are. */
export const HANDLER_QUEUE_ACTIONS = ['sqs:DeleteMessage', 'sqs:ReceiveMessage'] as const;
export const HANDLER_INSTANCE_ACTIONS = ['ec2:DescribeInstances'] as const;

/** Calls about a lifecycle hook, the last one only where heartbeats are sent. */
export const HANDLER_LIFECYCLE_ACTIONS = ['autoscaling:CompleteLifecycleAction'] as const;
export const HANDLER_HEARTBEAT_ACTIONS = ['autoscaling:RecordLifecycleActionHeartbeat'] as const;
export const HANDLER_HEARTBEAT_READ_ACTIONS = ['autoscaling:DescribeLifecycleHooks'] as const;
