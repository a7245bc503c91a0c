/** Values of the chart of AWS Node Termination Handler. */
import {
  HandlerChart,
  MANAGED_TAG,
  NODE_TERMINATION_HANDLER,
  SPOT_NODE_LABELS,
  managedTagValues,
} from '../../contract';
import { HandlerPlacement } from '../handler-mode';
import { HandledNodes } from '../node-termination-handler-props';

export type HandlerValues = { [key: string]: any };

const NOT_A_KARPENTER_NODE = { key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' };

export interface QueueModeConfig {
  readonly chart: HandlerChart;
  readonly nodes: HandledNodes;
  readonly placement: HandlerPlacement;
  readonly clusterName: string;
  readonly queueUrl: string;
  readonly region: string;
  readonly replicas: number;
}

/** Key of the tag of the instances to handle. Karpenter sets the first tag; this library sets the second. */
export function managedTag(nodes: HandledNodes, clusterName: string): string {
  return nodes.includesKarpenter ? `kubernetes.io/cluster/${clusterName}` : MANAGED_TAG;
}

export function queueModeValues(config: QueueModeConfig): HandlerValues {
  return {
    enableSqsTerminationDraining: true,
    queueURL: config.queueUrl,
    awsRegion: config.region,
    ...managedTagValues(config.chart, managedTag(config.nodes, config.clusterName)),
    // The rules match events of all instances in the account. For instances of other clusters, no node is found.
    deleteSqsMsgIfNodeNotFound: true,
    replicas: config.replicas,
    podDisruptionBudget: { maxUnavailable: 1 },
    priorityClassName: 'system-cluster-critical',
    affinity: handlerAffinity(config.placement),
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  };
}

export function imdsModeValues(nodes: HandledNodes, drainOnRebalance: boolean): HandlerValues {
  return {
    enableSqsTerminationDraining: false,
    enableSpotInterruptionDraining: true,
    enableScheduledEventDraining: true,
    enableRebalanceMonitoring: drainOnRebalance,
    enableRebalanceDraining: drainOnRebalance,
    daemonsetPriorityClassName: 'system-node-critical',
    daemonsetAffinity: requiredNodeAffinity([
      { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] },
      ...(nodes.includesKarpenter ? [] : [NOT_A_KARPENTER_NODE]),
    ]),
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  };
}

/**
 * Affinity to nodes that are not spot. Replicas prefer different nodes and zones, so that losing one node does not stop
 * the handler. It is only a preference, so that a rollout does not need a third node.
 */
function handlerAffinity({ requiredLabels, includesKarpenter }: HandlerPlacement): HandlerValues {
  const preferDifferent = (topologyKey: string, weight: number) => ({
    weight,
    podAffinityTerm: {
      topologyKey,
      labelSelector: {
        matchLabels: {
          'app.kubernetes.io/name': NODE_TERMINATION_HANDLER,
          'app.kubernetes.io/instance': NODE_TERMINATION_HANDLER,
        },
      },
    },
  });
  return {
    ...requiredNodeAffinity([
      ...[...SPOT_NODE_LABELS].map(([key, spot]) => ({ key, operator: 'NotIn', values: [spot] })),
      ...(includesKarpenter ? [] : [NOT_A_KARPENTER_NODE]),
      ...Object.entries(requiredLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ]),
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        preferDifferent('kubernetes.io/hostname', 100),
        preferDifferent('topology.kubernetes.io/zone', 50),
      ],
    },
  };
}

function requiredNodeAffinity(matchExpressions: readonly HandlerValues[]): HandlerValues {
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  };
}
