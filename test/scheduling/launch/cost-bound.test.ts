import * as fc from 'fast-check';
import { Catalog, DEFAULT_NODE_CLASS } from '../../../src/catalog';
import { costLowerBound, PoolView, ScheduleInput, SchedulePlan } from '../../../src/scheduling';

const catalog = Catalog.load({ zones: ['us-east-1a'] });
const GI = 1000n * 1024n ** 3n;

function setup(
  types: readonly string[],
  pods: ReadonlyArray<[count: number, cpu: bigint, memory: bigint]>,
): [ScheduleInput, SchedulePlan] {
  const input: ScheduleInput = {
    nodePools: [
      { name: 'default', weight: 0, nodeClass: 'default', labels: {}, requirements: [], taints: [], limits: new Map() },
    ],
    nodeClasses: new Map([['default', DEFAULT_NODE_CLASS]]),
    pods: pods.map(([count, cpu, memory], i) => ({
      namespace: 'default',
      name: `web${i}`,
      count,
      shape: {
        requests: new Map([
          ['cpu', cpu],
          ['memory', memory],
        ]),
        nodeSelector: {},
        requiredNodeAffinity: [],
        preferredNodeAffinity: [],
        tolerations: [],
        notEvaluated: [],
      },
    })),
    daemonSets: [],
    settings: {},
  };
  const view: PoolView = {
    name: 'default',
    instanceTypes: types,
    zones: ['us-east-1a'],
    capacityTypes: ['on-demand'],
    elimination: [],
    daemonOverhead: [],
  };
  const claim = {
    id: 'default-0',
    nodePool: 'default',
    pods: [],
    groups: new Map(pods.map(([count], i) => [i, count])),
    requests: new Map(),
    instanceTypes: types,
    zones: [],
    capacityTypes: [],
    requirements: [],
  };
  const nodeClaims = pods.length > 0 ? [claim] : [];
  return [
    input,
    { pools: [view], nodeClaims, filledNodes: [], unschedulable: [], notEvaluated: [], overlayConflicts: [] },
  ];
}

const bound = (...args: Parameters<typeof setup>) => costLowerBound(...setup(...args), catalog);

describe('costLowerBound', () => {
  test('is at least the price of the cheapest node', () => {
    expect(bound(['m5.xlarge', 'm5.large'], [[1, 100n, GI]])).toBe(0.096);
  });

  test('is the cost of the scarcest resource at its lowest unit price', () => {
    // 96.5 CPUs on nodes with 1.93 allocatable CPUs each.
    expect(bound(['m5.large'], [[100, 965n, 0n]])).toBeCloseTo(50 * 0.096, 9);
  });

  test('counts pods as a resource', () => {
    expect(bound(['m5.large'], [[290, 0n, 0n]])).toBeCloseTo(10 * 0.096, 9);
  });

  test('is null if no pod is placed', () => {
    expect(bound(['m5.large'], [])).toBeNull();
  });

  test('is never above the cost of one pod per node', () => {
    const group = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.bigInt(1n, 1900n), fc.bigInt(1n, 6n * GI));
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 4 }), (pods) => {
        const nodes = pods.reduce((sum, [count]) => sum + count, 0);
        expect(bound(['m5.large', 'm5.xlarge', 'r5.large'], pods)!).toBeLessThanOrEqual(nodes * 0.096 + 1e-9);
      }),
      { seed: 1 },
    );
  });
});
