import { VERDICT } from './verdict';
import { check } from '../../../src/validation';
import { nodesAboveBound } from '../../../src/validation/report/above-bound';
import { CheaperTypes, NodeVerdict, Verdict } from '../../../src/validation/vocabulary/verdict';
import { reportFleet } from '../../support/report-fleet';

const NEAREST = { instanceType: 'c5.large', perHour: 0.02, lacks: [] };
const LACKS_GPU: CheaperTypes = { count: 23, lack: { cpu: 4, 'nvidia.com/gpu': 23 }, nearest: NEAREST };

/** A node with 10 CPUs and 10 bytes of memory. */
function node(name: string, perHour: number, cpu: number, more: Partial<NodeVerdict> = {}): NodeVerdict {
  return {
    ...VERDICT.nodes[0],
    name,
    nodePool: 'gpu',
    price: { perHour, kind: 'recorded', date: null },
    allocatable: { cpu: 10, memory: 10 },
    requests: { pods: { cpu: cpu / 2 }, daemonSets: { cpu: cpu / 2 } },
    ...more,
  };
}

function aboveBound(nodes: readonly NodeVerdict[], lowerBoundUsdPerHour: number | null = 0.1) {
  const usdPerHour = nodes.reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0);
  const verdict: Pick<Verdict, 'nodes' | 'summary'> = {
    nodes,
    summary: { ...VERDICT.summary, cost: { ...VERDICT.summary.cost, usdPerHour, lowerBoundUsdPerHour } },
  };
  return nodesAboveBound(verdict);
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

test('says that constraints keep pods apart whose requests fit on fewer nodes', () => {
  expect(sentences([0, 1, 2].map((ordinal) => node(`web-${ordinal}`, 1, 4, { cheaperTypes: LACKS_GPU })))[0]).toMatch(
    /: the requests of their pods fit on 1 node, but topology, affinity or other constraints keep the pods apart$/,
  );
  expect(
    sentences(
      [0, 1].map((ordinal) =>
        node(`gpu-${ordinal}`, 1, 4, {
          cheaperTypes: LACKS_GPU,
          allocatable: { cpu: 10, 'nvidia.com/gpu': 1 },
          requests: { pods: { cpu: 4, 'nvidia.com/gpu': 1 }, daemonSets: {} },
        }),
      ),
    )[0],
  ).toMatch(/: the 23 cheaper instance types of NodePool gpu have too few nvidia.com\/gpu$/);
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
    nodesAboveBound({ nodes, summary: { ...VERDICT.summary, cost: { ...VERDICT.summary.cost, usdPerHour: null } } }),
  ).toEqual([]);
});
