import { NodeVerdict, NodeWorkload, OfferVerdict, Verdict, WorkloadVerdict } from '../../../src/validation';

const CHEAP_SPOT = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot', usdPerHour: 0.0384 };
const ON_DEMAND = { instanceType: 'm5.xlarge', zone: 'us-east-1b', capacityType: 'on-demand', usdPerHour: 0.192 };

const GIB = 2 ** 30;

/** A node of the NodePool `default` with its pods and one DaemonSet. */
export function node(
  name: string,
  { instanceType, zone, capacityType, usdPerHour }: OfferVerdict,
  workloads: readonly NodeWorkload[],
): NodeVerdict {
  const vcpus = instanceType.endsWith('.xlarge') ? 4 : 2;
  const pods = workloads.reduce((sum, { pods: count }) => sum + count, 0);
  return {
    name,
    existing: false,
    nodePool: 'default',
    instanceType,
    zone,
    capacityType,
    price: { perHour: usdPerHour!, kind: 'recorded', date: '2025-05-28' },
    capacity: { cpu: vcpus, memory: 4 * vcpus * GIB, pods: 29 },
    allocatable: { cpu: vcpus - 0.07, memory: 3.5 * vcpus * GIB, pods: 29 },
    requests: { pods: { cpu: pods, pods }, daemonSets: { cpu: 0.1, memory: GIB / 8, pods: 1 } },
    workloads,
    cheaperTypes: null,
  };
}

function workload(
  name: string,
  pods: number,
  nodes: WorkloadVerdict['nodes'],
  zones: WorkloadVerdict['zones'],
): WorkloadVerdict {
  const scheduledPods = Object.values(nodes).reduce((sum, count) => sum + count, 0);
  return {
    kind: 'Deployment',
    namespace: 'shop',
    name,
    location: { file: 'b.yaml', line: 1 },
    pods,
    scheduledPods,
    requests: { cpu: 1 },
    nodes,
    zones,
    costPerHour: scheduledPods === 0 ? null : 0.1,
    protection: {
      disruptionBudgets: name === 'web' ? ['web'] : [],
      spreadOver: name === 'web' ? ['topology.kubernetes.io/zone'] : [],
      doNotDisrupt: false,
    },
  };
}

/** A verdict with something in each of its parts. */
export const VERDICT: Verdict = {
  schemaVersion: '2',
  summary: {
    errors: 1,
    warnings: 2,
    infos: 1,
    pods: 7,
    scheduledPods: 4,
    nodes: 3,
    cost: { usdPerHour: 0.3, lowerBoundUsdPerHour: 0.25, currency: 'USD', prices: [] },
  },
  nodePools: [
    {
      name: 'default',
      instanceTypes: ['m5.large', 'm5.xlarge'],
      zones: ['us-east-1a', 'us-east-1b'],
      capacityTypes: ['on-demand', 'spot'],
      elimination: [
        { constraint: 'catalogue', left: 1363 },
        { constraint: 'a', left: 5 },
        { constraint: 'b', left: 5 },
        { constraint: 'c', left: 2 },
      ],
      weight: 10,
      taints: [],
      limits: { cpu: 100 },
      used: { cpu: 8 },
      nodes: 3,
      costPerHour: 0.2688,
      limitCostPerHour: 5,
    },
    {
      name: 'none',
      instanceTypes: [],
      zones: [],
      capacityTypes: [],
      elimination: [],
      weight: 0,
      taints: ['gpu=true:NoSchedule'],
      limits: {},
      used: {},
      nodes: 0,
      costPerHour: 0,
      limitCostPerHour: null,
    },
  ],
  nodes: [
    node('default-0', CHEAP_SPOT, [{ workload: 'shop/web', pods: 1, requests: { cpu: 1 } }]),
    node('default-1', CHEAP_SPOT, [{ workload: 'shop/web', pods: 1, requests: { cpu: 1 } }]),
    node('default-2', ON_DEMAND, [
      { workload: 'shop/api', pods: 1, requests: { cpu: 1 } },
      { workload: 'shop/web', pods: 1, requests: { cpu: 1 } },
    ]),
  ],
  workloads: [
    workload('api', 1, { 'default-2': 1 }, { 'us-east-1b': 1 }),
    workload('big', 2, {}, {}),
    workload('web', 3, { 'default-0': 1, 'default-1': 1, 'default-2': 1 }, { 'us-east-1a': 2, 'us-east-1b': 1 }),
  ],
  nodeClaims: ['default-0', 'default-1']
    .map((id, i) => ({
      id,
      nodePool: 'default',
      pods: [`shop/web-${i}`],
      requests: { cpu: '1', pods: '1' },
      instanceTypes: ['m5.large', 'm5.xlarge'],
      zones: ['us-east-1a'],
      capacityTypes: ['spot'],
      cheapest: CHEAP_SPOT,
      launch: {
        capacityType: 'spot',
        allocationStrategy: 'price-capacity-optimized',
        instanceTypes: ['m5.large', 'm5.xlarge'],
        zones: ['us-east-1a'],
        cheapest: CHEAP_SPOT,
      },
    }))
    .concat([
      {
        id: 'default-2',
        nodePool: 'default',
        pods: ['shop/api', 'shop/web-2'],
        requests: { cpu: '2', pods: '2' },
        instanceTypes: ['m5.xlarge'],
        zones: ['us-east-1b'],
        capacityTypes: ['on-demand'],
        cheapest: ON_DEMAND,
        launch: {
          capacityType: 'on-demand',
          allocationStrategy: 'lowest-price',
          instanceTypes: ['m5.xlarge'],
          zones: ['us-east-1b'],
          cheapest: ON_DEMAND,
        },
      },
    ]),
  unschedulable: ['shop/big-0', 'shop/big-1'].map((pod) => ({
    pod,
    reasons: [
      {
        nodePool: 'default',
        message: 'no instance type has enough resources',
        diagnosis: 'short by 130Mi of memory on m5.xlarge',
        elimination: [
          { constraint: 'catalogue', left: 1363 },
          { constraint: 'memory 16Gi', left: 0 },
        ],
      },
    ],
    smallestChange: 'lower memory from 16Gi to 15Gi',
    changesTried: 2,
  })),
  findings: [
    {
      rule: 'KARP-109',
      name: 'duplicate-yaml-key',
      severity: 'error',
      subject: { apiVersion: '', kind: '', namespace: '', name: '' },
      location: { file: 'a.yaml', line: 3, column: 5, path: '' },
      message: 'the key "a" is written twice',
      remedy: 'merge the two',
      evidence: { key: 'a' },
    },
    {
      rule: 'KARP-306',
      name: 'missing-requests',
      severity: 'warning',
      subject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      location: { file: 'b.yaml', line: 9, column: 1, path: 'spec' },
      message: 'no cpu request',
      remedy: 'write one',
      evidence: { amount: 5n, each: new Map([['cpu', 7n]]) },
    },
  ],
  notEvaluated: [{ pod: 'shop/db-0', what: ['persistent volumes', 'pod affinity'] }],
  assumptions: ['the cluster is empty'],
  capacityBuffers: [
    { name: 'shop/web', pods: 2, scheduledPods: 1 },
    { name: 'shop/api', pods: 1, scheduledPods: 1 },
  ],
  filledNodes: [],
  placements: [],
};

export const EMPTY: Verdict = {
  ...VERDICT,
  summary: {
    errors: 0,
    warnings: 0,
    infos: 0,
    pods: 0,
    scheduledPods: 0,
    nodes: 0,
    cost: { usdPerHour: null, lowerBoundUsdPerHour: null, currency: 'USD', prices: [] },
  },
  nodePools: [],
  nodes: [],
  workloads: [],
  nodeClaims: [],
  unschedulable: [],
  findings: [],
  notEvaluated: [],
  capacityBuffers: [],
};
