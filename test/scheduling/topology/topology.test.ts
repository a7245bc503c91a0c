import { PodAffinityTerm, PodShape, SchedulePlan, TopologySpread } from '../../../src/scheduling';
import { planOf, podCounts, node, pods, pool, running, isIn, ofTypes, Amounts } from '../builders';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const SMALL: Amounts = { cpu: '100m', memory: '64Mi' };
const WEB = { labels: { app: 'web' } };
const OF_WEB = { labelSelector: { matchLabels: { app: 'web' } } };

function spread(topologyKey: string, more: Partial<TopologySpread> = {}): TopologySpread {
  return { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', ...OF_WEB, ...more };
}

function web(count: number, more: Partial<PodShape>) {
  return pods('web', count, SMALL, { ...WEB, ...more });
}

function required(topologyKey: string, more: Partial<PodAffinityTerm> = {}) {
  return { required: [{ topologyKey, ...OF_WEB, ...more }], preferred: [] };
}

/** Number of pods by zones of their claim. */
function podsByZone(plan: SchedulePlan): Record<string, number> {
  const result: Record<string, number> = {};
  for (const { zones, pods: placed } of plan.nodeClaims)
    result[zones.join('+')] = (result[zones.join('+')] ?? 0) + placed.length;
  return result;
}

const POOLS = [pool([ofTypes('m5.large')])];

describe('topology spread', () => {
  test('over zones fills zones evenly, and the oldest node first if counts are equal', () => {
    expect(podsByZone(planOf({ pools: POOLS, pods: [web(7, { topologySpread: [spread(ZONE)] })] }))).toEqual({
      'us-east-1a': 2,
      'us-east-1b': 2,
      'us-east-1c': 3,
    });
  });

  test('over hostnames puts at most maxSkew pods on a node', () => {
    expect(
      podCounts(planOf({ pools: POOLS, pods: [web(5, { topologySpread: [spread(HOST, { maxSkew: 2 })] })] })),
    ).toEqual([2, 2, 1]);
  });

  test('counts only pods that its selector and namespace select', () => {
    const others = pods(
      'other',
      3,
      { cpu: '150m' },
      { labels: { app: 'other' }, nodeSelector: { [ZONE]: 'us-east-1a' } },
    );
    const plan = planOf({ pools: POOLS, pods: [others, web(3, { topologySpread: [spread(ZONE)] })] });
    expect(plan.nodeClaims.map(({ zones }) => zones)).toEqual([['us-east-1a'], ['us-east-1b'], ['us-east-1c']]);
  });

  test('ignores zones that the pod excludes', () => {
    const zones = [{ matchExpressions: [isIn(ZONE, 'us-east-1a', 'us-east-1b')] }];
    const plan = planOf({
      pools: POOLS,
      pods: [web(4, { topologySpread: [spread(ZONE)], requiredNodeAffinity: zones })],
    });
    expect(podsByZone(plan)).toEqual({ 'us-east-1a': 2, 'us-east-1b': 2 });
  });

  test('is blocked by a zone of another pool that the pod cannot reach', () => {
    const plan = planOf({
      pools: [
        pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1a')]),
        pool([isIn(ZONE, 'us-east-1b')], { name: 'other', taints: [{ key: 'x', effect: 'NoSchedule' }] }),
      ],
      pods: [web(3, { topologySpread: [spread(ZONE)] })],
    });
    expect(podCounts(plan)).toEqual([1]);
    expect(plan.unschedulable[0].reasons.find(({ nodePool }) => nodePool === 'default')!.message).toBe(
      `unsatisfiable topology constraint for topology spread, key=${ZONE} (counts = us-east-1a: 1, us-east-1b: 0, ` +
        `podDomains = ${ZONE} Exists, nodeDomains = ${ZONE} In [us-east-1a]`,
    );
  });

  test('ignores such a zone with nodeTaintsPolicy Honor', () => {
    const plan = planOf({
      pools: [
        pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1a')]),
        pool([isIn(ZONE, 'us-east-1b')], { name: 'other', taints: [{ key: 'x', effect: 'NoSchedule' }] }),
      ],
      pods: [web(3, { topologySpread: [spread(ZONE, { nodeTaintsPolicy: 'Honor' })] })],
    });
    expect(podCounts(plan)).toEqual([3]);
  });

  test('with minDomains above the number of domains allows maxSkew pods per domain', () => {
    const plan = planOf({ pools: POOLS, pods: [web(7, { topologySpread: [spread(ZONE, { minDomains: 4 })] })] });
    expect(podsByZone(plan)).toEqual({ 'us-east-1a': 1, 'us-east-1b': 1, 'us-east-1c': 1 });
    expect(plan.unschedulable).toHaveLength(4);
  });

  test('is relaxed with ScheduleAnyway', () => {
    const soft = spread(ZONE, { minDomains: undefined, whenUnsatisfiable: 'ScheduleAnyway' });
    const plan = planOf({
      pools: [pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1a')])],
      pods: [web(3, { topologySpread: [soft] })],
    });
    expect(plan.unschedulable).toEqual([]);
  });

  test('with ScheduleAnyway is ignored if Karpenter ignores preferences', () => {
    const soft = spread(HOST, { whenUnsatisfiable: 'ScheduleAnyway' });
    expect(podCounts(planOf({ pools: POOLS, pods: [web(3, { topologySpread: [soft] })] }))).toEqual([1, 1, 1]);
    expect(
      podCounts(
        planOf({ pools: POOLS, pods: [web(3, { topologySpread: [soft] })], settings: { preferencePolicy: 'Ignore' } }),
      ),
    ).toEqual([3]);
  });

  test('with matchLabelKeys counts each revision separately', () => {
    const of = (revision: string) =>
      pods(`web-${revision}`, 2, SMALL, {
        labels: { app: 'web', revision },
        topologySpread: [spread(HOST, { matchLabelKeys: ['revision'] })],
      });
    expect(podCounts(planOf({ pools: POOLS, pods: [of('1'), of('2')] }))).toEqual([2, 2]);
  });

  test('without a selector counts nothing and constrains nothing', () => {
    expect(
      podCounts(
        planOf({ pools: POOLS, pods: [web(3, { topologySpread: [spread(HOST, { labelSelector: undefined })] })] }),
      ),
    ).toEqual([3]);
  });

  test('over a custom label uses the values that pools list', () => {
    const plan = planOf({
      pools: [pool([ofTypes('m5.large'), isIn('rack', 'r1', 'r2')])],
      pods: [web(3, { topologySpread: [spread('rack')] })],
    });
    expect(podCounts(plan)).toEqual([2, 1]);
  });
});

describe('pod anti-affinity', () => {
  test('over hostnames gives each pod its own node', () => {
    expect(podCounts(planOf({ pools: POOLS, pods: [web(3, { podAntiAffinity: required(HOST) })] }))).toEqual([1, 1, 1]);
  });

  test('over zones schedules one pod while no zone is certain', () => {
    const plan = planOf({ pools: POOLS, pods: [web(3, { podAntiAffinity: required(ZONE) })] });
    expect(podCounts(plan)).toEqual([1]);
    expect(plan.unschedulable).toHaveLength(2);
  });

  test('of running pods: blames the first of several labels by name', () => {
    const apart = [ZONE, 'kubernetes.io/arch'].map((topologyKey) => ({ topologyKey, ...OF_WEB }));
    const guard = running('guard', SMALL, { podAntiAffinity: { required: apart, preferred: [] } });
    const {
      unschedulable: [
        {
          reasons: [{ message }],
        },
      ],
    } = planOf({
      pools: [pool([isIn(ZONE, 'us-east-1a'), isIn('kubernetes.io/arch', 'amd64')])],
      pods: [pods('web', 1, SMALL, WEB)],
      nodes: [node('n1', SMALL, { labels: { [ZONE]: 'us-east-1a', 'kubernetes.io/arch': 'amd64' }, pods: [guard] })],
    });
    expect(message).toContain('key=kubernetes.io/arch');
  });

  test('excludes pods without anti-affinity of their own', () => {
    const guard = pods('guard', 1, { cpu: '500m' }, { podAntiAffinity: required(HOST) });
    expect(planOf({ pools: POOLS, pods: [guard, web(2, {})] }).nodeClaims.map((claim) => claim.pods)).toEqual([
      ['default/guard-0'],
      ['default/web-0', 'default/web-1'],
    ]);
  });

  test('applies to its own namespace by default', () => {
    const elsewhere = { ...web(1, {}), namespace: 'shop' };
    const guard = (more: Partial<PodAffinityTerm>) =>
      pods('guard', 1, { cpu: '500m' }, { podAntiAffinity: required(HOST, more) });
    expect(podCounts(planOf({ pools: POOLS, pods: [guard({}), elsewhere] }))).toEqual([2]);
    expect(podCounts(planOf({ pools: POOLS, pods: [guard({ namespaces: ['shop'] }), elsewhere] }))).toEqual([1, 1]);
    expect(podCounts(planOf({ pools: POOLS, pods: [guard({ namespaceSelector: {} }), elsewhere] }))).toEqual([1, 1]);
  });

  test('uses only domains of pools that the unrelaxed pod tolerates', () => {
    const soft = [pool([ofTypes('m5.large')], { taints: [{ key: 'soft', effect: 'PreferNoSchedule' }] })];
    expect(podCounts(planOf({ pools: soft, pods: [web(1, {})] }))).toEqual([1]);
    expect(planOf({ pools: soft, pods: [web(1, { podAntiAffinity: required(ZONE) })] }).unschedulable).toHaveLength(1);
  });

  test('is relaxed if it is preferred', () => {
    const preferred = { required: [], preferred: [{ weight: 1, term: { topologyKey: ZONE, ...OF_WEB } }] };
    expect(planOf({ pools: POOLS, pods: [web(3, { podAntiAffinity: preferred })] }).unschedulable).toEqual([]);
  });
});

describe('pod affinity', () => {
  test('to the own pods keeps all pods in the first zone', () => {
    const plan = planOf({
      pools: POOLS,
      pods: [pods('web', 4, { cpu: '1' }, { ...WEB, podAffinity: required(ZONE) })],
    });
    expect(plan.nodeClaims.map(({ zones }) => zones)).toEqual([
      ['us-east-1a'],
      ['us-east-1a'],
      ['us-east-1a'],
      ['us-east-1a'],
    ]);
  });

  test('follows the pods that it selects', () => {
    const anchor = pods('anchor', 1, { cpu: '1500m' }, { ...WEB, nodeSelector: { [ZONE]: 'us-east-1b' } });
    const follower = pods('follower', 1, { cpu: '1' }, { podAffinity: required(ZONE) });
    expect(planOf({ pools: POOLS, pods: [anchor, follower] }).nodeClaims.map(({ zones }) => zones)).toEqual([
      ['us-east-1b'],
      ['us-east-1b'],
    ]);
  });

  test('to later pods in the queue is met once they are scheduled', () => {
    const follower = pods('follower', 1, { cpu: '1' }, { podAffinity: required(HOST) });
    const plan = planOf({ pools: POOLS, pods: [follower, web(1, {})] });
    expect(plan.nodeClaims.map((claim) => claim.pods)).toEqual([['default/web-0', 'default/follower-0']]);
  });

  test('to pods that do not exist is not met', () => {
    const follower = pods('follower', 1, { cpu: '1' }, { podAffinity: required(ZONE) });
    expect(planOf({ pools: POOLS, pods: [follower] }).unschedulable[0].reasons[0].message).toMatch(
      /^unsatisfiable topology constraint for pod affinity, key=topology\.kubernetes\.io\/zone \(counts = us-east-1a: 0, us-east-1b: 0, us-east-1c: 0, /,
    );
  });
});

test('topology constraints on a label that the node cannot have are refused with that label', () => {
  const plan = planOf({
    pools: [
      pool([ofTypes('m5.large')]),
      pool([isIn('team', 'blue')], { name: 'other', taints: [{ key: 'x', effect: 'NoSchedule' }] }),
    ],
    pods: [web(1, { topologySpread: [spread('team')] })],
  });
  expect(plan.unschedulable[0].reasons.find(({ nodePool }) => nodePool === 'default')!.message).toBe(
    'label "team" does not have known values',
  );
});

test('affinity that starts in a domain excluded by the node leaves the node without the label', () => {
  const pools = [pool([ofTypes('m5.large'), { key: 'team', operator: 'NotIn', values: ['red'] }])];
  expect(podCounts(planOf({ pools, pods: [web(2, { podAffinity: required('team') })] }))).toEqual([2]);
});
