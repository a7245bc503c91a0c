import { VERDICT } from './verdict';
import { check } from '../../../src/validation';
import { nodesAboveBound } from '../../../src/validation/report/above-bound';
import { CheaperTypes, NodeVerdict, PodSeparation, Verdict } from '../../../src/validation/vocabulary/verdict';
import { reportFleet } from '../../support/report-fleet';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const NEAREST = { instanceType: 'c5.large', perHour: 0.02, lacks: [] };
const LACKS_GPU: CheaperTypes = { count: 23, lack: { cpu: 4, 'nvidia.com/gpu': 23 }, nearest: NEAREST };

/** A node with 10 CPUs and 10 bytes of memory. */
function node(name: string, perHour: number, cpu: number, more: Partial<NodeVerdict> = {}): NodeVerdict {
  return {
    ...VERDICT.nodes[0],
    name,
    nodePool: 'gpu',
    price: { perHour, kind: 'recorded', date: null },
    capacity: { cpu: 10, memory: 10 },
    allocatable: { cpu: 10, memory: 10 },
    requests: { pods: { cpu: cpu / 2 }, daemonSets: { cpu: cpu / 2 } },
    ...more,
  };
}

function aboveBound(
  nodes: readonly NodeVerdict[],
  lowerBoundUsdPerHour: number | null = 0.1,
  more: Partial<Pick<Verdict, 'workloads' | 'nodePools'>> = {},
) {
  const usdPerHour = nodes.reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0);
  return nodesAboveBound({
    nodes,
    workloads: [],
    nodePools: [],
    ...more,
    summary: { ...VERDICT.summary, cost: { ...VERDICT.summary.cost, usdPerHour, lowerBoundUsdPerHour } },
  });
}
const sentences = (nodes: readonly NodeVerdict[]) => aboveBound(nodes).map(({ sentence }) => sentence);

test('names the GPU nodes of the fleet, whose CPUs are hardly requested', () => {
  expect(nodesAboveBound(check(reportFleet())).map(({ sentence }) => sentence)).toEqual([
    'gpu-0 is 22% of the bill with 4% of its CPUs requested: the 23 cheaper instance types of NodePool gpu have too few nvidia.com/gpu',
    'gpu-1 and gpu-2 are 8% of the bill with 9% of their CPUs requested: the 3 cheaper instance types of NodePool gpu have too few nvidia.com/gpu',
  ]);
});

test('returns the shares and the price of the unused part', () => {
  expect(
    aboveBound([node('gpu-0', 3, 2, { cheaperTypes: LACKS_GPU }), node('web-0', 1, 10, { nodePool: 'web' })]),
  ).toEqual([
    {
      nodes: ['gpu-0'],
      nodePool: 'gpu',
      instanceType: 'm5.large',
      shareOfBill: 0.75,
      resource: 'cpu',
      requestedShare: 0.2,
      unusedPerHour: expect.closeTo(2.4),
      sentence:
        'gpu-0 is 75% of the bill with 20% of its CPUs requested: the 23 cheaper instance types of NodePool gpu have too few nvidia.com/gpu',
    },
  ]);
});

test('says that nodes without pods were launched for pods that are elsewhere by now', () => {
  const requests = { pods: { cpu: 0, memory: 0, pods: 0 }, daemonSets: { cpu: 1 } };
  expect(sentences([node('a-0', 1, 1), node('a-1', 1, 1, { requests }), node('a-2', 1, 1, { requests })])).toEqual([
    expect.stringMatching(/^a-1 and a-2 are 67% .*: they run no pods, because those that Karpenter launched them for/),
    expect.stringMatching(/^a-0 is 33% /),
  ]);
});

test('names memory if more of it is requested than of the CPUs', () => {
  expect(sentences([node('a-0', 1, 1, { requests: { pods: { cpu: 1, memory: 3 }, daemonSets: {} } })])).toEqual([
    'a-0 is 100% of the bill with 30% of its memory requested: m5.large is the cheapest instance type of NodePool gpu there',
  ]);
});

test.each<[CheaperTypes, string]>([
  [
    { count: 1, lack: { cpu: 1, memory: 1 }, nearest: NEAREST },
    'the only cheaper instance type of NodePool gpu has too few CPUs and too little memory',
  ],
  [
    { count: 1200, lack: { 'ephemeral-storage': 1200 }, nearest: NEAREST },
    'the 1,200 cheaper instance types of NodePool gpu have too little ephemeral storage',
  ],
  [
    { count: 3, lack: {}, nearest: NEAREST },
    'requirements of the pods or limits of the NodePool exclude the 3 cheaper instance types of NodePool gpu',
  ],
  [
    { count: 3, lack: { memory: 1, pods: 2 }, nearest: NEAREST },
    'of the 3 cheaper instance types of NodePool gpu, 2 have room for too few pods; requests and requirements of the pods, or limits of the NodePool, exclude the others',
  ],
])('says why no cheaper type is launched: %j', (cheaperTypes, expected) => {
  expect(sentences([node('a-0', 1, 1, { cheaperTypes })])).toEqual([
    expect.stringMatching(new RegExp(`: ${expected}$`)),
  ]);
});

test('joins nodes of one NodePool with the same instance type', () => {
  const nodes = [0, 1, 2].map((ordinal) => node(`gpu-${ordinal}`, 1, 1));
  expect(sentences(nodes)[0]).toMatch(
    /^gpu-0 and 2 more like it are 100% of the bill with 10% of their CPUs requested: /,
  );
});

/** Nodes in zones a, b and c, each with so many pods of `shop/web`, of one CPU each. */
function webNodes(counts: readonly number[], more: Partial<NodeVerdict> = {}): NodeVerdict[] {
  return counts.map((pods, ordinal) =>
    node(`web-${ordinal}`, 1, 1, {
      zone: `us-east-1${'abc'[ordinal % 3]}`,
      allocatable: { cpu: 10, memory: 10, pods: 29 },
      requests: { pods: { cpu: pods, pods }, daemonSets: {} },
      workloads: pods === 0 ? [] : [{ workload: 'shop/web', pods, requests: { cpu: 1 } }],
      ...more,
    }),
  );
}

function webReason(nodes: readonly NodeVerdict[], ...separation: readonly PodSeparation[]): string {
  const placed = Object.fromEntries(nodes.map(({ name, workloads }) => [name, workloads[0]?.pods ?? 0]));
  const web = VERDICT.workloads.find(({ name }) => name === 'web')!;
  return aboveBound(nodes, 0.1, { workloads: [{ ...web, nodes: placed, separation }] })[0].sentence.replace(
    /^.* requested: /,
    '',
  );
}

const OVER_ZONES: PodSeparation = { by: 'topology-spread', over: 'zones', pods: 1, preferred: false };
const OVER_NODES: PodSeparation = { ...OVER_ZONES, over: 'nodes' };

test.each<[PodSeparation, string]>([
  [OVER_ZONES, 'a topology spread of shop/web over zones keeps'],
  [OVER_NODES, 'a topology spread of shop/web over nodes keeps'],
  [{ ...OVER_NODES, by: 'anti-affinity', preferred: true }, 'preferred anti-affinity of shop/web over nodes keeps'],
  [{ ...OVER_NODES, by: 'host-port' }, 'a host port of shop/web keeps'],
])('names the constraint that needs more nodes than the requests: %j', (separation, expected) => {
  expect(webReason(webNodes([1, 1, 1]), separation)).toBe(
    `the requests of their pods fit on 1 node, but ${expected} them apart; m5.large is the cheapest instance type of NodePool gpu there`,
  );
});

test('names no constraint if the pods have none, or only some that Karpenter drops or that allow fewer nodes', () => {
  const alone =
    'the requests of their pods fit on 1 node; m5.large is the cheapest instance type of NodePool gpu there';
  expect(webReason(webNodes([1, 1, 1]))).toBe(alone);
  expect(webReason(webNodes([1, 1, 1]), { ...OVER_NODES, pods: 3 })).toBe(alone);
  expect(webReason(webNodes([2, 1, 0]), { ...OVER_NODES, preferred: true })).toBe(alone);
  expect(webReason(webNodes([1, 1, 1], { zone: 'us-east-1a' }), OVER_ZONES)).toBe(alone);
});

test('does not say that pods fit on fewer nodes if two do not fit on one', () => {
  const nodes = webNodes([1, 1, 1], {
    allocatable: { cpu: 10, memory: 10, 'nvidia.com/gpu': 3, pods: 29 },
    workloads: [{ workload: 'shop/web', pods: 1, requests: { cpu: 1, 'nvidia.com/gpu': 2 } }],
  });
  expect(webReason(nodes, OVER_NODES)).toBe('m5.large is the cheapest instance type of NodePool gpu there');
});

test('names the replicas of a static NodePool, and its nodes without pods', () => {
  const [{ sentence }] = aboveBound(webNodes([2, 0, 0]), 0.1, {
    nodePools: [{ ...VERDICT.nodePools[0], name: 'gpu', replicas: 3 }],
  });
  expect(sentence).toMatch(
    /: NodePool gpu is static, and keeps replicas: 3 whatever the pods need; 2 run no pod, for \$1,460\/month$/,
  );
});

test('names reserved resources, DaemonSets and places for pods before constraints', () => {
  const reserved = webNodes([1], { capacity: { cpu: 10, memory: 80 } });
  expect(webReason(reserved)).toMatch(/^the kubelet and the system reserve 88% of the memory of m5.large; /);
  const daemons = webNodes([1], { requests: { pods: { cpu: 1, pods: 1 }, daemonSets: { cpu: 3 } } });
  expect(webReason(daemons)).toMatch(/^DaemonSets request 30% of the CPUs; /);
  const places = webNodes([2, 2], { allocatable: { cpu: 10, memory: 10, pods: 3 } });
  expect(webReason(places)).toMatch(/^each node has room for 3 pods, DaemonSets included; /);
});

test('check explains nodes that only a zone spread needs by the spread and by the allowed sizes', () => {
  const spread = `      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: DoNotSchedule
        labelSelector: { matchLabels: { app: web } }
`;
  const web = deployment('web', 3, SMALL, spread);
  const verdict = check(manifests(NODE_CLASS, nodePool(['m5.16xlarge']), web));
  expect(nodesAboveBound(verdict).map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(
      /fit on 1 node, but a topology spread of default\/web over zones keeps them apart; m5.16xlarge is the cheapest instance type of NodePool default there$/,
    ),
  ]);
});

test('returns at most three groups, the most expensive unused part first', () => {
  const nodes = [1, 4, 2, 3].map((price) => node(`n-${price}`, price, 1, { instanceType: `m5.${price}xlarge` }));
  expect(aboveBound(nodes).map(({ nodes: names }) => names)).toEqual([['n-4'], ['n-3'], ['n-2']]);
});

test('ignores nodes that are requested to one half, cost little, exist already or have no price', () => {
  expect(
    aboveBound([
      node('full', 1, 5),
      node('cheap', 0.04, 1, { instanceType: 'm5.xlarge' }),
      node('old', 1, 1, { existing: true }),
      node('reserved', 1, 1, { price: null }),
    ]),
  ).toEqual([]);
});

test('returns nothing without a price, without a lower bound, or at the lower bound', () => {
  const nodes = [node('a-0', 1, 1)];
  expect(aboveBound(nodes, null)).toEqual([]);
  expect(aboveBound(nodes, 1)).toEqual([]);
  expect(
    nodesAboveBound({
      ...VERDICT,
      nodes,
      summary: { ...VERDICT.summary, cost: { ...VERDICT.summary.cost, usdPerHour: null } },
    }),
  ).toEqual([]);
});
