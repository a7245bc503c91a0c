import { Verdict } from '../../../src/validation';

const CHEAP_SPOT = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot', usdPerHour: 0.0384 };
const ON_DEMAND = { instanceType: 'm5.xlarge', zone: 'us-east-1b', capacityType: 'on-demand', usdPerHour: 0.192 };

/** A verdict with something in each of its parts. */
export const VERDICT: Verdict = {
  schemaVersion: '1',
  summary: { errors: 1, warnings: 2, infos: 1, pods: 7, scheduledPods: 4, nodes: 3, cost: { usdPerHour: 0.3, lowerBoundUsdPerHour: 0.25, currency: 'USD', prices: [] } },
  nodePools: [
    { name: 'default', instanceTypes: ['m5.large', 'm5.xlarge'], zones: ['us-east-1a', 'us-east-1b'], capacityTypes: ['on-demand', 'spot'], elimination: [{ constraint: 'catalogue', left: 1363 }, { constraint: 'a', left: 5 }, { constraint: 'b', left: 5 }, { constraint: 'c', left: 2 }] },
    { name: 'none', instanceTypes: [], zones: [], capacityTypes: [], elimination: [] },
  ],
  nodeClaims: ['default-0', 'default-1'].map((id, i) => ({
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
  })).concat([{
    id: 'default-2',
    nodePool: 'default',
    pods: ['shop/api', 'shop/web-2'],
    requests: { cpu: '2', pods: '2' },
    instanceTypes: ['m5.xlarge'],
    zones: ['us-east-1b'],
    capacityTypes: ['on-demand'],
    cheapest: ON_DEMAND,
    launch: { capacityType: 'on-demand', allocationStrategy: 'lowest-price', instanceTypes: ['m5.xlarge'], zones: ['us-east-1b'], cheapest: ON_DEMAND },
  }]),
  unschedulable: ['shop/big-0', 'shop/big-1'].map((pod) => ({ pod, reasons: [{ nodePool: 'default', message: 'no instance type has enough resources', diagnosis: 'short by 130Mi of memory on m5.xlarge', elimination: [{ constraint: 'catalogue', left: 1363 }, { constraint: 'memory 16Gi', left: 0 }] }], smallestChange: 'lower memory from 16Gi to 15Gi', changesTried: 2 })),
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
  capacityBuffers: [{ name: 'shop/web', pods: 2, scheduledPods: 1 }, { name: 'shop/api', pods: 1, scheduledPods: 1 }],
  filledNodes: [],
  placements: [],
};

export const EMPTY: Verdict = {
  ...VERDICT,
  summary: { errors: 0, warnings: 0, infos: 0, pods: 0, scheduledPods: 0, nodes: 0, cost: { usdPerHour: null, lowerBoundUsdPerHour: null, currency: 'USD', prices: [] } },
  nodePools: [],
  nodeClaims: [],
  unschedulable: [],
  findings: [],
  notEvaluated: [],
  capacityBuffers: [],
};
