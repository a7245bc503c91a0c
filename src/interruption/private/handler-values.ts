/** Values of the chart of AWS Node Termination Handler. */
import { HandlerChart, MANAGED_TAG, NODE_TERMINATION_HANDLER, SPOT_NODE_LABELS, tagValues } from '../../contract';
import { HandledNodes } from '../handled-nodes';
import { HandlerPlacement } from '../handler-placement';

export type Values = { [key: string]: any };

const NOT_OF_KARPENTER = { key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' };

export interface QueueModeFacts {
  readonly chart: HandlerChart;
  readonly nodes: HandledNodes;
  readonly placement: HandlerPlacement;
  readonly clusterName: string;
  readonly queueUrl: string;
  readonly region: string;
  readonly replicas: number;
}

/** The tag of the instances that are handled: Karpenter writes the first one, and we the second. */
export function managedTag(nodes: HandledNodes, clusterName: string): string {
  return nodes.includesKarpenter ? `kubernetes.io/cluster/${clusterName}` : MANAGED_TAG;
}

export function queueModeValues(facts: QueueModeFacts): Values {
  return {
    enableSqsTerminationDraining: true,
    queueURL: facts.queueUrl,
    awsRegion: facts.region,
    ...tagValues(facts.chart, managedTag(facts.nodes, facts.clusterName)),
    // Events are about every instance of the account: those of other clusters are nodes that are not found.
    deleteSqsMsgIfNodeNotFound: true,
    replicas: facts.replicas,
    podDisruptionBudget: { maxUnavailable: 1 },
    priorityClassName: 'system-cluster-critical',
    affinity: stableNodes(facts.placement),
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  };
}

export function imdsModeValues(nodes: HandledNodes, drainOnRebalance: boolean): Values {
  return {
    enableSqsTerminationDraining: false,
    enableSpotInterruptionDraining: true,
    enableScheduledEventDraining: true,
    enableRebalanceMonitoring: drainOnRebalance,
    enableRebalanceDraining: drainOnRebalance,
    daemonsetPriorityClassName: 'system-node-critical',
    daemonsetAffinity: requireNodes([
      { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] },
      ...nodes.includesKarpenter ? [] : [NOT_OF_KARPENTER],
    ]),
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  };
}

/**
 * Both replicas on one node would go with it. It is no more than preferred, so that a rollout never waits for a third
 * node.
 */
function stableNodes({ requiredLabels, includesKarpenter }: HandlerPlacement): Values {
  const apart = (topologyKey: string, weight: number) => ({
    weight,
    podAffinityTerm: {
      topologyKey,
      labelSelector: { matchLabels: { 'app.kubernetes.io/name': NODE_TERMINATION_HANDLER, 'app.kubernetes.io/instance': NODE_TERMINATION_HANDLER } },
    },
  });
  return {
    ...requireNodes([
      ...[...SPOT_NODE_LABELS].map(([key, spot]) => ({ key, operator: 'NotIn', values: [spot] })),
      ...includesKarpenter ? [] : [NOT_OF_KARPENTER],
      ...Object.entries(requiredLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ]),
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [apart('kubernetes.io/hostname', 100), apart('topology.kubernetes.io/zone', 50)],
    },
  };
}

function requireNodes(matchExpressions: readonly Values[]): Values {
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } };
}

/**
 * The first with the second merged into it: objects field by field, anything else as it is in the second. What is given
 * is copied: maps that came from Go would be marked as such where Go reads them back.
 */
export function mergeValues(base: Values, over: Values): Values {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    merged[key] = mergeValue(merged[key], value);
  }
  return merged;
}

function mergeValue(below: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mergeValue(undefined, each));
  return isPlain(value) ? mergeValues(isPlain(below) ? below : {}, value) : value;
}

function isPlain(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
