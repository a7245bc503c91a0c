/** Rejects properties of AWS Node Termination Handler that contradict each other. */
import { Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import {
  compareHandlerCharts,
  handlerChart,
  NEWEST_HANDLER_CHART,
  OLDEST_HANDLER_CHART,
  POD_IDENTITY_SINCE_HANDLER_CHART,
} from '../../contract';
import { errorWithoutStack } from '../../model';
import { HandlerMode } from '../handler-mode';
import { NodeTerminationHandlerProps } from '../node-termination-handler-props';

/**
 * @throws Error with a line `<construct path>/<property>: <what is wrong>, got <value>; <what to write instead>`
 */
export function assertHandlerProps({ node: { path } }: Construct, props: NodeTerminationHandlerProps): void {
  const chartVersion = props.chartVersion ?? NEWEST_HANDLER_CHART;
  if (compareCharts(path, chartVersion) < 0) {
    throw errorWithoutStack(
      `${path}/chartVersion: must be ${OLDEST_HANDLER_CHART} or later, got ${chartVersion}; write for example ${NEWEST_HANDLER_CHART}`,
    );
  }
  const { queueOptions } = props.mode ?? HandlerMode.queue();
  if (!queueOptions) return;
  const { replicas = 2, autoScalingGroups, queue, identity } = queueOptions;
  if (!Token.isUnresolved(replicas) && (!Number.isInteger(replicas) || replicas < 2)) {
    throw errorWithoutStack(
      `${path}/mode.replicas: must be 2 or more, got ${replicas}; write 2, so that one pod handles events while the other one's node is drained`,
    );
  }
  if (autoScalingGroups?.length && queue?.autoScalingEvents === false) {
    throw errorWithoutStack(
      `${path}/mode.queue: must get the events of Auto Scaling groups, got ${queue.node.path}, which does not; write autoScalingEvents: true for that queue`,
    );
  }
  if (props.nodes?.includesKarpenter === false && !handlerChart(chartVersion).checksInstanceTags) {
    throw errorWithoutStack(
      `${path}/nodes: chart 0.19.0 is the first that selects instances by tag, got HandledNodes.OUTSIDE_KARPENTER with chart ${chartVersion}; ` +
        'write a newer chartVersion',
    );
  }
  if (!identity?.openIdConnectProvider && !handlerChart(chartVersion).supportsPodIdentity) {
    throw errorWithoutStack(
      `${path}/mode.identity: chart ${POD_IDENTITY_SINCE_HANDLER_CHART} is the first that supports EKS Pod Identity, got chart ${chartVersion}; ` +
        'write identity: HandlerIdentity.irsa(cluster.openIdConnectProvider), or a newer chartVersion',
    );
  }
}

function compareCharts(path: string, chartVersion: string): number {
  try {
    return compareHandlerCharts(chartVersion, OLDEST_HANDLER_CHART);
  } catch {
    throw errorWithoutStack(
      `${path}/chartVersion: must be <major>.<minor>.<patch>, got ${JSON.stringify(chartVersion)}; write for example ${NEWEST_HANDLER_CHART}`,
    );
  }
}
