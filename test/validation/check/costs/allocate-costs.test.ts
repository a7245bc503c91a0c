import * as fc from 'fast-check';
import { parseResourceList } from '../../../../src/model';
import { check } from '../../../../src/validation';
import { allocateCosts } from '../../../../src/validation/check/costs/allocate-costs';
import { PodsOfWorkload } from '../../../../src/validation/check/costs/pods-on-nodes';
import { Amounts, CostAllocation, NodeVerdict } from '../../../../src/validation/vocabulary/verdict';
import { reportFleet } from '../../../support/report-fleet';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../../setup';

const GIB = 2 ** 30;
/** A node of 4 CPUs and 16 GiB, whose price makes a core cost $0.031611 and a GiB $0.004237 an hour. */
const PRICE = 4 * 0.031611 + 16 * 0.004237;

function node(name: string, changes: Partial<NodeVerdict> = {}): NodeVerdict {
  return {
    name,
    existing: false,
    nodePool: 'general',
    instanceType: 'm5.xlarge',
    zone: 'us-east-1a',
    capacityType: 'on-demand',
    price: { perHour: PRICE, kind: 'published', date: '2026-01-01' },
    capacity: { cpu: 4, memory: 16 * GIB },
    allocatable: { cpu: 4, memory: 16 * GIB },
    requests: { pods: {}, daemonSets: {} },
    workloads: [],
    cheaperTypes: null,
    ...changes,
  };
}

function pods(
  name: string,
  count: number,
  cpu: number,
  gib: number,
  labels: Record<string, string> = {},
): PodsOfWorkload {
  const requests = parseResourceList({ cpu: `${Math.round(cpu * 1000)}m`, memory: `${gib}Gi` });
  return { namespace: 'shop', name, kind: 'Deployment', labels, requests, pods: count };
}

function costs(nodes: readonly NodeVerdict[], groups: readonly PodsOfWorkload[][], by = 'workload'): CostAllocation {
  return allocateCosts(nodes, groups, { by, currency: 'USD', pools: [] });
}

describe('a node without DaemonSets and without a reserved part', () => {
  const { rows, idle, totalCost } = costs([node('a')], [[pods('web', 2, 1, 2), pods('api', 1, 1, 12)]]);

  test('is paid by request and weight in a month of 730 hours', () => {
    expect(rows.map(({ name, cpuCost, ramCost, gpuCost }) => [name, cpuCost, ramCost, gpuCost])).toEqual([
      ['shop/web', 46.15, 12.37, 0],
      ['shop/api', 23.08, 37.11, 0],
    ]);
    expect(totalCost).toBe(141.79);
  });

  test('is idle where nothing requests it, which those pay who request the resource', () => {
    expect(idle).toEqual({ cpuCost: 23.08, ramCost: 0, gpuCost: 0, totalCost: 23.08 });
    expect(rows.map(({ idleCost }) => idleCost)).toEqual([15.39, 7.69]);
  });
});

test('shares what DaemonSets and the system use, and lists it apart', () => {
  const busy = node('a', {
    allocatable: { cpu: 3, memory: 16 * GIB },
    requests: { pods: {}, daemonSets: { cpu: 1 } },
  });
  const { rows, daemonSets, system } = costs([busy], [[pods('web', 2, 1, 8)]]);
  expect([daemonSets.totalCost, system.totalCost]).toEqual([23.08, 23.07]);
  expect(rows).toMatchObject([{ cpuCost: 46.15, sharedCost: 46.15, idleCost: 0, totalCost: 141.79 }]);
});

test('charges GPUs that nobody requests to the pods on their node', () => {
  const gpu = node('a', { capacity: { cpu: 4, memory: 16 * GIB, 'nvidia.com/gpu': 1 } });
  const { rows, idle } = costs([gpu], [[pods('web', 1, 4, 16)]]);
  expect(idle.gpuCost).toBeGreaterThan(100);
  expect(rows).toMatchObject([{ gpuCost: 0, idleCost: idle.gpuCost, totalCost: 141.79 }]);
});

test('divides a node with more requests than capacity in proportion to the requests', () => {
  const { rows, idle } = costs([node('a')], [[pods('web', 3, 2, 8), pods('api', 1, 2, 8)]]);
  expect(idle.totalCost).toBe(0);
  expect(rows.map(({ totalCost }) => totalCost)).toEqual([106.34, 35.45]);
});

test('gives a node without pods a row of its own, except by pool and node', () => {
  const fleet = [node('a'), node('b')];
  const groups = [[pods('web', 4, 1, 4)], []];
  const namesBy = (by: string) => costs(fleet, groups, by).rows.map(({ name, totalCost }) => [name, totalCost]);
  expect(namesBy('namespace')).toEqual([
    ['__idle__', 141.79],
    ['shop', 141.79],
  ]);
  expect(namesBy('pool')).toEqual([['general', 283.58]]);
  expect(namesBy('node')).toEqual([
    ['a', 141.79],
    ['b', 141.79],
  ]);
});

test('lists pods without the label as __unallocated__', () => {
  const { rows } = costs([node('a')], [[pods('web', 1, 1, 4, { team: 'red' }), pods('api', 1, 3, 12)]], 'label:team');
  expect(rows.map(({ name, properties }) => [name, properties])).toEqual([
    ['__unallocated__', {}],
    ['red', { labels: { team: 'red' } }],
  ]);
});

test('leaves out nodes without a price, and says so', () => {
  const { rows, nodes, notes } = costs(
    [node('a', { price: null }), node('b')],
    [[pods('web', 1, 1, 1)], [pods('api', 1, 1, 1)]],
  );
  expect([rows.map(({ name }) => name), nodes]).toEqual([['shop/api'], 1]);
  expect(notes).toEqual(['the costs are without 1 node whose price is unknown or paid for by a reservation: a']);
});

test('divides a node of unknown capacity by pods', () => {
  const { rows } = costs(
    [node('a', { capacity: {}, allocatable: {} })],
    [[pods('web', 3, 0, 0), pods('api', 1, 0, 0)]],
  );
  expect(rows.map(({ idleCost }) => idleCost)).toEqual([106.34, 35.45]);
});

test('adds up to the cent in rows and columns, for any fleet', () => {
  const amounts: fc.Arbitrary<Amounts> = fc.record({
    cpu: fc.integer({ min: 0, max: 8000 }).map((milli) => milli / 1000),
    memory: fc.integer({ min: 0, max: 64 * GIB }),
    'nvidia.com/gpu': fc.integer({ min: 0, max: 2 }),
  });
  const group = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 9 }), fc.nat(4000), fc.nat(16))
    .map(([name, count, milli, gib]) => pods(name, count, milli / 1000, gib));
  const anyNode = fc
    .tuple(amounts, amounts, fc.integer({ min: 1, max: 5_000_000 }), fc.array(group, { maxLength: 4 }))
    .map(([capacity, daemonSets, micros, groups]) => ({
      groups,
      verdict: node('n', {
        capacity,
        allocatable: { ...capacity, cpu: capacity.cpu * 0.9 },
        requests: { pods: {}, daemonSets },
        price: { perHour: micros / 1e6, kind: 'published', date: null },
      }),
    }));
  fc.assert(
    fc.property(fc.array(anyNode, { minLength: 1, maxLength: 6 }), fc.constantFrom('workload', 'pool'), (fleet, by) => {
      const result = costs(
        fleet.map(({ verdict }) => verdict),
        fleet.map(({ groups }) => groups),
        by,
      );
      const cents = (amount: number) => Math.round(amount * 100);
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + cents(value), 0);
      const bill = fleet.reduce((all, { verdict }) => all + verdict.price!.perHour * 730, 0);
      expect(Math.abs(result.totalCost - bill)).toBeLessThanOrEqual(0.005 + 1e-9);
      expect(sum(result.rows.map(({ totalCost }) => totalCost))).toBe(cents(result.totalCost));
      for (const { cpuCost, ramCost, gpuCost, sharedCost, idleCost, totalCost } of result.rows) {
        expect(sum([cpuCost, ramCost, gpuCost, sharedCost, idleCost])).toBe(cents(totalCost));
        expect(Math.min(cpuCost, ramCost, gpuCost, sharedCost, idleCost)).toBeGreaterThanOrEqual(0);
      }
      const { daemonSets, system, idle } = result;
      expect(sum(result.rows.map(({ sharedCost }) => sharedCost))).toBe(sum([daemonSets.totalCost, system.totalCost]));
      expect(sum(result.rows.map(({ idleCost }) => idleCost))).toBe(cents(idle.totalCost));
    }),
    { seed: 48, numRuns: 300 },
  );
});

test('the costs of a check are the price of all nodes, and name the workloads with their kind', () => {
  const { costs: result, summary, workloads } = check(reportFleet(), { costBy: 'workload' });
  expect(result!.totalCost).toBeCloseTo(summary.cost.usdPerHour! * 730, 2);
  const byName = new Map(result!.rows.map(({ name, totalCost }) => [name, totalCost]));
  for (const { namespace, name, costPerHour } of workloads)
    if (costPerHour !== null) expect(byName.get(`${namespace}/${name}`)).toBeCloseTo(costPerHour * 730, 1);
  expect(result!.rows[0].properties.controllerKind).toMatch(/^[a-z]+$/);
});

test('refuses an unknown dimension', () => {
  const setup = manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL));
  expect(() => check(setup, { costBy: 'team' })).toThrow('costBy: "team" is none of workload, namespace, pool, node');
});
