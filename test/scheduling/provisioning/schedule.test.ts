import { formatAmount } from '../../../src/model';
import { CATALOG, daemonSet, isIn, node, ofTypes, planOf, podCounts, pods, pool, running } from '../builders';

const SMALL = { cpu: '100m', memory: '64Mi' };

describe('security groups for pods', () => {
  const eni = pods('nginx', 3, { cpu: '3310m', memory: '3344Mi', 'vpc.amazonaws.com/pod-eni': 1 });

  test('schedules pods that request a branch interface onto c7i types', () => {
    const plan = planOf({ pools: [pool([ofTypes('c7i.2xlarge', 'c7i.4xlarge')])], pods: [eni] });
    expect(plan.unschedulable).toEqual([]);
    expect(plan.nodeClaims.map(({ instanceTypes }) => instanceTypes)).toEqual([['c7i.4xlarge']]);
  });

  test('refuses these pods on t3 types, and names the missing resource', () => {
    const plan = planOf({ pools: [pool([isIn('karpenter.k8s.aws/instance-family', 't3')])], pods: [eni] });
    expect(plan.nodeClaims).toEqual([]);
    expect(plan.unschedulable.map(({ pod }) => pod)).toEqual(['default/nginx-0', 'default/nginx-1', 'default/nginx-2']);
    const [{ message, diagnosis }] = plan.unschedulable[0].reasons;
    expect(message).toMatch(
      /^no instance type has enough resources, requirements=.*, resources=\{.*"vpc\.amazonaws\.com\/pod-eni":"1"\}$/,
    );
    expect(diagnosis).toBe('no allowed instance type has vpc.amazonaws.com/pod-eni');
  });
});

describe('order of scheduling', () => {
  test('tries the heaviest pool first', () => {
    const plan = planOf({
      pools: [pool([], { name: 'light' }), pool([], { name: 'heavy', weight: 1 })],
      pods: [pods('web', 1, SMALL)],
    });
    expect(plan.nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['heavy']);
  });

  test('tries the last pool by name first for equal weights', () => {
    const plan = planOf({ pools: [pool([], { name: 'a' }), pool([], { name: 'b' })], pods: [pods('web', 1, SMALL)] });
    expect(plan.nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['b']);
  });

  test('schedules pods by CPU, then memory, then creation', () => {
    const plan = planOf({
      pools: [pool([ofTypes('m5.4xlarge')])],
      pods: [
        pods('late', 1, SMALL),
        pods('later', 1, SMALL),
        pods('memory', 1, { cpu: '100m', memory: '1Gi' }),
        pods('cpu', 1, { cpu: '1' }),
      ],
    });
    expect(plan.nodeClaims[0].pods).toEqual(['default/cpu-0', 'default/memory-0', 'default/late-0', 'default/later-0']);
  });

  test('tries the open claim with the fewest pods first', () => {
    const plan = planOf({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('big', 2, { cpu: '1500m' }), pods('small', 4, SMALL)],
    });
    expect(podCounts(plan)).toEqual([3, 3]);
  });
});

describe('packing', () => {
  test('extends a claim to larger types before it opens another one', () => {
    const plan = planOf({
      pools: [pool([ofTypes('m5.large', 'm5.xlarge', 'm5.2xlarge')])],
      pods: [pods('web', 7, { cpu: '1' })],
    });
    expect(plan.nodeClaims.map(({ instanceTypes }) => instanceTypes)).toEqual([['m5.2xlarge']]);
  });

  test('subtracts daemonset requests from every node that they run on', () => {
    const scene = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 4, { cpu: '450m' })] };
    expect(podCounts(planOf(scene))).toEqual([4]);
    const plan = planOf({ ...scene, daemonSets: [daemonSet('agent', { cpu: '200m' })] });
    expect(podCounts(plan)).toEqual([3, 1]);
    expect(plan.nodeClaims[0].requests.get('cpu')).toBe(1550n);
  });

  test('does not subtract a daemonset for GPU nodes from other nodes', () => {
    const gpuAgent = daemonSet(
      'gpu',
      { cpu: '1' },
      {
        requiredNodeAffinity: [
          { matchExpressions: [{ key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists' }] },
        ],
      },
    );
    const plan = planOf({ pools: [pool([ofTypes('m5.large', 'g5.xlarge')])], pods: [], daemonSets: [gpuAgent] });
    expect(plan.pools[0].instanceTypes).toEqual(['m5.large', 'g5.xlarge']);
    expect(plan.pools[0].daemonOverhead.map((overhead) => overhead.get('cpu'))).toEqual([undefined, 1000n]);
  });

  /** m5.large has 7,577 MiB − 574 MiB − 100 MiB for pods. */
  const M5_LARGE_MILLI_BYTES = 6_903_000n * 2n ** 20n;
  const seventh = (share: bigint) => `${M5_LARGE_MILLI_BYTES / 7n + share}m`;

  test('fits seven pods that request a seventh of the memory in thousandths of a byte', () => {
    const scene = (share: bigint) => ({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('web', 7, { cpu: '100m', memory: seventh(share) })],
    });
    expect(podCounts(planOf(scene(0n)))).toEqual([7]);
    expect(podCounts(planOf(scene(1n)))).toEqual([6, 1]);
    expect(formatAmount('memory', planOf(scene(0n)).nodeClaims[0].requests.get('memory')!)).toBe(
      `${(M5_LARGE_MILLI_BYTES / 7n) * 7n}m`,
    );
  });

  test('fits the seventh pod on an existing node with six of them', () => {
    const requests = { cpu: '100m', memory: seventh(0n) };
    const existing = node(
      'a',
      { cpu: '2', memory: '6903Mi' },
      { pods: Array.from({ length: 6 }, (_, index) => running(`web-${index}`, requests)) },
    );
    const plan = planOf({ pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 1, requests)], nodes: [existing] });
    expect(plan.filledNodes.map(({ node: name }) => name)).toEqual(['a']);
  });

  test('keeps the requirements of the pods of an open claim', () => {
    const inZone = (zone: string) => ({ nodeSelector: { 'topology.kubernetes.io/zone': zone } });
    const plan = planOf({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('a', 1, SMALL, inZone('us-east-1a')), pods('b', 1, SMALL, inZone('us-east-1b'))],
    });
    expect(plan.nodeClaims.map(({ zones }) => zones)).toEqual([['us-east-1a'], ['us-east-1b']]);
  });
});

describe('limits', () => {
  test('count a claim as the largest type that it could be', () => {
    const limits = new Map([['cpu', 10_000n]]);
    const wide = planOf({
      pools: [pool([ofTypes('m5.large', 'm5.2xlarge')], { limits })],
      pods: [pods('web', 8, { cpu: '1900m' })],
    });
    expect(podCounts(wide)).toEqual([4, 1]);
    expect(wide.unschedulable).toHaveLength(3);
    expect(wide.unschedulable[0].reasons[0].message).toBe(
      'all available instance types exceed limits for nodepool (NodePool=default)',
    );
  });

  test('refuse pods with a node limit of 0', () => {
    const plan = planOf({ pools: [pool([], { limits: new Map([['nodes', 0n]]) })], pods: [pods('web', 1, SMALL)] });
    expect(plan.unschedulable[0].reasons[0].message).toBe(
      'node limits have been exhausted for nodepool (NodePool=default)',
    );
  });

  test('schedule smaller pods if a larger pod does not fit', () => {
    const plan = planOf({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('huge', 2, { cpu: '64' }), pods('small', 1, SMALL)],
    });
    expect(plan.nodeClaims.map(({ pods: placed }) => placed)).toEqual([['default/small-0']]);
    expect(plan.unschedulable.map(({ pod }) => pod)).toEqual(['default/huge-0', 'default/huge-1']);
  });
});

describe('preferences', () => {
  const prefers = (zone: string) => ({
    preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn('topology.kubernetes.io/zone', zone)] } }],
  });

  test('use a preferred zone if it is possible', () => {
    const plan = planOf({ pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 1, SMALL, prefers('us-east-1b'))] });
    expect(plan.nodeClaims[0].zones).toEqual(['us-east-1b']);
  });

  test('drop a preferred zone that is not possible', () => {
    const plan = planOf({ pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 1, SMALL, prefers('us-east-1f'))] });
    expect(plan.nodeClaims[0].zones).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
  });

  test('are ignored with preferencePolicy Ignore', () => {
    const plan = planOf({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('web', 1, SMALL, prefers('us-east-1b'))],
      settings: { preferencePolicy: 'Ignore' },
    });
    expect(plan.nodeClaims[0].zones).toHaveLength(3);
  });

  test('avoid a PreferNoSchedule taint only if another pool fits', () => {
    const soft = pool([], { name: 'soft', weight: 10, taints: [{ key: 'soft', effect: 'PreferNoSchedule' }] });
    const web = pods('web', 1, SMALL);
    expect(planOf({ pools: [soft, pool([], { name: 'plain' })], pods: [web] }).nodeClaims[0].nodePool).toBe('plain');
    expect(planOf({ pools: [soft], pods: [web] }).nodeClaims[0].nodePool).toBe('soft');
  });

  test('use the first required term that can be met', () => {
    const plan = planOf({
      pools: [pool([])],
      pods: [
        pods('web', 1, SMALL, {
          requiredNodeAffinity: [
            { matchExpressions: [ofTypes('z9.huge')] },
            { matchExpressions: [ofTypes('m5.large')] },
          ],
        }),
      ],
    });
    expect(plan.nodeClaims[0].instanceTypes).toEqual(['m5.large']);
  });

  test('retry a term on a node that got the label from a pod with another term', () => {
    const terms = [
      {
        matchExpressions: [
          { key: 'team', operator: 'Exists' as const },
          isIn('topology.kubernetes.io/zone', 'us-east-1b'),
        ],
      },
      { matchExpressions: [{ key: 'team', operator: 'NotIn' as const, values: ['blue'] }] },
    ];
    const plan = planOf({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('large', 2, { cpu: '1200m' }), pods('small', 2, SMALL, { requiredNodeAffinity: terms })],
    });
    expect(plan.nodeClaims.map(({ pods: names, zones }) => [names, zones])).toEqual([
      [['default/large-0', 'default/small-0', 'default/small-1'], ['us-east-1b']],
      [['default/large-1'], ['us-east-1a', 'us-east-1b', 'us-east-1c']],
    ]);
  });
});

describe('refusals', () => {
  const refusal = (scene: Parameters<typeof planOf>[0]) => planOf(scene).unschedulable[0].reasons[0];

  test('name an untolerated taint', () => {
    const pools = [pool([], { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] })];
    expect(refusal({ pools, pods: [pods('web', 1, SMALL)] }).message).toBe(
      'did not tolerate taint (taint=gpu=yes:NoSchedule)',
    );
  });

  test('name a label that no pool defines', () => {
    const { message } = refusal({
      pools: [pool([])],
      pods: [pods('web', 1, SMALL, { nodeSelector: { project: 'core' } })],
    });
    expect(message).toBe('incompatible requirements, label "project" does not have known values');
  });

  test('give the needed amount, daemonsets included, and the amount of the largest type', () => {
    const { diagnosis } = refusal({
      pools: [pool([ofTypes('m6a.large', 'm6a.2xlarge')])],
      pods: [pods('es', 1, { cpu: '6', memory: '28Gi' })],
      daemonSets: [daemonSet('agent', { cpu: '480m', memory: '775Mi' })],
    });
    expect(diagnosis).toBe(
      'needs 28.75 GiB memory, including 775 MiB memory for 1 daemonset pod; ' +
        'the largest allowed type, m6a.2xlarge, has 28.62 GiB, enough without the daemonset pods',
    );
  });

  test('report a million CPUs as a likely typo', () => {
    expect(refusal({ pools: [pool([])], pods: [pods('web', 1, { cpu: '1M' })] }).message).toMatch(
      / \(CPU request >= 1 Million, m vs M typo\?\)$/,
    );
  });

  test('refuse huge amounts without overflow', () => {
    const plan = planOf({ pools: [pool([])], pods: [pods('web', 2, { cpu: '9E', memory: '8E' })] });
    expect(plan.nodeClaims).toEqual([]);
    expect(plan.unschedulable).toHaveLength(2);
  });

  test("return Karpenter's error for unmet minValues", () => {
    const pools = [
      pool([{ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m5', 'c5', 'r5'], minValues: 3 }]),
    ];
    const { message } = refusal({
      pools,
      pods: [pods('web', 1, { cpu: '1' }, { nodeSelector: { 'karpenter.k8s.aws/instance-category': 'm' } })],
    });
    expect(message).toMatch(
      /^minValues requirement is not met for label\(s\) \(label\(s\)=\[karpenter\.k8s\.aws\/instance-family\]\), requirements=/,
    );
  });

  test("return Karpenter's error for a pool without instance types", () => {
    const { message } = refusal({ pools: [pool([ofTypes('z9.huge')])], pods: [pods('web', 1, SMALL)] });
    expect(message).toBe('nodepool requirements filtered out all available instance types');
  });
});

describe('pods that are not evaluated', () => {
  test('are reported and not scheduled if they use unsupported features', () => {
    const plan = planOf({
      pools: [pool([])],
      pods: [pods('web', 2, SMALL, { notEvaluated: ['topology spread constraints'] })],
    });
    expect(plan).toMatchObject({
      nodeClaims: [],
      unschedulable: [],
      notEvaluated: [{ pods: ['default/web-0', 'default/web-1'], causes: ['topology spread constraints'] }],
    });
  });

  test.each([
    ['no NodePool', { pools: [] }, 'the input has no NodePool that can be evaluated'],
    ['no EC2NodeClass', { pools: [pool([])], nodeClasses: [] }, 'the input has no EC2NodeClass that can be evaluated'],
  ])('include all pods with %s in the input', (_, scene, cause) => {
    expect(planOf({ ...scene, pods: [pods('web', 1, SMALL)] }).notEvaluated[0].causes).toEqual([cause]);
  });

  test("include pods that exclude Karpenter's nodes", () => {
    const avoids = {
      requiredNodeAffinity: [
        { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' as const }] },
      ],
    };
    const plan = planOf({ pools: [pool([])], pods: [pods('controller', 1, SMALL, avoids)] });
    expect(plan.notEvaluated[0].causes).toEqual(['configured to not run on a Karpenter node']);
  });

  test('do not include pods that select a restricted label, which are unschedulable', () => {
    const plan = planOf({
      pools: [pool([])],
      pods: [pods('web', 1, SMALL, { nodeSelector: { 'kubernetes.io/hostname': 'n1' } })],
    });
    expect(plan.unschedulable[0].reasons[0].message).toContain('kubernetes.io/hostname is restricted');
  });
});

describe('pools', () => {
  test('list the instance types left after each constraint', () => {
    const [view] = planOf({
      pools: [
        pool([isIn('karpenter.k8s.aws/instance-family', 'm5'), isIn('karpenter.k8s.aws/instance-size', 'large')]),
      ],
      pods: [],
    }).pools;
    expect(view.instanceTypes).toEqual(['m5.large']);
    expect(view.elimination.map(({ left }) => left)).toEqual([CATALOG.names.length, 9, 1, 1, 1, 1]);
  });

  test('list instance types by price, equal prices by name', () => {
    const [view] = planOf({ pools: [pool([ofTypes('m5.xlarge', 'm5.large', 'm4.large')])], pods: [] }).pools;
    expect(view.instanceTypes).toEqual(['m5.large', 'm4.large', 'm5.xlarge']);
  });
});

test('a group with too many pods is not evaluated, and the others are scheduled', () => {
  const plan = planOf({ pools: [pool([])], pods: [pods('absurd', 2_000_000_000, SMALL), pods('web', 1, SMALL)] });
  expect(plan.notEvaluated).toEqual([
    {
      pods: ['default/absurd-*'],
      count: 2_000_000_000,
      group: 0,
      causes: ['2000000000 pods: one check schedules at most 200000 pods'],
    },
  ]);
  expect(plan.nodeClaims.flatMap((claim) => claim.pods)).toEqual(['default/web-0']);
});

test('ten thousand pods of two sizes are all scheduled', () => {
  const plan = planOf({
    pools: [pool([])],
    pods: [pods('web', 5000, { cpu: '500m', memory: '1Gi' }), pods('api', 5000, { cpu: '1', memory: '3Gi' })],
  });
  expect(podCounts(plan).reduce((sum, count) => sum + count)).toBe(10_000);
  expect(new Set(plan.nodeClaims.flatMap((claim) => claim.pods)).size).toBe(10_000);
});
