import { DEFAULT_NODE_CLASS } from '../../../src/catalog';
import { RequirementSpec } from '../../../src/model';
import { smallestChanges } from '../../../src/scheduling';
import { CATALOG, daemonSet, input, isIn, node, ofTypes, planOf, pods, pool, InputFields } from '../builders';

const SMALL = { cpu: '100m' };

const MI = 1000n * 2n ** 20n;
const LEAVING = node(
  'fixed-x',
  { cpu: 2, memory: '4Gi' },
  { labels: { 'karpenter.sh/nodepool': 'fixed' }, markedForDeletion: true },
);

describe('a static pool', () => {
  const fixed = pool([ofTypes('m5.large')], { name: 'fixed', weight: 100, replicas: 0 });

  test('launches no node for a pod, even if it has the highest weight', () => {
    const plan = planOf({ pools: [fixed, pool([ofTypes('m5.xlarge')])], pods: [pods('web', 1, SMALL)] });
    expect(plan.nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['default']);
  });

  test('does not make Karpenter relax PreferNoSchedule taints', () => {
    const tainted = { ...fixed, taints: [{ key: 'a', effect: 'PreferNoSchedule' } as const] };
    const hard = pool([ofTypes('m5.xlarge')], { taints: [{ key: 'b', effect: 'NoSchedule' }] });
    const { unschedulable } = planOf({ pools: [tainted, hard], pods: [pods('web', 1, SMALL)] });
    expect(unschedulable[0].reasons.map(({ nodePool }) => nodePool)).toEqual(['default']);
  });

  test('lists the instance types that it launches', () => {
    const [view] = planOf({
      pools: [pool([isIn('karpenter.k8s.aws/instance-family', 'm5')], { replicas: 1 })],
      pods: [],
    }).pools;
    expect(view.instanceTypes.slice(0, 2)).toEqual(['m5.large', 'm5.xlarge']);
    expect(view).toMatchObject({ capacityTypes: ['on-demand'], zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] });
  });
});

test('gives each node of static pools a different number for an open label', () => {
  const open: RequirementSpec = { key: 'team', operator: 'NotIn', values: ['red'] };
  const pools = ['one', 'two'].map((name) => pool([ofTypes('m5.large'), open], { name, replicas: 1 }));
  const byTeam = {
    maxSkew: 1,
    topologyKey: 'team',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'a' } },
  };
  const { nodeClaims } = planOf({
    pools,
    pods: [pods('web', 4, SMALL, { labels: { app: 'a' }, topologySpread: [byTeam] })],
  });
  expect(nodeClaims.map(({ nodePool, pods: names }) => [nodePool, names.length])).toEqual([
    ['one', 2],
    ['two', 2],
  ]);
});

describe('nodes of a static pool', () => {
  const fixed = pool([ofTypes('m5.large', 'm5.xlarge')], { name: 'fixed', replicas: 2 });
  const dynamic = pool([ofTypes('c5.4xlarge')]);
  const placed = (scene: InputFields) => planOf(scene).nodeClaims.map(({ id, pods: names }) => [id, names.length]);

  test('are launched without a pod, as the cheapest allowed type', () => {
    const [first, second] = planOf({ pools: [fixed], pods: [] }).nodeClaims;
    expect(first).toMatchObject({
      id: 'fixed-0',
      pods: [],
      requests: new Map(),
      instanceTypes: ['m5.large', 'm5.xlarge'],
      launch: {
        capacityType: 'on-demand',
        allocationStrategy: 'lowest-price',
        instanceTypes: ['m5.large', 'm5.xlarge'],
        cheapest: { usdPerHour: 0.096 },
      },
    });
    expect(second.id).toBe('fixed-1');
  });

  test('accept pods before another node is launched', () => {
    expect(placed({ pools: [fixed, dynamic], pods: [pods('web', 3, { cpu: '1500m' })] })).toEqual([
      ['fixed-0', 1],
      ['fixed-1', 1],
      ['default-0', 1],
    ]);
  });

  test('have EFA interfaces only if their node class configures them', () => {
    const efa = pool([ofTypes('p4d.24xlarge')], { name: 'fixed', replicas: 1 });
    const scene = {
      pools: [efa, pool([ofTypes('p4de.24xlarge')])],
      pods: [pods('web', 1, { 'vpc.amazonaws.com/efa': 1 })],
    };
    const interfaces = [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' },
    ] as const;
    expect(placed(scene)).toEqual([
      ['fixed-0', 0],
      ['default-0', 1],
    ]);
    expect(placed({ ...scene, nodeClasses: [{ ...DEFAULT_NODE_CLASS, networkInterfaces: interfaces }] })).toEqual([
      ['fixed-0', 1],
    ]);
  });

  test('are limited by limits.nodes, which counts nodes that are marked for deletion, too', () => {
    const limited = { ...fixed, limits: new Map([['nodes', 2n]]) };
    const leaving = node(
      'old',
      { cpu: '2' },
      { markedForDeletion: true, labels: { 'karpenter.sh/nodepool': 'fixed' } },
    );
    expect(placed({ pools: [limited], pods: [], nodes: [leaving] })).toEqual([['fixed-0', 0]]);
    expect(placed({ pools: [fixed], pods: [], nodes: [leaving] })).toHaveLength(2);
  });

  test('use reservations before other pools do', () => {
    const reservations = [
      {
        id: 'cr-1',
        instanceType: 'm5.large',
        zone: 'us-east-1a',
        type: 'default' as const,
        interruptible: false,
        expiring: false,
        free: 1,
      },
    ];
    const requirements = [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')];
    const scene = {
      pools: [pool([], { name: 'fixed', replicas: 2, requirements }), pool([], { requirements })],
      pods: [pods('web', 3, { cpu: '1200m' })],
      nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }],
    };
    expect(planOf(scene).nodeClaims.map(({ id, launch }) => [id, launch?.capacityType])).toEqual([
      ['fixed-0', 'reserved'],
      ['fixed-1', 'on-demand'],
      ['default-0', 'on-demand'],
    ]);
  });

  test('have reservation labels only if they are launched into a reservation', () => {
    const of = { instanceType: 'm5.large', type: 'default' as const, expiring: false, free: 1 };
    const reservations = [
      { ...of, id: 'cr-1', zone: 'us-east-1a', interruptible: false },
      { ...of, id: 'cr-2', zone: 'us-east-1b', interruptible: true, type: 'capacity-block' as const },
    ];
    const scene = (free: number, nodeSelector: Readonly<Record<string, string>>) =>
      planOf({
        pools: [
          pool([], {
            name: 'fixed',
            replicas: 3,
            requirements: [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')],
          }),
        ],
        pods: [pods('web', 1, SMALL, { nodeSelector })],
        nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations: reservations.slice(0, free) }],
      }).nodeClaims.flatMap(({ id, pods: names }) => (names.length > 0 ? [id] : []));
    expect(scene(2, { 'karpenter.k8s.aws/capacity-reservation-id': 'cr-2' })).toEqual(['fixed-1']);
    expect(
      scene(2, {
        'karpenter.k8s.aws/capacity-reservation-type': 'default',
        'karpenter.k8s.aws/capacity-reservation-interruptible': 'false',
      }),
    ).toEqual(['fixed-0']);
    expect(
      scene(1, { 'karpenter.sh/capacity-type': 'on-demand', 'karpenter.k8s.aws/capacity-reservation-id': 'cr-1' }),
    ).toEqual([]);
  });

  test('are launched pool by pool, in order of name', () => {
    const reservation = {
      id: 'cr-1',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      type: 'default' as const,
      interruptible: false,
      expiring: false,
      free: 1,
    };
    const requirements = [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')];
    const pools = ['b', 'a'].map((name) => pool([], { name, replicas: 1, requirements }));
    const { nodeClaims } = planOf({
      pools,
      pods: [],
      nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }],
    });
    expect(nodeClaims.map(({ id, launch }) => [id, launch?.capacityType]).sort()).toEqual([
      ['a-0', 'reserved'],
      ['b-0', 'on-demand'],
    ]);
  });

  test('are not launched if only reservations are allowed and all are full', () => {
    const reservations = [
      {
        id: 'cr-1',
        instanceType: 'm5.large',
        zone: 'us-east-1a',
        type: 'default' as const,
        interruptible: false,
        expiring: false,
        free: 1,
      },
    ];
    const requirements = [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved')];
    const scene = {
      pools: [pool([], { name: 'fixed', replicas: 2, requirements })],
      pods: [],
      nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }],
    };
    expect(planOf(scene).nodeClaims.map(({ launch, launchFailure }) => launch?.capacityType ?? launchFailure)).toEqual([
      'reserved',
      'insufficient capacity, all requested instance types were unavailable during launch',
    ]);
  });

  test('run daemonsets besides the pods', () => {
    const scene = {
      pools: [fixed],
      pods: [pods('web', 2, { cpu: '100m', memory: '6500Mi' })],
      daemonSets: [daemonSet('agent', { memory: '403Mi' })],
    };
    const plan = planOf(scene);
    expect(plan.unschedulable).toEqual([]);
    expect(plan.nodeClaims[0].requests).toEqual(
      new Map([
        ['cpu', 100n],
        ['memory', 6903n * MI],
        ['pods', 2n],
      ]),
    );
    expect(planOf({ ...scene, daemonSets: [daemonSet('agent', { memory: '404Mi' })] }).unschedulable).toHaveLength(2);
  });

  test('have the labels of pool, requirements and instance type, and the taints of the pool', () => {
    const labelled = {
      ...fixed,
      labels: { team: 'a' },
      requirements: [...fixed.requirements, isIn('tier', 'web')],
      taints: [{ key: 'own', effect: 'NoSchedule' } as const],
    };
    const nodeSelector = {
      team: 'a',
      tier: 'web',
      'karpenter.k8s.aws/instance-family': 'm5',
      'karpenter.sh/capacity-type': 'on-demand',
      'topology.kubernetes.io/zone': 'us-east-1a',
    };
    const tolerations = [{ key: 'own', operator: 'Exists' }];
    expect(
      planOf({ pools: [labelled], pods: [pods('web', 1, SMALL, { nodeSelector, tolerations })] }).unschedulable,
    ).toEqual([]);
    expect(planOf({ pools: [labelled], pods: [pods('web', 1, SMALL, { nodeSelector })] }).unschedulable).toHaveLength(
      1,
    );
  });

  test.each<[string, RequirementSpec, RequirementSpec, number]>([
    ['any value', { key: 'tier', operator: 'Exists' }, { key: 'tier', operator: 'Exists' }, 0],
    [
      'any value except one',
      { key: 'tier', operator: 'NotIn', values: ['web'] },
      { key: 'tier', operator: 'NotIn', values: ['9007199254740990', '9007199254740991'] },
      1,
    ],
    [
      'any number within bounds',
      { key: 'tier', operator: 'Lt', values: ['3'] },
      { key: 'tier', operator: 'Gt', values: ['2'] },
      1,
    ],
    ['no value', { key: 'tier', operator: 'DoesNotExist' }, { key: 'tier', operator: 'Exists' }, 1],
  ])('have a number for a label that allows %s', (_, ofPool, ofPod, left) => {
    const open = { ...fixed, requirements: [...fixed.requirements, ofPool] };
    const wanting = pods('web', 1, SMALL, { requiredNodeAffinity: [{ matchExpressions: [ofPod] }] });
    expect(planOf({ pools: [open], pods: [wanting] }).unschedulable).toHaveLength(left);
  });

  test('have a different number each if a label allows any value, and each number is a domain', () => {
    const open = { ...fixed, requirements: [...fixed.requirements, { key: 'tier', operator: 'Exists' as const }] };
    const spread = {
      topologyKey: 'tier',
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const plan = planOf({
      pools: [open],
      pods: [pods('web', 4, SMALL, { labels: { app: 'web' }, topologySpread: [spread] })],
    });
    expect(plan.nodeClaims.map(({ pods: names }) => names.length)).toEqual([2, 2]);
  });

  test.each([
    ['limits.nodes bounds replicas', { ...fixed, limits: new Map([['nodes', 1n]]) }, [], 1],
    [
      'existing nodes count as replicas',
      fixed,
      [node('fixed-x', { cpu: 2, memory: '4Gi' }, { labels: { 'karpenter.sh/nodepool': 'fixed' } })],
      1,
    ],
    ['a node that is marked for deletion is replaced', fixed, [LEAVING], 2],
    [
      'a node that is marked for deletion counts towards the limit',
      { ...fixed, limits: new Map([['nodes', 2n]]) },
      [LEAVING],
      1,
    ],
    ['no node for 0 replicas', { ...fixed, replicas: 0 }, [], 0],
    ['no node if no instance type exists', { ...fixed, requirements: [ofTypes('m5.nothing')] }, [], 0],
  ])('number of launched nodes: %s', (_, only, nodes, count) => {
    expect(planOf({ pools: [only], pods: [], nodes }).nodeClaims).toHaveLength(count);
  });

  test('accept no pods if their launch fails', () => {
    const varied = {
      ...fixed,
      requirements: [{ key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 50 } as const],
    };
    const plan = planOf({ pools: [varied], pods: [pods('web', 1, SMALL)] });
    expect(plan.nodeClaims).toMatchObject([
      { pods: [], launchFailure: expect.stringContaining('minValues') },
      { pods: [] },
    ]);
    expect(plan.unschedulable).toHaveLength(1);
  });

  test("are the only nodes if no pool is dynamic; the other pods are unschedulable with Karpenter's message", () => {
    const plan = planOf({ pools: [fixed], pods: [pods('web', 3, { cpu: '1500m' })] });
    expect(plan.nodeClaims.map((claim) => claim.pods)).toEqual([['default/web-0'], ['default/web-1']]);
    expect(plan.unschedulable).toMatchObject([
      { pod: 'default/web-2', reasons: [{ nodePool: '', message: 'no dynamic nodepools found' }] },
    ]);
  });

  test('get no change of limits proposed if no pool is dynamic', () => {
    const scene = { pools: [fixed], pods: [pods('web', 3, { cpu: '1500m' })] };
    expect(smallestChanges(input(scene), CATALOG).get(0)?.description ?? '').not.toContain('limits.nodes');
  });

  test('are the only domains if no pool is dynamic', () => {
    const spread = [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule' as const,
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ];
    const web = pods('web', 4, SMALL, { labels: { app: 'web' }, topologySpread: spread });
    expect(planOf({ pools: [fixed], pods: [web] }).unschedulable).toEqual([]);
  });
});
