import { ExistingNode, PodShape, SchedulePlan, TopologySpread } from '../../../src/scheduling';
import { daemonSet, isIn, node, ofTypes, planOf, pods, pool, running } from '../builders';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const POOLS = [pool([ofTypes('m5.large')])];
const SMALL = { cpu: '100m', memory: '64Mi' };
const LABELS = { app: 'web' };
const OF_WEB = { labelSelector: { matchLabels: LABELS } };

const web = (count: number, more: Partial<PodShape> = {}) => pods('web', count, SMALL, { labels: LABELS, ...more });
const spread = (topologyKey: string, more: Partial<TopologySpread> = {}) => ({
  topologySpread: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' as const, ...OF_WEB, ...more }],
});
const apart = (topologyKey: string) => ({ podAntiAffinity: { required: [{ topologyKey, ...OF_WEB }], preferred: [] } });

function filled({ filledNodes }: SchedulePlan): Record<string, number> {
  return Object.fromEntries(filledNodes.map((filledNode) => [filledNode.node, filledNode.pods.length]));
}

function plan(
  nodes: readonly ExistingNode[],
  groups = [web(2)],
  daemonSets = [] as ReturnType<typeof daemonSet>[],
  pools = POOLS,
) {
  return planOf({ pools, pods: groups, daemonSets, nodes });
}

describe('an existing node', () => {
  const ROOMY = { cpu: '2', memory: '4Gi' };

  test('takes pods before a new node is created', () => {
    const result = plan([node('n1', ROOMY)]);
    expect(filled(result)).toEqual({ n1: 2 });
    expect(result.nodeClaims).toEqual([]);
  });

  test('takes no more than it has left', () => {
    const result = plan([node('n1', { cpu: '250m', memory: '4Gi' }, { pods: [running('old', { cpu: '100m' })] })]);
    expect(filled(result)).toEqual({ n1: 1 });
    expect(result.nodeClaims.map((claim) => claim.pods.length)).toEqual([1]);
  });

  test('takes no more pods than its kubelet allows', () => {
    expect(filled(plan([node('n1', { ...ROOMY, pods: 2 }, { pods: [running('old', {})] })]))).toEqual({ n1: 1 });
  });

  test('takes no pod if the remaining amount of any resource is negative', () => {
    expect(
      filled(
        plan([node('n1', { ...ROOMY, 'nvidia.com/gpu': 1 }, { pods: [running('old', { 'nvidia.com/gpu': 2 })] })]),
      ),
    ).toEqual({});
  });

  test('reserves resources for missing DaemonSet pods', () => {
    const agent = daemonSet('agent', { cpu: '150m' });
    expect(filled(plan([node('n1', { cpu: '250m', memory: '4Gi' })], [web(2)], [agent]))).toEqual({ n1: 1 });
    const agentPod = { ...running('agent-x', { cpu: '150m' }), daemon: true };
    expect(filled(plan([node('n1', { cpu: '350m', memory: '4Gi' }, { pods: [agentPod] })], [web(2)], [agent]))).toEqual(
      { n1: 2 },
    );
  });

  test('is filled in the order of names, initialized nodes first', () => {
    const nodes = [
      node('c', ROOMY, { initialized: false }),
      node('b', { cpu: '100m', memory: '4Gi' }),
      node('a', { cpu: '100m', memory: '4Gi' }),
    ];
    expect(plan(nodes, [web(3)]).filledNodes.map((filledNode) => filledNode.node)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['its taint', {}, { taints: [{ key: 'gpu', effect: 'NoSchedule' as const }] }],
    ['its zone', { nodeSelector: { [ZONE]: 'us-east-1b' } }, {}],
    ['a well-known label that it lacks', { nodeSelector: { 'karpenter.k8s.aws/instance-family': 'm5' } }, {}],
    ['the zone of its volume', { volumeTopology: [[isIn(ZONE, 'us-east-1b')]] }, {}],
    [
      'a host port in use',
      { hostPorts: [{ ip: '0.0.0.0', port: 80, protocol: 'TCP' }] },
      { pods: [running('old', {}, { hostPorts: [{ ip: '10.0.0.1', port: 80, protocol: 'TCP' }] })] },
    ],
  ])('refuses a pod for %s', (_, pod, more) => {
    expect(filled(plan([node('n1', ROOMY, more)], [web(1, pod)]))).toEqual({});
  });

  test('takes a pod whose volume requires its host name', () => {
    expect(
      filled(plan([node('n1', ROOMY), node('n2', ROOMY)], [web(1, { volumeTopology: [[isIn(HOST, 'n2')]] })])),
    ).toEqual({ n2: 1 });
  });

  test('attaches no more volumes of a driver than its limit', () => {
    const ebs = (count: number) => ({ volumes: new Map([['ebs.csi.aws.com', count]]) });
    const limited = node('n1', ROOMY, {
      volumeLimits: new Map([['ebs.csi.aws.com', 3]]),
      pods: [running('old', {}, ebs(1))],
    });
    expect(filled(plan([limited], [web(4, ebs(1))]))).toEqual({ n1: 2 });
    expect(filled(plan([node('n1', ROOMY)], [web(4, ebs(1))]))).toEqual({ n1: 4 });
  });

  test('takes no pod at all if it has more volumes than its limit', () => {
    const volumes = new Map([['ebs.csi.aws.com', 2]]);
    const over = (limit: number) =>
      node('n1', ROOMY, {
        volumeLimits: new Map([['ebs.csi.aws.com', limit]]),
        pods: [running('old', {}, { volumes })],
      });
    expect(filled(plan([over(2)], [web(1)]))).toEqual({ n1: 1 });
    expect(filled(plan([over(1)], [web(1)]))).toEqual({});
  });

  describe('with a volume limit', () => {
    const EBS = 'ebs.csi.aws.com';
    const mounts = (...claims: string[]) => ({
      mountedClaims: new Map(claims.map((claim) => [`default/${claim}`, EBS])),
    });
    const limited = (limit: number, ...runningPods: ExistingNode['pods']) =>
      node('n1', ROOMY, { volumeLimits: new Map([[EBS, limit]]), pods: runningPods });

    test('counts a claim once that all pending pods mount', () => {
      expect(filled(plan([limited(1)], [web(4, mounts('data'))]))).toEqual({ n1: 4 });
      expect(filled(plan([limited(0)], [web(4, mounts('data'))]))).toEqual({});
    });

    test('counts a claim once that running pods of several workloads mount', () => {
      const all = [running('old', {}, mounts('data', 'logs')), running('other', {}, mounts('data'))];
      expect(filled(plan([limited(2, ...all)], [web(2, mounts('data'))]))).toEqual({ n1: 2 });
      expect(filled(plan([limited(2, ...all)], [web(2, mounts('more'))]))).toEqual({});
      expect(filled(plan([limited(1, ...all)], [web(2)]))).toEqual({});
    });

    test('counts every claim that a single pod mounts', () => {
      const groups = ['a', 'b', 'c'].map((claim) => pods(claim, 1, SMALL, mounts(claim)));
      expect(filled(plan([limited(2)], groups))).toEqual({ n1: 2 });
    });

    test('counts shared claims in addition to the volumes of each pod', () => {
      const more = (own: number) => ({ ...mounts('data'), volumes: new Map([[EBS, own]]) });
      expect(filled(plan([limited(4)], [web(4, more(1))]))).toEqual({ n1: 3 });
      expect(filled(plan([limited(4)], [web(4, more(2))]))).toEqual({ n1: 1 });
    });

    test('takes a pod with an additional claim only if the limit allows it', () => {
      const groups = [
        pods('one', 1, { cpu: '300m' }, mounts('a')),
        pods('two', 1, { cpu: '200m' }, mounts('a', 'b')),
        pods('three', 1, SMALL, mounts('b', 'c')),
      ];
      expect(plan([limited(2)], groups).filledNodes.map(({ pods: names }) => names)).toEqual([
        ['default/one-0', 'default/two-0'],
      ]);
      expect(plan([limited(3)], groups).filledNodes.map(({ pods: names }) => names)).toEqual([
        ['default/one-0', 'default/two-0', 'default/three-0'],
      ]);
    });

    test('counts each driver separately', () => {
      const both = {
        mountedClaims: new Map([
          ['default/a', EBS],
          ['default/b', 'fsx.csi.aws.com'],
        ]),
      };
      const limits = (ebs: number, fsx: number) =>
        node('n1', ROOMY, {
          volumeLimits: new Map([
            [EBS, ebs],
            ['fsx.csi.aws.com', fsx],
          ]),
        });
      expect(
        [limits(1, 1), limits(1, 0), limits(0, 1)].map((machine) => filled(plan([machine], [web(2, both)]))),
      ).toEqual([{ n1: 2 }, {}, {}]);
    });
  });

  test('counts against the limits of its NodePool', () => {
    const limited = [pool([ofTypes('m5.large')], { limits: new Map([['cpu', 3000n]]) })];
    const full = node('n1', { cpu: '2', memory: '4Gi' }, { pods: [running('old', { cpu: '2' })] });
    expect(plan([full], [web(1)], [], limited).unschedulable[0].reasons[0].message).toContain(
      'all available instance types exceed limits for nodepool',
    );
    expect(
      plan([{ ...full, labels: { ...full.labels, 'karpenter.sh/nodepool': 'other' } }], [web(1)], [], limited)
        .unschedulable,
    ).toEqual([]);
  });
});

describe('running pods', () => {
  const FULL = { cpu: '100m', memory: '4Gi' };
  const old = (more: Partial<PodShape> = {}) => running('old', { cpu: '100m' }, { labels: LABELS, ...more });

  test('count for topology spread over zones', () => {
    const result = plan([node('n1', FULL, { pods: [old()] })], [web(2, spread(ZONE))]);
    expect(result.nodeClaims.map(({ zones }) => zones)).toEqual([['us-east-1b'], ['us-east-1c']]);
  });

  test('count for topology spread over hosts', () => {
    const roomy = node('n1', { cpu: '2', memory: '4Gi' }, { pods: [old()] });
    expect(filled(plan([roomy, node('n2', { cpu: '2', memory: '4Gi' })], [web(2, spread(HOST))]))).toEqual({ n2: 1 });
  });

  test('do not count while they terminate', () => {
    const result = plan([node('n1', FULL, { pods: [{ ...old(), terminating: true }] })], [web(1, spread(ZONE))]);
    expect(result.nodeClaims.map(({ zones }) => zones)).toEqual([['us-east-1a']]);
  });

  test('keep other pods away by their anti-affinity', () => {
    const result = plan([node('n1', FULL, { pods: [running('lonely', { cpu: '100m' }, apart(ZONE))] })], [web(1)]);
    expect(result.nodeClaims[0].zones).toEqual(['us-east-1b', 'us-east-1c']);
  });

  test('count on a node that is marked for deletion, which takes no pods', () => {
    const leaving = node(
      'n1',
      { cpu: '8', memory: '16Gi' },
      { markedForDeletion: true, pods: [running('lonely', { cpu: '100m' }, apart(ZONE))] },
    );
    const result = plan([leaving], [web(1)]);
    expect([filled(result), result.nodeClaims[0].zones]).toEqual([{}, ['us-east-1b', 'us-east-1c']]);
  });

  test('have no domain in the zone of a NodeClaim without a Node', () => {
    const claim = node('n1', FULL, { claimOnly: true, labels: { [ZONE]: 'us-east-1z' } });
    expect(plan([claim], [web(3, spread(ZONE))]).unschedulable).toEqual([]);
  });

  test('have no domain in the zone of a node with startup taints if nodeTaintsPolicy is Honor', () => {
    const comingUp = node('n1', FULL, {
      initialized: false,
      nodeObjectTaints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
      labels: { [ZONE]: 'us-east-1z' },
    });
    const honoring = (nodeTaintsPolicy: 'Honor' | 'Ignore') =>
      plan([comingUp], [web(8, spread(ZONE, { nodeTaintsPolicy }))]).unschedulable.length;
    expect([honoring('Honor'), honoring('Ignore')]).toEqual([0, 1]);
  });

  test('count by the labels of the Node, while Karpenter uses the name of the NodeClaim until it is registered', () => {
    const unregistered = (labels: Record<string, string>) =>
      node(
        'claim',
        { cpu: '2', memory: '4Gi' },
        {
          initialized: false,
          labels: { [ZONE]: 'us-east-1a' },
          nodeObjectLabels: { [ZONE]: 'us-east-1a', ...labels },
          pods: [old()],
        },
      );
    expect(filled(plan([unregistered({ [HOST]: 'n1' })], [web(1, apart(HOST))]))).toEqual({ claim: 1 });
    expect(filled(plan([unregistered({ [HOST]: 'claim' })], [web(1, apart(HOST))]))).toEqual({});
    expect(plan([unregistered({ [ZONE]: 'us-east-1b' })], [web(1, apart(ZONE))]).nodeClaims).toEqual([]);
    expect(filled(plan([unregistered({ [ZONE]: 'us-east-1a' })], [web(1, apart(ZONE))]))).toEqual({});
  });

  test('have no domain in the zone of a node that is marked for deletion if none of them counts', () => {
    const leaving = node('n1', FULL, { markedForDeletion: true, labels: { [ZONE]: 'us-east-1z' } });
    expect(plan([leaving], [web(3, spread(ZONE))]).unschedulable).toEqual([]);
  });

  test('are avoided by pending pods with anti-affinity', () => {
    expect(plan([node('n1', FULL, { pods: [old()] })], [web(1, apart(ZONE))]).nodeClaims[0].zones).toEqual([
      'us-east-1b',
      'us-east-1c',
    ]);
  });

  test('attract pending pods with affinity', () => {
    const near = { podAffinity: { required: [{ topologyKey: ZONE, ...OF_WEB }], preferred: [] } };
    expect(
      plan([node('n1', FULL, { labels: { [ZONE]: 'us-east-1c' }, pods: [old()] })], [web(2, near)]).nodeClaims.map(
        ({ zones }) => zones,
      ),
    ).toEqual([['us-east-1c']]);
  });
});

test('a NodePool above its node limit refuses a pod with the message of Karpenter about instance types', () => {
  const limited = [pool([ofTypes('m5.large')], { limits: new Map([['nodes', 1n]]) })];
  const message = (count: number) => {
    const full = Array.from({ length: count }, (_, index) => node(`n${index}`, { cpu: '0', memory: '0' }));
    return plan(full, [web(1)], [], limited).unschedulable[0].reasons[0].message;
  };
  expect(message(1)).toBe('node limits have been exhausted for nodepool (NodePool=default)');
  expect(message(2)).toBe('all available instance types exceed limits for nodepool (NodePool=default)');
});

test('affinity over a label that only an existing node has leaves no domain for new nodes', () => {
  const together = { podAffinity: { required: [{ topologyKey: 'team', ...OF_WEB }], preferred: [] } };
  const { unschedulable } = plan(
    [node('full', { cpu: '0', memory: '0' }, { labels: { team: 'blue' } })],
    [web(1, together)],
  );
  expect(unschedulable.flatMap(({ reasons }) => reasons.map(({ message }) => message))).toEqual([
    'label "team" does not have known values',
  ]);
});

describe('more than 64 topology domains', () => {
  const racks = Array.from({ length: 150 }, (_, index) =>
    node(`n${100 + index}`, { cpu: '250m', memory: '4Gi' }, { labels: { rack: `r${100 + index}` } }),
  );
  const old = running('old', { cpu: '50m' }, { labels: LABELS });
  const nodes = racks.map((machine, rack) => (rack === 140 ? { ...machine, pods: [old] } : machine));

  test('each get their share of pods with topology spread', () => {
    expect(filled(plan(nodes, [web(149, spread('rack'))]))).toEqual(
      Object.fromEntries(racks.filter((_, rack) => rack !== 140).map(({ name }) => [name, 1])),
    );
  });

  test('include the one that attracts pods with affinity', () => {
    const together = { podAffinity: { required: [{ topologyKey: 'rack', ...OF_WEB }], preferred: [] } };
    expect(filled(plan(nodes, [web(2, together)]))).toEqual({ n240: 2 });
  });
});

test('a node that refused a term for a missing label accepts it after a pod with another term has narrowed the label', () => {
  const requiredNodeAffinity = [
    { matchExpressions: [{ key: 'team', operator: 'Exists' as const }, isIn(ZONE, 'us-east-1b')] },
    { matchExpressions: [{ key: 'team', operator: 'NotIn' as const, values: ['blue'] }] },
  ];
  const nodes = [
    node('n1', { cpu: 4, memory: '8Gi' }),
    node('n2', { cpu: 4, memory: '8Gi' }, { labels: { [ZONE]: 'us-east-1b' } }),
  ];
  const skewed = spread(ZONE, { nodeAffinityPolicy: 'Ignore' });
  expect(filled(plan(nodes, [web(3, { requiredNodeAffinity, ...skewed })]))).toEqual({ n1: 1, n2: 2 });
});

describe('a node that only takes pending pods', () => {
  const pendingOnly = node('n1', { cpu: 4, memory: '8Gi' }, { pendingPodsOnly: true });
  const anywhere = { tolerations: [{ operator: 'Exists' }] };

  test('refuses pods that are moved, regardless of their tolerations', () => {
    expect(filled(plan([pendingOnly], [web(1)]))).toEqual({ n1: 1 });
    expect(filled(plan([pendingOnly], [{ ...web(1, anywhere), notPending: true }]))).toEqual({});
    expect(filled(plan([{ ...pendingOnly, pendingPodsOnly: false }], [{ ...web(1), notPending: true }]))).toEqual({
      n1: 1,
    });
  });

  test('counts for topology spread like any other node', () => {
    const second = node('n2', { cpu: 4, memory: '8Gi' }, { labels: { [ZONE]: 'us-east-1b' } });
    const occupied = { ...pendingOnly, pods: [running('web-x', SMALL, { labels: LABELS })] };
    expect(filled(plan([occupied, second], [{ ...web(1, spread(ZONE)), notPending: true }]))).toEqual({ n2: 1 });
  });
});

test('pods that are given up because of resource claims keep other pods away from zones that no pool knows', () => {
  const outside = [node('n1', { cpu: '2', memory: '4Gi' }, { labels: { [ZONE]: 'us-east-1z' } })];
  const givenUp = pods('claiming', 1, { cpu: '100m' }, { ...apart(ZONE), resourceClaims: true });
  expect(filled(plan(outside, [web(1)]))).toEqual({ n1: 1 });
  expect(filled(plan(outside, [web(1), givenUp]))).toEqual({});
});
