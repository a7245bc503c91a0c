import * as fc from 'fast-check';
import { DEFAULT_NODE_CLASS, PlacementGroupFacts, ReservationFacts } from '../../../src/catalog';
import {
  DaemonSetSpec,
  ExistingNode,
  NodePoolSpec,
  planOfPasses,
  PodGroup,
  provisioningPasses,
  schedule,
} from '../../../src/scheduling';
import { CATALOG, daemonSet, input, isIn, node, ofTypes, pods, pool } from '../builders';

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const M5 = 'm5.large';
const reservation = (id: string, free: number, more: Partial<ReservationFacts> = {}): ReservationFacts => ({
  id,
  instanceType: M5,
  zone: 'us-east-1a',
  type: 'default',
  interruptible: false,
  expiring: false,
  free,
  ...more,
});

interface Scene {
  readonly reservations: readonly ReservationFacts[];
  readonly groups: readonly PodGroup[];
  readonly types?: readonly string[];
  readonly capacityTypes?: readonly string[];
  readonly pool?: Partial<NodePoolSpec>;
  readonly nodes?: readonly ExistingNode[];
  readonly placementGroup?: PlacementGroupFacts;
  readonly daemonSets?: readonly DaemonSetSpec[];
  readonly keepsPlacedPods?: boolean;
}

function passes({
  reservations,
  groups,
  types = [M5],
  capacityTypes = ['reserved', 'on-demand'],
  pool: more,
  nodes,
  placementGroup,
  daemonSets,
  keepsPlacedPods = false,
}: Scene) {
  const reserved: NodePoolSpec = {
    ...pool([]),
    requirements: [ofTypes(...types), isIn(CAPACITY_TYPE, ...capacityTypes)],
    ...more,
  };
  const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations, placementGroup }];
  const fields = { pools: [reserved], pods: groups, nodeClasses, nodes, daemonSets };
  return provisioningPasses(input(fields), CATALOG, { keepsPlacedPods });
}

const PARTITION = 'karpenter.k8s.aws/placement-group-partition';
const byPartition = {
  maxSkew: 1,
  topologyKey: PARTITION,
  whenUnsatisfiable: 'DoNotSchedule' as const,
  labelSelector: { matchLabels: { app: 'b' } },
};
const planned = (scene: Scene) => planOfPasses(passes(scene));
/** Large pods: each one needs its own node. */
const large = (count: number, more = {}) => pods('large', count, { cpu: '1200m' }, more);
/** Pods that each need their own node, no matter how small. */
const alone = (count: number) => {
  const byHost = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'a' } },
  };
  return pods('web', count, { cpu: '500m' }, { labels: { app: 'a' }, topologySpread: [byHost] });
};
const launches = (scene: Scene) =>
  planned(scene).nodeClaims.map(({ id, pods: names, launch }) => [id, names, launch?.capacityType]);

describe('provisioning passes', () => {
  test('launch pods on demand when no reservation is left', () => {
    expect(launches({ reservations: [reservation('cr-1', 2)], groups: [large(4)] })).toEqual([
      ['default-0', ['default/large-0'], 'reserved'],
      ['default-1', ['default/large-1'], 'reserved'],
      ['default-2', ['default/large-2'], 'on-demand'],
      ['default-3', ['default/large-3'], 'on-demand'],
    ]);
  });

  test('use a reservation that another node held, but was not launched into', () => {
    const reservations = [reservation('cr-1', 1), reservation('cr-2', 1, { zone: 'us-east-1b' })];
    const offers = planned({ reservations, groups: [large(3)] }).nodeClaims.map(
      ({ launch }) => launch?.cheapest.reservation,
    );
    expect(offers).toEqual(['cr-1', 'cr-2', undefined]);
  });

  test('leave pods unschedulable if they allow only full reservations', () => {
    const { nodeClaims, unschedulable } = planned({
      reservations: [reservation('cr-1', 1)],
      groups: [large(3)],
      capacityTypes: ['reserved'],
    });
    expect(nodeClaims).toHaveLength(1);
    expect(unschedulable.map(({ pod, reasons: [{ message }] }) => [pod, message])).toEqual(
      ['large-1', 'large-2'].map((pod) => [
        `default/${pod}`,
        'all compatible reserved offerings are full and no on-demand or spot fallback is available',
      ]),
    );
  });

  test('schedule deferred pods onto nodes of the previous pass that have room', () => {
    const small = pods('small', 1, { cpu: '100m' }, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1b' } });
    const reservations = [reservation('cr-1', 1, { zone: 'us-east-1b' })];
    const zoned = pods('large', 2, { cpu: '1200m' }, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1b' } });
    const [{ plan: first }, { plan: second }] = passes({ reservations, groups: [zoned, small] });
    expect(first.nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-0', 'default/small-0']]);
    expect(second.nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-1']]);
  });

  test('give each node a different number for an open label', () => {
    const open: Partial<NodePoolSpec> = {
      requirements: [
        ofTypes(M5),
        isIn(CAPACITY_TYPE, 'reserved', 'on-demand'),
        { key: 'team', operator: 'NotIn', values: ['red'] },
      ],
    };
    const [
      ,
      {
        input: { nodes = [] },
      },
    ] = passes({ reservations: [reservation('cr-1', 2)], groups: [large(4)], pool: open });
    expect(nodes.map(({ name }) => name)).toEqual(['default-0', 'default-1']);
    expect(new Set(nodes.map(({ labels }) => labels.team)).size).toBe(2);
  });

  test('schedule pods of uninitialized nodes again: nodes are tried by name now, not emptiest first', () => {
    const small = pods('small', 2, { cpu: '300m' });
    const [{ plan: first }] = passes({ reservations: [reservation('cr-1', 2)], groups: [large(3), small] });
    expect(first.nodeClaims.map(({ pods: names }) => names)).toEqual([
      ['default/large-0', 'default/small-0'],
      ['default/large-1', 'default/small-1'],
    ]);
    const { nodeClaims } = planned({ reservations: [reservation('cr-1', 2)], groups: [large(3), small] });
    expect(nodeClaims.map(({ pods: names }) => names)).toEqual([
      ['default/large-0', 'default/small-0', 'default/small-1'],
      ['default/large-1'],
      ['default/large-2'],
    ]);
    expect(nodeClaims.map(({ requests }) => requests.get('cpu'))).toEqual([1800n, 1200n, 1200n]);
  });

  test('schedule only deferred pods if pods stay on the nodes that they are placed on', () => {
    const small = pods('small', 2, { cpu: '300m' });
    const scene = { reservations: [reservation('cr-1', 2)], groups: [large(3), small], keepsPlacedPods: true };
    expect(planned(scene).nodeClaims.map(({ pods: names }) => names)).toEqual([
      ['default/large-0', 'default/small-0'],
      ['default/large-1', 'default/small-1'],
      ['default/large-2'],
    ]);
    expect(passes(scene).map(({ input: { pods: waiting } }) => waiting.map(({ count }) => count))).toEqual([
      [3, 2],
      [1, 0],
    ]);
  });

  describe('with a DaemonSet for on-demand nodes only', () => {
    const daemonSets = [daemonSet('agent', { cpu: '1' }, { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } })];
    const small = pods('small', 1, { cpu: '500m' });
    const claims = (capacityTypes: readonly string[], groups: readonly PodGroup[]) =>
      passes({ reservations: [], capacityTypes, groups, daemonSets }).map(({ plan }) =>
        plan.nodeClaims.map(({ pods: names }) => names),
      );

    test('schedule a pod that is too large for its room onto a launched spot node', () => {
      const scene = { reservations: [], capacityTypes: ['spot', 'on-demand'], groups: [large(1), small], daemonSets };
      expect(passes(scene).map(({ plan }) => plan.unschedulable.map(({ pod }) => pod))).toEqual([
        ['default/large-0'],
        [],
      ]);
      expect(launches(scene)).toEqual([['default-0', ['default/large-0', 'default/small-0'], 'spot']]);
    });

    test('leave the DaemonSet out of the requests of a launched spot node', () => {
      const [{ requests }] = planned({
        reservations: [],
        capacityTypes: ['spot', 'on-demand'],
        groups: [large(1), small],
        daemonSets,
      }).nodeClaims;
      expect([requests.get('cpu'), requests.get('pods')]).toEqual([1700n, 2n]);
    });

    test('end after the first one if the launched node is on demand', () => {
      expect(claims(['on-demand'], [large(1), small])).toEqual([[['default/small-0']]]);
    });

    test('end after the first one if the pod is too large for the launched node without the DaemonSet', () => {
      expect(claims(['spot', 'on-demand'], [pods('huge', 1, { cpu: '3' }), small])).toEqual([[['default/small-0']]]);
    });
  });

  test('keep pods on initialized nodes', () => {
    const up = node('n1', { cpu: '400m', memory: '4Gi' });
    const small = pods('small', 2, { cpu: '300m' });
    const all = passes({ reservations: [reservation('cr-1', 1)], groups: [large(2), small], nodes: [up] });
    expect(
      all.map(({ input: { pods: waiting } }) => waiting.map(({ count, firstOrdinal = 0 }) => [count, firstOrdinal])),
    ).toEqual([
      [
        [2, 0],
        [2, 0],
      ],
      [
        [2, 0],
        [1, 1],
      ],
    ]);
    expect(planOfPasses(all).filledNodes).toMatchObject([{ node: 'n1', pods: ['default/small-0'] }]);
  });

  test('schedule virtual pods of a CapacityBuffer again in every pass', () => {
    const up = node('n1', { cpu: '400m', memory: '4Gi' });
    const buffer = { ...pods('room', 1, { cpu: '300m' }), buffer: 'room' };
    const all = passes({ reservations: [reservation('cr-1', 1)], groups: [large(2), buffer], nodes: [up] });
    expect(
      all.map(
        ({
          input: {
            pods: [, { count }],
          },
        }) => count,
      ),
    ).toEqual([1, 1]);
    expect(planOfPasses(all).filledNodes).toMatchObject([{ node: 'n1', pods: ['default/room-1'] }]);
  });

  test('count nodes of earlier passes towards limits', () => {
    const limits = new Map([['cpu', 4000n]]);
    const { nodeClaims, unschedulable } = planned({
      reservations: [reservation('cr-1', 1)],
      groups: [large(3)],
      pool: { limits },
    });
    expect([nodeClaims.length, unschedulable.map(({ pod }) => pod)]).toEqual([2, ['default/large-2']]);
  });

  test('continue topology spread from pods that have nodes', () => {
    const labels = { app: 'a' };
    const byHost = {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: labels },
    };
    const groups = [pods('web', 3, { cpu: '100m' }, { labels, topologySpread: [byHost] })];
    const { nodeClaims } = planned({ reservations: [reservation('cr-1', 1)], groups });
    expect(nodeClaims.map(({ pods: names }) => names.length)).toEqual([1, 1, 1]);
  });

  test('keep a label as narrowed by pods', () => {
    const team = (name: string) => ({ nodeSelector: { team: name } });
    const groups = [pods('b', 1, { cpu: '1200m' }, team('b')), pods('a', 1, { cpu: '100m' }, team('a'))];
    const requirements = [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), isIn('team', 'a', 'b')];
    expect(launches({ reservations: [reservation('cr-1', 1)], groups, pool: { requirements } })).toEqual([
      ['default-0', ['default/b-0'], 'reserved'],
      ['default-1', ['default/a-0'], 'on-demand'],
    ]);
  });

  test('give a node the label value of the affinity term that its pods use, even if it is not the first term', () => {
    const terms = [
      { key: 'team', operator: 'In' as const, values: ['c'] },
      { key: 'team', operator: 'In' as const, values: ['b'] },
    ].map((expression) => ({ matchExpressions: [expression] }));
    const requirements = [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), isIn('team', 'a', 'b')];
    const scene = {
      reservations: [reservation('cr-1', 1)],
      groups: [large(2, { requiredNodeAffinity: terms })],
      pool: { requirements },
    };
    expect(passes(scene)[1].input.nodes?.map(({ labels: { team } }) => team)).toEqual(['b']);
  });

  test('give a node the label value that topology spread selected', () => {
    const labels = { app: 'a' };
    const byShare = {
      maxSkew: 1,
      topologyKey: 'share',
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: labels },
    };
    const groups = [pods('web', 6, { cpu: '1200m' }, { labels, topologySpread: [byShare] })];
    const requirements = [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), isIn('share', '1', '2', '3')];
    const all = passes({ reservations: [reservation('cr-1', 3)], groups, pool: { requirements } });
    expect(
      all.map(({ plan: { nodeClaims } }) =>
        nodeClaims.map((claim) => `${claim.requirements.find(({ key }) => key === 'share')}`),
      ),
    ).toEqual(Array(2).fill(['share In [1]', 'share In [2]', 'share In [3]']));
    expect(all[1].input.nodes?.map(({ labels: { share } }) => share)).toEqual(['1', '2', '3']);
    expect(all[1].plan.filledNodes.map(({ pods: names }) => names.length)).toEqual([1, 1, 1]);
  });

  test('keep the pods of each pass on existing nodes', () => {
    const full = node('n1', { cpu: '1300m', memory: '4Gi' });
    const { filledNodes, nodeClaims } = planned({
      reservations: [reservation('cr-1', 1)],
      groups: [large(3)],
      nodes: [full],
    });
    expect(filledNodes.map(({ node: name, pods: names }) => [name, names])).toEqual([['n1', ['default/large-0']]]);
    expect(nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-1'], ['default/large-2']]);
  });

  test('count a new node as its largest possible type until it is launched', () => {
    const scene = {
      reservations: [],
      types: [M5, 'm5.2xlarge'],
      groups: [alone(4)],
      pool: { limits: new Map([['cpu', 10_000n]]) },
    };
    expect(
      passes(scene).map(({ plan: { nodeClaims, unschedulable } }) => [nodeClaims.length, unschedulable.length]),
    ).toEqual([
      [2, 2],
      [2, 0],
    ]);
    const { nodeClaims, unschedulable } = planned(scene);
    expect(nodeClaims.map(({ pods: names, launch }) => [names, launch?.cheapest.instanceType])).toEqual(
      [0, 1, 2, 3].map((at) => [[`default/web-${at}`], M5]),
    );
    expect(unschedulable).toEqual([]);
  });

  test('leave pods unschedulable if launched nodes use up the limits', () => {
    const scene = {
      reservations: [],
      types: [M5, 'm5.xlarge'],
      groups: [large(4)],
      pool: { limits: new Map([['cpu', 4000n]]) },
    };
    const { nodeClaims, unschedulable } = planned(scene);
    expect(nodeClaims.flatMap(({ pods: names }) => names)).toHaveLength(3);
    expect(unschedulable.map(({ pod, reasons: [{ message }] }) => [pod, message])).toEqual([
      ['default/large-3', 'all available instance types exceed limits for nodepool (NodePool=default)'],
    ]);
  });

  test('report pods as not evaluated if more passes would follow', () => {
    const types = ['', '2x', '4x', '8x', '12x', '16x', '24x'].map((size) => (size === '' ? M5 : `m5.${size}large`));
    const scene = { reservations: [], types, groups: [alone(200)], pool: { limits: new Map([['cpu', 1_000_000n]]) } };
    const all = passes(scene);
    expect(planOfPasses(all)).toMatchObject({ unschedulable: [], notEvaluated: [] });
    const { nodeClaims, unschedulable, notEvaluated } = planOfPasses(all.slice(0, 3));
    expect([nodeClaims.length + notEvaluated.flatMap(({ pods: names }) => names).length, unschedulable]).toEqual([
      200,
      [],
    ]);
    expect(notEvaluated.map(({ causes }) => causes)).toEqual([
      ['nodes that are launched after more than 3 provisioning passes'],
    ]);
  });

  const inZone = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'a' } } };
  const apart = (count: number) =>
    pods(
      'apart',
      count,
      { cpu: '100m' },
      { labels: { app: 'a' }, podAntiAffinity: { required: [inZone], preferred: [] } },
    );

  test('schedule one pod per pass for zonal anti-affinity, because the zone of a new node is unknown', () => {
    const all = passes({ reservations: [], groups: [apart(3)] });
    expect(all.map(({ plan: { nodeClaims } }) => nodeClaims.map(({ zones }) => zones))).toEqual([
      [['us-east-1a', 'us-east-1b', 'us-east-1c']],
      [['us-east-1b', 'us-east-1c']],
      [['us-east-1c']],
    ]);
    const { nodeClaims, unschedulable } = planOfPasses(all);
    expect(nodeClaims.map(({ pods: names }) => names)).toEqual([
      ['default/apart-0'],
      ['default/apart-1'],
      ['default/apart-2'],
    ]);
    expect(unschedulable).toEqual([]);
  });

  test('leave pods unschedulable if zonal anti-affinity has no zone left', () => {
    const { nodeClaims, unschedulable } = planned({ reservations: [], groups: [apart(5)] });
    expect([nodeClaims.length, unschedulable.map(({ pod }) => pod)]).toEqual([
      3,
      ['default/apart-3', 'default/apart-4'],
    ]);
  });

  test('schedule pods with affinity when the zone of the other pods is known', () => {
    const db = pods('db', 1, { cpu: '1200m' }, { labels: { app: 'a' } });
    const web = pods('web', 2, { cpu: '1000m' }, { podAffinity: { required: [inZone], preferred: [] } });
    const { nodeClaims, unschedulable } = planned({ reservations: [], groups: [web, db] });
    expect([unschedulable, nodeClaims.map(({ pods: names }) => names)]).toEqual([
      [],
      [['default/db-0'], ['default/web-0'], ['default/web-1']],
    ]);
    expect(new Set(nodeClaims.map(({ launch }) => launch?.cheapest.zone)).size).toBe(1);
  });

  test('schedule a pod that drops an ORed term because of a preferred anti-affinity while the zone of the other pod is unknown', () => {
    const terms = [
      { matchExpressions: [isIn('kubernetes.io/arch', 'amd64')] },
      { matchExpressions: [isIn('kubernetes.io/os', 'windows')] },
    ];
    const podAntiAffinity = { required: [], preferred: [{ weight: 1, term: inZone }] };
    const cron = pods(
      'cron',
      2,
      { cpu: '100m' },
      { labels: { app: 'a' }, requiredNodeAffinity: terms, podAntiAffinity },
    );
    const all = passes({
      reservations: [],
      groups: [cron],
      pool: { requirements: [ofTypes(M5), isIn('kubernetes.io/os', 'linux')] },
    });
    expect(all.map(({ plan: { unschedulable } }) => unschedulable.map(({ pod }) => pod))).toEqual([
      ['default/cron-1'],
      [],
    ]);
  });

  test('stop if no pass makes progress, because launched nodes do not get the topology label', () => {
    const inPartition = { topologyKey: PARTITION, labelSelector: { matchLabels: { app: 'a' } } };
    const groups = [
      pods(
        'apart',
        40,
        { cpu: '1200m' },
        { labels: { app: 'a' }, podAntiAffinity: { required: [inPartition], preferred: [] } },
      ),
    ];
    const partitions = { requirements: [ofTypes(M5), isIn(CAPACITY_TYPE, 'on-demand'), isIn(PARTITION, '1', '3')] };
    expect(passes({ reservations: [], groups, pool: partitions }).length).toBeLessThan(10);
  });

  test.each([
    ['excluded by the pods', { operator: 'NotIn' as const, values: ['4', '2'] }, {}, '2'],
    ['selected by the pods', { operator: 'In' as const, values: ['4', '3'] }, {}, '3'],
    ['left by topology', { operator: 'NotIn' as const, values: ['1'] }, { topologySpread: [byPartition] }, '2'],
  ])('launch a node into the first partition in its claim: %s', (_, named, more, partition) => {
    const picky = pods(
      'picky',
      1,
      { cpu: '1200m' },
      { requiredNodeAffinity: [{ matchExpressions: [{ key: PARTITION, ...named }] }], ...more },
    );
    const placementGroup: PlacementGroupFacts = { id: 'pg-0', strategy: 'partition', partitions: 7 };
    const [
      ,
      {
        input: { nodes },
      },
    ] = passes({ reservations: [], groups: [picky, apart(4)], placementGroup });
    expect(nodes![0].labels[PARTITION]).toBe(partition);
  });

  test('stop for pods with affinity if nothing is launched', () => {
    const web = pods('web', 1, { cpu: '100m' }, { podAffinity: { required: [inZone], preferred: [] } });
    expect(passes({ reservations: [], groups: [web] })).toHaveLength(1);
  });

  test('stop if only static pools launch nodes', () => {
    const inA = isIn('topology.kubernetes.io/zone', 'us-east-1a');
    const pools = [pool([ofTypes(M5), inA], { name: 'fixed', replicas: 1 }), pool([ofTypes(M5), inA])];
    const all = provisioningPasses(input({ pools, pods: [apart(2)] }), CATALOG);
    expect(all.map(({ plan }) => [plan.nodeClaims.map(({ nodePool }) => nodePool), plan.unschedulable.length])).toEqual(
      [[['fixed'], 1]],
    );
  });

  test('run once if no pod is deferred, with the same plan as schedule()', () => {
    const scene = { pools: [pool([ofTypes(M5)])], pods: [large(3), pods('huge', 1, { cpu: '500' })] };
    const all = provisioningPasses(input(scene), CATALOG);
    expect(all).toHaveLength(1);
    expect(planOfPasses(all)).toEqual(schedule(input(scene), CATALOG));
  });

  test('contain every pod once, for any reservations', () => {
    const frees = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 });
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(frees, sizes, (free, counts) => {
        const reservations = free.map((count, at) => reservation(`cr-${at}`, count, { zone: `us-east-1${'abc'[at]}` }));
        const groups = counts.map((count, at) => pods(`g${at}`, count, { cpu: `${300 + 400 * at}m` }));
        const keepsPlacedPods = free.length % 2 === 0;
        const { nodeClaims, unschedulable } = planned({ reservations, groups, keepsPlacedPods });
        const names = [...nodeClaims.flatMap((claim) => claim.pods), ...unschedulable.map(({ pod }) => pod)].sort();
        expect(names).toEqual(
          groups.flatMap(({ name, count }) => Array.from({ length: count }, (_, at) => `default/${name}-${at}`)).sort(),
        );
        expect(unschedulable).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
