import { ApiObject, Chart, Duration } from 'cdk8s';
import { newChart, notesOf, podOf, resilient, workload } from './fixtures';
import * as nodes from '../../src/nodes';
import * as workloads from '../../src/workloads';

const { CapacityPlacement, DoNotDisrupt, Resilience } = workloads;
const { NodePool, TaintEffect } = nodes;
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const TAINTS = [
  { key: 'team', value: 'shop', effect: TaintEffect.NO_SCHEDULE },
  { key: 'batch', effect: TaintEffect.NO_EXECUTE },
];

function newNodePool(props: Omit<nodes.NodePoolProps, 'nodeClass'>, chart: Chart = newChart()): nodes.NodePool {
  return new NodePool(chart, 'pool', {
    nodeClass: nodes.EC2NodeClass.fromEC2NodeClassName(chart, 'class', 'default'),
    metadata: { name: 'shop' },
    ...props,
  });
}

const required = (manifest: any) =>
  podOf(manifest).affinity?.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;

describe('pinned to a NodePool', () => {
  test.each(['Deployment', 'StatefulSet', 'Job', 'CronJob'])(
    'the pods of a %s select it, and tolerate its taints',
    (kind) => {
      const pod = podOf(resilient(workload(kind), { nodePool: newNodePool({ taints: TAINTS }) }));
      expect(pod.nodeSelector).toEqual({ 'karpenter.sh/nodepool': 'shop' });
      expect(pod.tolerations).toEqual([
        { key: 'team', operator: 'Equal', value: 'shop', effect: 'NoSchedule' },
        { key: 'batch', operator: 'Exists', effect: 'NoExecute' },
      ]);
    },
  );

  describe('or to several', () => {
    const chart = newChart();
    const poolWith = (name: string, attributes: Partial<nodes.NodePoolAttributes> = {}) =>
      NodePool.fromNodePoolAttributes(chart, name, { name, ...attributes });
    const first = poolWith('first', { taints: [TAINTS[0]], zones: ['a', 'b'] });
    const second = poolWith('second', { taints: TAINTS, zones: ['b', 'c'] });
    const nodePools = [first, second];

    test('the pods select any of them, tolerate all taints, and use all zones', () => {
      const manifest = resilient(workload('Deployment'), { nodePools });
      expect(required(manifest)[0].matchExpressions).toEqual([
        { key: 'karpenter.sh/nodepool', operator: 'In', values: ['first', 'second'] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b', 'c'] },
      ]);
      const { nodeSelector, tolerations, topologySpreadConstraints } = podOf(manifest);
      expect([nodeSelector, tolerations.length, topologySpreadConstraints[0].minDomains]).toEqual([undefined, 2, 2]);
    });

    test('the zones are not known if those of one NodePool are not', () => {
      const manifest = resilient(workload('Deployment'), { nodePools: [first, poolWith('third')] });
      expect(required(manifest)[0].matchExpressions).toHaveLength(1);
    });

    test('a NodePool that the manifest selects is kept, and decides the zones', () => {
      const pod = { nodeSelector: { 'karpenter.sh/nodepool': 'second' } };
      const manifest = resilient(workload('Deployment', { pod }), { nodePools });
      expect([podOf(manifest).nodeSelector, required(manifest)[0].matchExpressions, notesOf(manifest)]).toEqual([
        pod.nodeSelector,
        [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b', 'c'] }],
        {},
      ]);
    });

    test('a NodePool that is not one of them is kept, with a note', () => {
      const pod = { nodeSelector: { 'karpenter.sh/nodepool': 'other' } };
      expect(notesOf(resilient(workload('Deployment', { pod }), { nodePools }))).toEqual({
        'node-pool': 'as written: other',
      });
    });

    test('later NodePools replace an earlier one', () => {
      const scope = newChart();
      const web = new ApiObject(scope, 'web', workload('Deployment'));
      web.with(new Resilience({ nodePool: second }), new Resilience({ nodePools }));
      expect(required(web.toJson())[0].matchExpressions[0].values).toEqual(['first', 'second']);
    });

    test.each([
      [
        'both properties',
        { nodePool: first, nodePools },
        'Resilience.nodePools: must not be given together with nodePool',
      ],
      ['an empty list', { nodePools: [] }, 'Resilience.nodePools: must have at least one NodePool, got []'],
    ])('%s are refused', (_, props, message) => {
      expect(() => new Resilience(props)).toThrow(message);
    });
  });

  test('a DaemonSet still runs on all nodes', () => {
    expect(podOf(resilient(workload('DaemonSet'), { nodePool: newNodePool({ taints: TAINTS }) }))).not.toHaveProperty(
      'nodeSelector',
    );
  });

  test('pods use the taints and zones that the NodePool has at synth', () => {
    const pool = newNodePool({
      requirements: [nodes.Requirement.zone().in(...nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c'))],
    });
    const manifest = resilient(workload('Deployment'), { nodePool: pool });
    pool.addTaints(TAINTS[1]);
    expect(podOf(manifest).topologySpreadConstraints[0].minDomains).toBe(2);
    expect(podOf(resilient(workload('Deployment'), { nodePool: pool })).tolerations).toHaveLength(1);
  });

  test('pods use the known attributes of an imported NodePool', () => {
    const chart = newChart();
    const known = NodePool.fromNodePoolAttributes(chart, 'known', {
      name: 'shop',
      taints: [TAINTS[0]],
      zones: ['a', 'b', 'c'],
    });
    const pod = podOf(resilient(workload('Deployment'), { nodePool: known }));
    expect([pod.tolerations.length, pod.topologySpreadConstraints[0].minDomains]).toEqual([1, 2]);
    const named = podOf(
      resilient(workload('Deployment'), { nodePool: NodePool.fromNodePoolName(chart, 'named', 'shop') }),
    );
    expect([named.nodeSelector, named.tolerations]).toEqual([{ 'karpenter.sh/nodepool': 'shop' }, undefined]);
  });

  test('pods that already tolerate the taint, or select another NodePool, do not change', () => {
    const nodePool = newNodePool({ taints: TAINTS });
    const tolerations = [{ operator: 'Exists' }];
    expect(podOf(resilient(workload('Deployment', { pod: { tolerations } }), { nodePool })).tolerations).toEqual(
      tolerations,
    );
    const elsewhere = resilient(
      workload('Deployment', { pod: { nodeSelector: { 'karpenter.sh/nodepool': 'other' } } }),
      { nodePool },
    );
    expect([podOf(elsewhere).nodeSelector, podOf(elsewhere).tolerations]).toEqual([
      { 'karpenter.sh/nodepool': 'other' },
      undefined,
    ]);
    expect(notesOf(elsewhere)).toEqual({ 'node-pool': 'as written: other' });
  });
});

const affinityTo = (...nodeSelectorTerms: object[]) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
});
const onPool = (operator: string, ...values: string[]) => ({
  matchExpressions: [{ key: 'karpenter.sh/nodepool', operator, values }],
});

describe('pinned to a NodePool, with their own affinity', () => {
  test.each([
    ['another pool', affinityTo(onPool('In', 'other', 'more')), undefined, 'as written: In [other, more]'],
    [
      'any but this pool',
      affinityTo(onPool('NotIn', 'shop'), onPool('In', 'other')),
      undefined,
      'as written: NotIn [shop] or In [other]',
    ],
    [
      'this pool among others',
      affinityTo(onPool('In', 'other', 'shop')),
      { 'karpenter.sh/nodepool': 'shop' },
      undefined,
    ],
    [
      'another pool or any',
      affinityTo(onPool('In', 'other'), { matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
      { 'karpenter.sh/nodepool': 'shop' },
      undefined,
    ],
  ])('pods whose affinity is to %s are so as far as that lets them', (_, affinity, nodeSelector, note) => {
    const manifest = resilient(workload('Deployment', { pod: { affinity } }), { nodePool: newNodePool({}) });
    expect([podOf(manifest).nodeSelector, notesOf(manifest)['node-pool']]).toEqual([nodeSelector, note]);
  });

  test('pods get no minDomains if their selector or NodePool limits their zones', () => {
    const zones = (count: number) =>
      nodes.Requirement.zone().in(...nodes.Zone.ofRegion('eu-west-1', ...['a', 'b', 'c'].slice(0, count)));
    const minDomains = (count: number, pod: object, zoneCount?: number) =>
      podOf(
        resilient(workload('Deployment', { pod }), {
          nodePool: newNodePool({ requirements: [zones(count)] }),
          zoneCount,
        }),
      ).topologySpreadConstraints[0].minDomains;
    expect(minDomains(3, {})).toBe(2);
    expect(minDomains(3, { nodeSelector: { 'topology.kubernetes.io/zone': 'eu-west-1a' } }, 3)).toBeUndefined();
    expect(minDomains(3, { nodeSelector: { 'karpenter.sh/nodepool': 'other' } })).toBeUndefined();
    expect(
      minDomains(3, {
        affinity: affinityTo({
          matchExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['eu-west-1a'] }],
        }),
      }),
    ).toBeUndefined();
    expect(minDomains(1, {}, 3)).toBeUndefined();
  });
});

describe('CapacityPlacement', () => {
  const lasting = { key: CAPACITY_TYPE, operator: 'In', values: ['on-demand', 'reserved'] };

  test('onDemandOnly is required in each node selector term', () => {
    const terms = [
      { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['it'] }] },
    ];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
    const manifest = resilient(workload('Deployment', { pod: { affinity } }), {
      capacity: CapacityPlacement.onDemandOnly(),
    });
    expect(required(manifest)).toEqual([
      { matchExpressions: [{ key: 'a', operator: 'Exists' }, lasting] },
      { ...terms[1], matchExpressions: [lasting] },
    ]);
  });

  test('onDemandOnly is not added to an empty node selector term, which matches no node', () => {
    const terms = [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, {}];
    const manifest = resilient(workload('Deployment', { pod: { affinity: affinityTo(...terms) } }), {
      capacity: CapacityPlacement.onDemandOnly(),
    });
    expect(required(manifest)).toEqual([{ matchExpressions: [{ key: 'a', operator: 'Exists' }, lasting] }, {}]);
  });

  test('keeps the capacity type that a pod requires itself', () => {
    const pod = { nodeSelector: { [CAPACITY_TYPE]: 'spot' } };
    expect(
      required(resilient(workload('Deployment', { pod }), { capacity: CapacityPlacement.onDemandOnly() })),
    ).toBeUndefined();
  });

  test.each([
    ['evenly', CapacityPlacement.evenSplit(), CAPACITY_TYPE],
    ['by a label', CapacityPlacement.splitBy('capacity-spread'), 'capacity-spread'],
  ])('is split %s', (_, capacity, topologyKey) => {
    const constraints = podOf(resilient(workload('StatefulSet'), { capacity })).topologySpreadConstraints;
    expect(constraints[0]).toEqual({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    });
    expect(constraints).toHaveLength(3);
  });
});

test.each(['', 'capacity spread', 'Karpenter.sh/', 'a/b/c'])(
  'CapacityPlacement.splitBy rejects the invalid label %j',
  (label) => {
    expect(() => CapacityPlacement.splitBy(label)).toThrow(
      `CapacityPlacement.splitBy: must be a label key, got ${JSON.stringify(label)}; write for example capacity-spread`,
    );
  },
);

describe('CapacityPlacement of a Job', () => {
  const constraint = (manifest: any) => podOf(manifest).topologySpreadConstraints[0];
  const capacity = CapacityPlacement.evenSplit();

  test.each(['Job', 'CronJob'])('spreads only the pods of one run of a %s', (kind) => {
    expect(constraint(resilient(workload(kind), { capacity }))).toEqual({
      maxSkew: 1,
      topologyKey: CAPACITY_TYPE,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: {},
      matchLabelKeys: ['batch.kubernetes.io/job-name'],
    });
  });

  test.each(['Job', 'CronJob'])('uses the selector of a %s, if it has one', (kind) => {
    const selector = { matchLabels: { app: 'web' } };
    const { labelSelector, matchLabelKeys } = constraint(
      resilient(workload(kind, { spec: { manualSelector: true, selector } }), { capacity }),
    );
    expect([labelSelector, matchLabelKeys]).toEqual([selector, undefined]);
  });
});

describe('DoNotDisrupt', () => {
  const annotation = (manifest: any) => manifest.spec.template.metadata.annotations?.['karpenter.sh/do-not-disrupt'];

  test.each([
    ['for good', DoNotDisrupt.always(), 'true'],
    ['until an age', DoNotDisrupt.untilAge(Duration.minutes(90)), '1h30m'],
  ])('pods are so %s, and on capacity that stays', (_, doNotDisrupt, value) => {
    const manifest = resilient(workload('StatefulSet'), { doNotDisrupt });
    expect(annotation(manifest)).toBe(value);
    expect(required(manifest)[0].matchExpressions[0].key).toBe(CAPACITY_TYPE);
  });

  test('protects a Job for the given time', () => {
    expect(annotation(resilient(workload('Job'), { doNotDisrupt: DoNotDisrupt.untilAge(Duration.hours(1)) }))).toBe(
      '1h',
    );
  });

  test('rejects an age of 0', () => {
    expect(() => DoNotDisrupt.untilAge(Duration.seconds(0))).toThrow(
      'DoNotDisrupt.untilAge: must be above zero, got 0 seconds; write for example Duration.hours(1)',
    );
  });

  test('always() is rejected for a NodePool whose nodes expire without terminationGracePeriod', () => {
    const doNotDisrupt = DoNotDisrupt.always();
    const resilience = (props: Omit<nodes.NodePoolProps, 'nodeClass'>) => () =>
      new Resilience({ doNotDisrupt, nodePool: newNodePool(props) });
    expect(resilience({})).toThrow(
      'Resilience.doNotDisrupt: must be limited for pods of NodePool shop: its nodes expire without terminationGracePeriod, ' +
        'so they would drain forever, got always; give the NodePool a terminationGracePeriod, or write DoNotDisrupt.untilAge(…)',
    );
    expect(resilience({ terminationGracePeriod: Duration.hours(1) })).not.toThrow();
    expect(resilience({ expireAfter: nodes.Expiration.never() })).not.toThrow();
    expect(
      () => new Resilience({ doNotDisrupt, nodePool: NodePool.fromNodePoolName(newChart(), 'pool', 'shop') }),
    ).not.toThrow();
  });
});
