import { DEFAULT_NODE_CLASS } from '../../src/catalog';
import { DO_NOT_DISRUPT } from '../../src/contract';
import { Cluster, ClusterNode, ClusterPod, PoolDisruption } from '../../src/disruption';
import { columnAmount, Label, parseResourceList } from '../../src/model';
import { NodePoolSpec, PodShape } from '../../src/scheduling';
import { Amounts, CATALOG, input, isIn, pool as poolOf, shape } from '../scheduling/builders';

/** Saturday, 12:00 UTC. */
export const NOW = Date.UTC(2026, 7, 1, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const TABLE = CATALOG.resolve(DEFAULT_NODE_CLASS);

export const PROTECTED = { [DO_NOT_DISRUPT]: 'true' };

/** A NodePool with m5, c5 and r5 instances, on-demand by default. */
export function anyPool(
  more: Partial<NodePoolSpec> = {},
  capacityTypes: readonly string[] = ['on-demand'],
): NodePoolSpec {
  const { requirements, ...rest } = poolOf([], more);
  return {
    ...rest,
    requirements: more.requirements ?? [
      isIn('karpenter.k8s.aws/instance-family', 'm5', 'c5', 'r5'),
      isIn(Label.CAPACITY_TYPE, ...capacityTypes),
    ],
  };
}

export const CONSOLIDATING: PoolDisruption = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: 0,
  budgets: [],
};

export function pod(
  name: string,
  requests: Amounts = { cpu: '100m' },
  more: Partial<ClusterPod> & { readonly more?: Partial<PodShape> } = {},
): ClusterPod {
  const { more: shapeMore, ...rest } = more;
  return {
    namespace: 'default',
    name,
    shape: shape(requests, shapeMore),
    daemon: false,
    owner: { kind: 'Deployment', name: 'web' },
    startedAt: NOW - HOUR,
    ...rest,
  };
}

/** Pods with required anti-affinity, so that each needs its own node. */
export const APART: { readonly more: Partial<PodShape> } = {
  more: {
    labels: { app: 'p' },
    podAntiAffinity: {
      required: [{ topologyKey: Label.HOSTNAME, labelSelector: { matchLabels: { app: 'p' } } }],
      preferred: [],
    },
  },
};

export interface NodeMore extends Partial<ClusterNode> {
  readonly zone?: string;
  readonly capacityType?: string;
  readonly pool?: string;
}

/** A node that is an hour old. @param type its instance type, which decides its capacity */
export function machine(
  name: string,
  type: string,
  pods: readonly ClusterPod[] = [],
  more: NodeMore = {},
): ClusterNode {
  const { zone = 'us-east-1a', capacityType = 'on-demand', pool = 'default', labels, ...rest } = more;
  const typeIndex = TABLE.names.indexOf(type);
  const amounts = new Map(
    TABLE.resources.map((resource, column) => [resource, columnAmount(resource, TABLE.allocatable[column][typeIndex])]),
  );
  return {
    name,
    labels: {
      [Label.HOSTNAME]: name,
      [Label.ZONE]: zone,
      [Label.CAPACITY_TYPE]: capacityType,
      [Label.NODE_POOL]: pool,
      [Label.INSTANCE_TYPE]: type,
      ...labels,
    },
    taints: [],
    allocatable: amounts,
    capacity: amounts,
    initialized: true,
    pods,
    claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR },
    ...rest,
  };
}

export interface ClusterMore extends Partial<Omit<Cluster, 'nodes' | 'pools'>> {
  readonly pools?: readonly NodePoolSpec[];
  readonly disruption?: Partial<PoolDisruption>;
}

/** A cluster whose NodePools all have the same disruption settings. */
export function clusterOf(
  nodes: readonly ClusterNode[],
  { pools = [anyPool()], disruption, ...more }: ClusterMore = {},
): Cluster {
  return {
    nodes,
    pools: new Map(pools.map(({ name }) => [name, { ...CONSOLIDATING, ...disruption }])),
    pdbs: [],
    scheduling: input({ pools, pods: [] }),
    catalog: CATALOG,
    ...more,
  };
}

export const amounts = parseResourceList;
