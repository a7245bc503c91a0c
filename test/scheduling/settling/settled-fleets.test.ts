import { DEFAULT_NODE_CLASS } from '../../../src/catalog';
import { SettledFleet, settledFleets, SettledFleetsOptions } from '../../../src/scheduling';
import { creationOrder } from '../../../src/scheduling/settling/creation-order';
import { nextRequeue, PassClock } from '../../../src/scheduling/settling/pass-clock';
import { PodOrder } from '../../../src/scheduling/settling/pod-order';
import { SeededRandom } from '../../../src/scheduling/settling/seeded-random';
import { CATALOG, daemonSet, input, InputFields, isIn, node, ofTypes, pods, pool } from '../builders';

const settled = (fields: InputFields, options: Partial<SettledFleetsOptions> = {}) =>
  settledFleets(input(fields), CATALOG, { nodeStart: 60, ...options });

const launches = ({ nodes }: SettledFleet) => nodes.flatMap(({ claim, launchedAt }) => (claim ? [launchedAt] : []));

/** Pods of many sizes on nodes of one size. */
const MIXED = {
  pools: [pool([ofTypes('m5.2xlarge', 'm5.4xlarge', 'm5.xlarge')])],
  pods: Array.from({ length: 15 }, (_, index) =>
    pods(`app-${index}`, 4, { cpu: `${300 + 170 * index}m`, memory: `${400 + 350 * (index % 4)}Mi` }),
  ),
};

describe('settledFleets', () => {
  test('returns the same fleets for the same input', () => {
    expect(settled(MIXED)).toEqual(settled(MIXED));
  });

  test('returns 20 fleets for a small input', () => {
    expect(settled(MIXED)).toHaveLength(20);
  });

  test('returns fewer fleets for a large input', () => {
    const large = { ...MIXED, pods: [pods('web', 12_000, { cpu: '100m' }), pods('api', 12_000, { cpu: '200m' })] };
    expect(settled(large).length).toBeLessThan(20);
  });

  test('binds every pod, and launches more nodes than the first pass in some orders', () => {
    const fleets = settled(MIXED, { orders: 60 });
    expect(fleets.map(({ pending }) => pending.size)).toEqual(fleets.map(() => 0));
    expect(fleets.some((fleet) => launches(fleet).some((launchedAt) => launchedAt > 0))).toBe(true);
    for (const { nodes } of fleets) {
      const counts = MIXED.pods.map((_, group) => nodes.reduce((sum, { bound }) => sum + (bound.get(group) ?? 0), 0));
      expect(counts).toEqual(MIXED.pods.map(({ count }) => count));
    }
  });

  test('launches no node again for a pod that fits on no node', () => {
    const stuck = pods('stuck', 1, { cpu: 5_000 });
    const one = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 1, { cpu: 1 }), stuck] };
    for (const fleet of settled(one)) {
      expect(launches(fleet)).toEqual([0]);
      expect([...fleet.pending]).toEqual([[1, 1]]);
    }
  });

  test('binds pods to existing nodes at once', () => {
    const existing = node('n1', { cpu: 4, memory: '16Gi' });
    const one = { pools: [pool([])], pods: [pods('web', 2, { cpu: 1 })], nodes: [existing] };
    for (const { nodes } of settled(one)) expect(nodes.map(({ bound }) => [...bound])).toEqual([[[0, 2]]]);
  });

  describe('of pods that are spread', () => {
    const labels = { app: 'web' };
    const spread = (topologyKey: string) => ({
      labels,
      topologySpread: [
        {
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: labels },
        },
      ],
    });
    const typesOf = (topologyKey: string, ...types: string[]) =>
      settled({ pools: [pool([ofTypes(...types)])], pods: [pods('web', 1, { cpu: 1 }, spread(topologyKey))] }).map(
        ({ nodes, pending }) => [nodes.map(({ offer }) => offer!.instanceType).join(), pending.size],
      );

    test('draw one of equally good domains, whatever it costs', () => {
      const fleets = typesOf('kubernetes.io/arch', 'm7i.large', 'm7g.large');
      expect(new Set(fleets.map(([type]) => type))).toEqual(new Set(['m7i.large', 'm7g.large']));
    });

    test('take a domain that can be launched if the drawn one cannot', () => {
      const fleets = typesOf('kubernetes.io/arch', 'm7g.large');
      expect(fleets).toEqual(fleets.map(() => ['m7g.large', 0]));
    });
  });

  test('adds the nodes of static pools', () => {
    const fixed = pool([ofTypes('m5.large')], { replicas: 2 });
    for (const { nodes } of settled({ pools: [fixed], pods: [pods('web', 1, { cpu: 1 })] }))
      expect(nodes.map(({ claim, phase }) => [claim?.nodePool, phase])).toEqual([
        ['default', 'ready'],
        ['default', 'ready'],
      ]);
  });

  test.each([
    ['a dynamic pool', undefined],
    ['a static pool', 1],
  ])('binds no pod to a node of %s whose DaemonSet uses the same host port', (_, replicas) => {
    const hostPorts = [{ ip: '0.0.0.0', port: 9100, protocol: 'TCP' }];
    const fleets = settled(
      {
        pools: [pool([ofTypes('m5.xlarge')], { replicas })],
        pods: [pods('web', 2, { cpu: 1 }), pods('port', 1, { cpu: '100m' }, { hostPorts })],
        daemonSets: [daemonSet('exporter', { cpu: '100m' }, { hostPorts })],
      },
      { orders: 2 },
    );
    for (const { nodes, pending } of fleets) {
      expect([...pending]).toEqual([[1, 1]]);
      expect(nodes.map(({ bound }) => [...bound])).toEqual([[[0, 2]]]);
    }
  });

  test('places the virtual pods of CapacityBuffers, and never binds them', () => {
    const buffer = { ...pods('spare', 2, { cpu: 1 }), buffer: 'spare' };
    for (const { nodes, virtual } of settled({ pools: [pool([ofTypes('m5.xlarge')])], pods: [buffer] })) {
      expect(nodes.map(({ bound }) => bound.size)).toEqual([0]);
      expect(virtual.map(({ groups }) => [...groups])).toEqual([[[0, 2]]]);
    }
  });

  test('launches no more instances into a reservation than it has', () => {
    const reservation = {
      id: 'cr-1',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      type: 'default' as const,
      interruptible: false,
      expiring: false,
      free: 1,
    };
    const reserved = {
      ...pool([]),
      requirements: [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')],
    };
    const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
    const fields = { pools: [reserved], nodeClasses, pods: [pods('web', 3, { cpu: '1200m' })] };
    for (const { nodes } of settled(fields))
      expect(nodes.map(({ offer }) => offer?.reservation).sort()).toEqual(['cr-1', undefined, undefined]);
  });

  test('launches nodes for pods that are created later', () => {
    const fields = {
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('first', 1, { cpu: 1 }), pods('second', 1, { cpu: 1 })],
    };
    for (const fleet of settled(fields, { arrivals: [0, 5] })) expect(launches(fleet)).toEqual([0, 5]);
  });

  test('runs a pass a second after nodes are ready, for the pods that kube-scheduler leaves', () => {
    const large = [3, 5, 7, 9].map((cpu, index) =>
      pods(`app-${index}`, 6 - index, { cpu, memory: `${8 + 4 * index}Gi` }),
    );
    const fleets = settled({ pools: [pool([ofTypes('m5.2xlarge', 'm5.4xlarge')])], pods: large }, { nodeStart: 34 });
    expect(new Set(fleets.map((fleet) => launches(fleet).find((second) => second > 0)))).toEqual(new Set([35]));
  });

  test('mixes no pods of equal size that are created in different seconds', () => {
    const labels = (app: string) => ({ labels: { app } });
    const groups = ['early', 'middle', 'late'].map((app) => pods(app, 40, { cpu: 1 }, labels(app)));
    const classes = new Map(groups.map((_, group) => [group, group]));
    const mixed = input({ pools: [pool([])], pods: groups });
    const random = new SeededRandom(1);
    const order = new PodOrder(mixed, classes, creationOrder(mixed, undefined, random, random), random);
    const { groups: first } = order.forKarpenter(Int32Array.from([40, 40, 40]));
    const before = (group: number, other: number) => first.lastIndexOf(group) < first.indexOf(other);
    expect([before(0, 2), before(0, 1)]).toEqual([true, false]);
  });
});

describe('creationOrder', () => {
  const groups = [pods('first', 50, { cpu: 1 }), pods('second', 50, { cpu: 1 })];
  const created = (arrivals?: readonly number[]) =>
    creationOrder(input({ pools: [pool([])], pods: groups }), arrivals, new SeededRandom(1), new SeededRandom(2));

  test('creates 30 pods in the first second or two, and 10 in each later one', () => {
    const seconds = created().map(({ second }) => second);
    expect(seconds).toEqual([...seconds].sort((left, right) => left - right));
    const counts = [...new Set(seconds)].map((second) => seconds.filter((other) => other === second).length);
    expect(counts[0]).toBeGreaterThanOrEqual(30);
    expect(counts.slice(1, -1)).toEqual(counts.slice(1, -1).map(() => 10));
  });

  test('creates the pods of a workload that arrives later after all others', () => {
    const order = created([20, 0]);
    expect(order.map(({ group }) => group)).toEqual([...Array(50).fill(1), ...Array(50).fill(0)]);
    expect(order[50].second).toBe(20);
  });
});

describe('PassClock', () => {
  test('begins a pass a second after the last trigger, and at the latest ten seconds after the first', () => {
    const clock = new PassClock();
    expect(clock.nextPass).toBe(Infinity);
    clock.trigger(0);
    clock.trigger(0.5);
    expect(clock.nextPass).toBe(1.5);
    for (let time = 1; time < 20; time++) clock.trigger(time);
    expect(clock.nextPass).toBe(10);
    clock.startPass();
    expect(clock.nextPass).toBe(Infinity);
  });

  test('is triggered by each pending pod every ten seconds', () => {
    expect([nextRequeue([0, 5], 0), nextRequeue([0, 5], 7), nextRequeue([0, 5], 10), nextRequeue([], 0)]).toEqual([
      5,
      10,
      15,
      Infinity,
    ]);
  });
});
