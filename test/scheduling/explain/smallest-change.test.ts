import { parseResourceList } from '../../../src/model';
import { PodShape, smallestChanges } from '../../../src/scheduling';
import { CATALOG, daemonSet, input, isIn, node, ofTypes, pods, pool, InputFields } from '../builders';

const ZONE = 'topology.kubernetes.io/zone';
const SIZE = 'karpenter.k8s.aws/instance-size';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const CATEGORY = 'karpenter.k8s.aws/instance-category';
const GENERATION = 'karpenter.k8s.aws/instance-generation';
const SMALL = { cpu: '100m', memory: '64Mi' };
const OF_WEB = { labelSelector: { matchLabels: { app: 'web' } } };

function change(scene: InputFields, group = scene.pods.length - 1) {
  return smallestChanges(input(scene), CATALOG).get(group);
}

function description(scene: InputFields): string | undefined {
  return change(scene)?.description;
}

function one(more: Partial<PodShape>, requests: Record<string, string> = SMALL, count = 1) {
  return pods('web', count, requests, { labels: { app: 'web' }, ...more });
}

describe('a numeric bound', () => {
  test('is removed for a label without numbers', () => {
    const bounded = pool([{ key: SIZE, operator: 'Gt', values: ['3'] }]);
    expect(description({ pools: [bounded], pods: [one({})] })).toMatch(
      /^allow instance size [a-z0-9-]+ in NodePool default$/,
    );
  });
});

describe('a limit', () => {
  test('that existing nodes exceed is raised to their sum, for a resource of no instance type', () => {
    const limited = pool([ofTypes('m5.large')], { limits: parseResourceList({ 'example.com/slots': 1 }) });
    const nodes = [node('full', { cpu: '10m', 'example.com/slots': 3 })];
    expect(description({ pools: [limited], pods: [one({})], nodes })).toBe(
      'raise limits.example.com/slots of NodePool default from 1 to 3',
    );
  });
});

describe('a request', () => {
  test('that is slightly too large is lowered to the amount of the largest type', () => {
    expect(
      description({
        pools: [pool([isIn(FAMILY, 'm6a'), isIn(SIZE, 'large', '2xlarge')])],
        pods: [one({}, { cpu: '6', memory: '30Gi' })],
      }),
    ).toMatch(/^lower memory from 30Gi to \d+Mi$/);
  });

  test('is lowered by the daemonset requests, too', () => {
    const pools = [pool([ofTypes('m5.large')])];
    expect(description({ pools, pods: [one({}, { cpu: '2' })] })).toBe('lower cpu from 2 to 1930m');
    expect(
      description({ pools, pods: [one({}, { cpu: '2' })], daemonSets: [daemonSet('agent', { cpu: '110m' })] }),
    ).toBe('lower cpu from 2 to 1820m');
  });

  test('for a device is never removed, but the pool allows a type with the device', () => {
    expect(
      description({ pools: [pool([isIn(FAMILY, 'm5', 't3')])], pods: [one({}, { cpu: '1', 'nvidia.com/gpu': '1' })] }),
    ).toMatch(/^allow instance family [a-z0-9-]+ in NodePool default$/);
    expect(description({ pools: [pool([])], pods: [one({}, { cpu: '1', 'example.com/tpu': '1' })] })).toBeUndefined();
  });
});

describe('a NodePool', () => {
  test('allows an instance size that is large enough', () => {
    expect(
      description({
        pools: [pool([isIn(FAMILY, 'm5'), isIn(SIZE, 'large', 'xlarge')])],
        pods: [one({}, { cpu: '6' })],
      }),
    ).toBe('allow instance size 2xlarge in NodePool default');
  });

  test('allows the zone that a pod selects', () => {
    expect(
      description({
        pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])],
        pods: [one({ nodeSelector: { [ZONE]: 'us-east-1c' } })],
      }),
    ).toBe('allow zone us-east-1c in NodePool default');
  });

  test('allows a value that it excluded', () => {
    expect(
      description({
        pools: [pool([{ key: 'kubernetes.io/arch', operator: 'NotIn', values: ['arm64'] }])],
        pods: [one({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } })],
      }),
    ).toBe('allow arch arm64 in NodePool default');
    expect(
      description({
        pools: [pool([{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['8'] }, isIn(FAMILY, 'm5')])],
        pods: [one({}, { cpu: '7' })],
      }),
    ).toMatch(/^(allow instance cpu 8 in NodePool default)$/);
  });

  test('gets a label that pods select and no pool has', () => {
    expect(description({ pools: [pool([])], pods: [one({ nodeSelector: { 'example.com/team': 'shop' } })] })).toBe(
      'add the label example.com/team=shop to the nodes of NodePool default',
    );
  });

  test('gets a limit with room for all unschedulable pods', () => {
    const limits = parseResourceList({ cpu: 5 });
    expect(
      description({ pools: [pool([ofTypes('m5.large')], { limits })], pods: [one({}, { cpu: '1500m' }, 4)] }),
    ).toBe('raise limits.cpu of NodePool default from 5 to 8');
  });

  test('gets a higher limit on nodes', () => {
    expect(description({ pools: [pool([], { limits: new Map([['nodes', 0n]]) })], pods: [one({})] })).toBe(
      'raise limits.nodes of NodePool default from 0 to 1',
    );
    const full = [node('a', { cpu: '0' }), node('b', { cpu: '0' })];
    expect(description({ pools: [pool([], { limits: new Map([['nodes', 1n]]) })], pods: [one({})], nodes: full })).toBe(
      'raise limits.nodes of NodePool default from 1 to 3',
    );
  });

  test('gets minValues of the existing number of values', () => {
    const families = pool([{ ...isIn(FAMILY, 'm5', 'c5', 'r5'), minValues: 3 }]);
    expect(
      description({ pools: [families], pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-category': 'm' } })] }),
    ).toBe(`lower minValues of ${FAMILY} from 3 to 1 in NodePool default`);
  });
});

describe('a joint change', () => {
  const taints = [{ key: 'team', value: 'shop', effect: 'NoSchedule' as const }];

  test('has one part for each constraint that refuses the pods, up to three', () => {
    const strict = pool([ofTypes('m5.large')], {
      taints,
      labels: { tier: 'gold' },
      limits: parseResourceList({ cpu: 1 }),
    });
    expect(description({ pools: [strict], pods: [one({ nodeSelector: { tier: 'glod' } })] })).toBe(
      'tolerate team=shop:NoSchedule, and raise limits.cpu of NodePool default from 1 to 2, and select nodes with tier gold instead of glod',
    );
  });

  test('removes the selection of a type that no pool allows, rather than naming one of many types', () => {
    const selects = one({ nodeSelector: { 'node.kubernetes.io/instance-type': 't3.large' } });
    const pools = [pool([isIn(CATEGORY, 'c', 'm'), { key: GENERATION, operator: 'Gt', values: ['4'] }])];
    expect(description({ pools, pods: [selects] })).toBe(
      'remove the node selection by node.kubernetes.io/instance-type, so that the pods may run on nodes with other values',
    );
  });

  test('is tried in the later passes of Karpenter, in which launched nodes count with their real size', () => {
    const gpu = pool([isIn('karpenter.k8s.aws/instance-category', 'g', 'p')], {
      taints,
      limits: parseResourceList({ 'nvidia.com/gpu': 8 }),
    });
    expect(description({ pools: [gpu], pods: [one({}, { cpu: '30', 'nvidia.com/gpu': '1' }, 4)] })).toBe(
      'tolerate team=shop:NoSchedule',
    );
  });
});

test('keeps the NodePool that a pod selects by its name', () => {
  const pools = [
    pool([isIn(FAMILY, 'm5')], { name: 'cpu', limits: new Map([['nodes', 0n]]) }),
    pool([], { name: 'gpu' }),
  ];
  expect(description({ pools, pods: [one({ nodeSelector: { 'karpenter.sh/nodepool': 'cpu' } })] })).toBe(
    'raise limits.nodes of NodePool cpu from 0 to 1',
  );
});

describe('a pod', () => {
  const team = { key: 'team', value: 'ml', effect: 'NoSchedule' as const };

  test('tolerates the taints of the pool that it selects, and of no other, even if it is the only pool', () => {
    const pools = [pool([], { labels: { team: 'ml' }, taints: [team, { key: 'x', effect: 'NoExecute' }] })];
    expect(description({ pools, pods: [one({ nodeSelector: { team: 'ml' } })] })).toBe(
      'tolerate team=ml:NoSchedule and x:NoExecute',
    );
    expect(description({ pools, pods: [one({})] })).toBeUndefined();
  });

  test('keeps the operating system and the architecture that it selects, except if the name is another one', () => {
    const pools = [pool([isIn('kubernetes.io/arch', 'amd64')])];
    const select = (key: string, value: string) =>
      description({ pools, pods: [one({ nodeSelector: { [key]: value } })] });
    expect(select('kubernetes.io/os', 'windows')).toBeUndefined();
    expect(select('kubernetes.io/os', 'Linux')).toBe('select nodes with os linux instead of Linux');
    expect(select('kubernetes.io/arch', 'x86_64')).toBe('select nodes with arch amd64 instead of x86_64');
    const both = { 'kubernetes.io/arch': 'arm64', 'node.kubernetes.io/instance-type': 'm5.large' };
    expect(description({ pools: [pool([])], pods: [one({ nodeSelector: both })] })).toMatch(
      /^remove the node selection by node.kubernetes.io\/instance-type, so that /,
    );
  });

  test('selects a label of the user by its own name', () => {
    const pools = [pool([], { labels: { 'gpu-node': 'true' } })];
    expect(description({ pools, pods: [one({ nodeSelector: { 'gpu-node': 'True' } })] })).toBe(
      'select nodes with gpu-node true instead of True',
    );
  });

  test('tolerates the taint of the pool that it selects before another pool is widened', () => {
    const pools = [pool([isIn(FAMILY, 'm5')]), pool([isIn(FAMILY, 'g5')], { name: 'gpu', taints: [team] })];
    expect(description({ pools, pods: [one({ nodeSelector: { [FAMILY]: 'g5' } })] })).toBe(
      'tolerate team=ml:NoSchedule',
    );
  });

  test('does not tolerate a taint for other pods if a higher limit is enough', () => {
    const pools = [
      pool([ofTypes('m5.large')], { limits: parseResourceList({ cpu: 1 }) }),
      pool([], { name: 'ml', taints: [team] }),
    ];
    expect(description({ pools, pods: [one({})] })).toBe('raise limits.cpu of NodePool default from 1 to 2');
  });

  test('selects the correct label and value instead of a typo', () => {
    expect(
      description({
        pools: [pool([])],
        pods: [one({ nodeSelector: { 'topology.kubernetes.io/zones': 'us-east-1a' } })],
      }),
    ).toBe(`select nodes by ${ZONE} instead of topology.kubernetes.io/zones`);
    expect(
      description({
        pools: [pool([isIn(SIZE, 'xlarge', '2xlarge')])],
        pods: [one({ nodeSelector: { [SIZE]: '2xlagre' } })],
      }),
    ).toBe('select nodes with instance size 2xlarge instead of 2xlagre');
  });

  test('spreads over domains that the pool newly allows, or needs fewer domains', () => {
    const spread = { topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, ...OF_WEB };
    const other = pool([isIn(ZONE, 'us-east-1b')], { name: 'other', taints: [team], limits: new Map([['nodes', 0n]]) });
    const pools = [pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1a')]), other];
    expect(description({ pools, pods: [one({ topologySpread: [spread] }, SMALL, 2)] })).toBe(
      'allow zone us-east-1b in NodePool default',
    );
    const custom = { ...spread, topologyKey: 'rack' };
    const racks = [
      pool([ofTypes('m5.large'), isIn('rack', 'r1')]),
      pool([isIn('rack', 'r2')], { name: 'other', taints: [team], labels: { rack: 'r2' } }),
    ];
    expect(
      description({
        pools: racks,
        pods: [one({ topologySpread: [custom], nodeSelector: { 'karpenter.sh/nodepool': 'default' } }, SMALL, 2)],
      }),
    ).toBe('allow rack r2 in NodePool default');
    expect(
      description({
        pools: pools.slice(0, 1),
        pods: [one({ topologySpread: [{ ...spread, minDomains: 2 }] }, SMALL, 2)],
      }),
    ).toBe(`lower minDomains of the topology spread over ${ZONE} from 2 to 1`);
  });

  test('removes a host port that a daemonset uses', () => {
    const agent = daemonSet('agent', SMALL, { hostPorts: [{ ip: '0.0.0.0', port: 9100, protocol: 'TCP' }] });
    const ports = ['TCP', 'UDP'].map((protocol) => ({ ip: '10.0.0.1', port: 9100, protocol }));
    expect(
      description({ pools: [pool([ofTypes('m5.large')])], pods: [one({ hostPorts: ports })], daemonSets: [agent] }),
    ).toBe('remove host port 9100/TCP');
  });

  test.each([
    ['Search', { matchLabels: { app: 'Search' } }],
    ['serach', { matchExpressions: [{ key: 'app', operator: 'In', values: ['serach'] }] }],
  ])('corrects the value in an affinity that resembles a label of other pods: %s', (written, labelSelector) => {
    const podAffinity = { required: [{ topologyKey: ZONE, labelSelector }], preferred: [] };
    const search = { ...one({ labels: { app: 'search' } }), name: 'search' };
    const found = (other: typeof search) =>
      description({ pools: [pool([isIn(ZONE, 'us-east-1a')])], pods: [other, one({ podAffinity })] });
    expect(found(search)).toBe(`write app: search instead of ${written} in the pod affinity`);
    expect(found({ ...search, namespace: 'other' })).toContain('prefer the pod affinity');
  });

  test('corrects the key in an affinity that resembles the key of other pods with the value', () => {
    const labelSelector = { matchLabels: { teir: 'cache' } };
    const podAffinity = { required: [{ topologyKey: ZONE, labelSelector }], preferred: [] };
    const found = (labels: Record<string, string>) =>
      description({
        pools: [pool([isIn(ZONE, 'us-east-1a')])],
        pods: [{ ...one({ labels }), name: 'cache' }, one({ podAffinity })],
      });
    expect(found({ tier: 'cache' })).toBe('write tier: cache instead of teir: cache in the pod affinity');
    expect(found({ tei: 'cache' })).toBe('write tei: cache instead of teir: cache in the pod affinity');
    expect(found({ tier: 'web' })).toContain('prefer the pod affinity');
  });

  test('prefers an affinity that cannot be met', () => {
    const affinity = {
      required: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } }],
      preferred: [],
    };
    expect(description({ pools: [pool([])], pods: [one({ podAffinity: affinity })] })).toBe(
      `prefer the pod affinity over ${ZONE} instead of requiring it, so that they may run in another zone than those that it selects`,
    );
  });
});

describe('smallestChanges', () => {
  test('combines two changes if no single change helps', () => {
    const taints = [{ key: 'x', effect: 'NoSchedule' as const }];
    const pools = [pool([isIn(ZONE, 'us-east-1a')], { labels: { team: 'ml' }, taints })];
    expect(description({ pools, pods: [one({ nodeSelector: { team: 'ml', [ZONE]: 'us-east-1b' } })] })).toBe(
      'tolerate x:NoSchedule, and allow zone us-east-1b in NodePool default',
    );
  });

  test('counts tried changes, and rejects a change that makes another pod unschedulable', () => {
    const found = change(
      {
        pools: [pool([ofTypes('m5.large')], { limits: parseResourceList({ cpu: 2 }) })],
        pods: [pods('first', 1, { cpu: '1500m' }), one({}, { cpu: '1600m' })],
      },
      0,
    );
    expect(found).toEqual({ description: 'raise limits.cpu of NodePool default from 2 to 4', tried: 1 });
  });

  test('returns nothing for scheduled pods', () => {
    expect(change({ pools: [pool([])], pods: [one({})] })).toBeUndefined();
  });

  test('bounds the total number of tries', () => {
    const groups = Array.from({ length: 120 }, (_, i) => pods(`w${i}`, 1, { cpu: `${5000 + i}` }));
    const tried = [
      ...smallestChanges(input({ pools: [pool([ofTypes('m5.large')])], pods: groups }), CATALOG).values(),
    ].map((found) => found.tried);
    expect(tried.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(48);
  });
});
