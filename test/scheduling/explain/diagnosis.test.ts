import { parseResourceList } from '../../../src/model';
import { PodShape } from '../../../src/scheduling';
import { daemonSet, isIn, node, ofTypes, planOf, pods, pool, InputFields } from '../builders';

const ZONE = 'topology.kubernetes.io/zone';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const SMALL = { cpu: '100m', memory: '64Mi' };
const OF_WEB = { labelSelector: { matchLabels: { app: 'web' } } };

function diagnosis(scene: InputFields, nodePool = 'default'): string | undefined {
  const { unschedulable } = planOf(scene);
  return unschedulable[unschedulable.length - 1].reasons.find((reason) => reason.nodePool === nodePool)!.diagnosis;
}

function one(more: Partial<PodShape>, requests = SMALL as Record<string, string>) {
  return pods('web', 1, requests, { labels: { app: 'web' }, ...more });
}

describe('a taint', () => {
  const tainted = pool([ofTypes('m5.large')], { taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }] });

  test('is the only cause if a toleration is enough', () => {
    expect(diagnosis({ pools: [tainted], pods: [one({})] })).toBe(
      'the pod does not tolerate team=ml:NoSchedule; with a toleration, 1 instance type would fit',
    );
  });

  test('is named first, with every other constraint that refuses the pod', () => {
    expect(diagnosis({ pools: [tainted], pods: [one({}, { cpu: '9' })] })).toBe(
      'the pod does not tolerate team=ml:NoSchedule; needs 9 CPUs; the largest allowed type, m5.large, has 1.93',
    );
  });

  test.each([
    [{ key: 'team', operator: 'Equal', value: 'mi' }, 'the toleration of team has value "mi", the taint has "ml"'],
    [
      { key: 'team', operator: 'Exists', effect: 'NoExecute' },
      'the toleration of team has effect NoExecute, the taint is team=ml:NoSchedule',
    ],
    [{ key: 'team', operator: 'Gt', value: '3' }, 'the toleration of team with operator Gt "3" does not match "ml"'],
  ])('is compared with a toleration of the same key: %j', (toleration, text) => {
    expect(diagnosis({ pools: [tainted], pods: [one({ tolerations: [toleration] })] })).toBe(
      `the pod does not tolerate team=ml:NoSchedule; with a toleration, 1 instance type would fit; ${text}`,
    );
  });
});

describe('labels', () => {
  test('in conflict are shown with the values of pod and NodePool', () => {
    expect(
      diagnosis({ pools: [pool([isIn(ZONE, 'us-east-1a')])], pods: [one({ nodeSelector: { [ZONE]: 'us-east-1c' } })] }),
    ).toBe(`the pod requires ${ZONE} In [us-east-1c], and the NodePool allows In [us-east-1a]`);
  });

  test('with an unknown value suggest a similar one', () => {
    expect(
      diagnosis({
        pools: [pool([isIn('karpenter.k8s.aws/instance-size', 'xlarge')])],
        pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-size': 'xlage' } })],
      }),
    ).toBe(
      'the pod requires karpenter.k8s.aws/instance-size In [xlage], and the NodePool allows In [xlarge]; did you mean xlarge?',
    );
  });

  test('with excluded values list the allowed ones', () => {
    const without = pool([
      {
        key: 'karpenter.k8s.aws/instance-category',
        operator: 'NotIn',
        values: ['m', 'c', 'r', 't', 'g', 'p', 'i', 'd', 'x', 'u'],
      },
    ]);
    expect(
      diagnosis({ pools: [without], pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-category': 'm' } })] }),
    ).toMatch(
      /^the pod requires karpenter\.k8s\.aws\/instance-category In \[m\], and the NodePool allows NotIn \[c d g i m and 5 others\] \(.* more\)$/,
    );
  });

  test('that no pool defines suggest a similar label', () => {
    expect(
      diagnosis({ pools: [pool([])], pods: [one({ nodeSelector: { 'topology.kubernetes.io/zones': 'us-east-1a' } })] }),
    ).toBe(
      'the NodePool gives its nodes no label topology.kubernetes.io/zones; did you mean topology.kubernetes.io/zone?',
    );
    expect(
      diagnosis({
        pools: [pool([], { labels: { 'example.com/project': 'x' } })],
        pods: [one({ nodeSelector: { 'example.com/projekt': 'x' } })],
      }),
    ).toBe('the NodePool gives its nodes no label example.com/projekt; did you mean example.com/project?');
  });
});

describe('limits', () => {
  test('are the cause before host ports', () => {
    const hostPorts = [{ ip: '0.0.0.0', port: 443, protocol: 'TCP' }];
    const limited = pool([ofTypes('m5.large', 'm5.xlarge')], { limits: parseResourceList({ cpu: 1 }) });
    expect(
      diagnosis({
        pools: [limited],
        pods: [one({ hostPorts })],
        daemonSets: [daemonSet('agent', { cpu: '10m' }, { hostPorts })],
      }),
    ).toBe('limits.cpu has 1 of 1 left, and the smallest instance type, m5.large, has 2');
  });

  test('are ignored for a resource that no instance type has', () => {
    const limited = pool([ofTypes('m5.large', 'm5.xlarge')], {
      limits: parseResourceList({ cpu: 1, 'example.com/unheard-of': 1 }),
    });
    expect(diagnosis({ pools: [limited], pods: [one({})] })).toBe(
      'limits.cpu has 1 of 1 left, and the smallest instance type, m5.large, has 2',
    );
  });

  test('are shown with the rest and the smallest instance type', () => {
    const limited = pool([ofTypes('m5.large', 'm5.xlarge')], { limits: parseResourceList({ cpu: 5 }) });
    expect(diagnosis({ pools: [limited], pods: [pods('web', 3, { cpu: '1500m' })] })).toBe(
      'limits.cpu has 1 of 5 left, and the smallest instance type, m5.large, has 2',
    );
  });

  test('that exclude larger types are named with the size', () => {
    const limited = pool([isIn(FAMILY, 'm5')], { limits: parseResourceList({ cpu: 4 }) });
    expect(diagnosis({ pools: [limited], pods: [one({}, { cpu: '6' })] })).toMatch(
      /^needs 6 CPUs; the largest allowed type, m5\.xlarge, has 3\.92; [\d,]+ instance types would fit without the limit \(limits\.cpu has 4 of 4 left\)$/,
    );
  });

  test('on the number of nodes are named', () => {
    expect(diagnosis({ pools: [pool([], { limits: new Map([['nodes', 0n]]) })], pods: [one({})] })).toBe(
      'limits.nodes is 0, so the NodePool launches no nodes',
    );
  });

  test.each([
    [1n, 'limits.nodes is 1, and the NodePool has 2 nodes'],
    [2n, 'limits.nodes is 2, and the NodePool has 2 nodes'],
  ])('of %d nodes are shown with the existing nodes', (limit, text) => {
    const full = [node('a', { cpu: '0' }), node('b', { cpu: '0' })];
    expect(
      diagnosis({ pools: [pool([], { limits: new Map([['nodes', limit]]) })], pods: [one({})], nodes: full }),
    ).toBe(text);
  });
});

describe('pod size', () => {
  test('is compared with the largest type for each missing resource', () => {
    expect(diagnosis({ pools: [pool([ofTypes('m5.large')])], pods: [one({}, { cpu: '3', memory: '9Gi' })] })).toMatch(
      /^needs 3 CPUs and 9 GiB memory; the largest allowed type, m5\.large, has 1\.93 CPUs and 6\.74 GiB memory$/,
    );
  });

  test('is compared with the closest type if other types have more of the missing resource', () => {
    expect(
      diagnosis({
        pools: [pool([ofTypes('c5.xlarge', 'r5.large')])],
        pods: [one({}, { cpu: '3500m', memory: '20Gi' })],
      }),
    ).toMatch(/^needs 20 GiB memory; the closest allowed type, c5\.xlarge, has 6\.\d+ GiB$/);
  });

  test('has exact amounts if rounded amounts are equal', () => {
    const large = pool([ofTypes('m5.large')]);
    expect(diagnosis({ pools: [large], pods: [one({}, { memory: '6904Mi' })] })).toMatch(
      /^needs 6904Mi memory; the largest allowed type, m5\.large, has 690\d\S+$/,
    );
    expect(diagnosis({ pools: [large], pods: [one({}, { cpu: '3', memory: '6904Mi' })] })).toMatch(
      /^needs 3 CPUs and 6904Mi memory; the largest allowed type, m5\.large, has 1\.93 CPUs and 690\d\S+ memory$/,
    );
  });

  test('lists daemonset requests separately', () => {
    const agents = [daemonSet('a', { cpu: '300m' }), daemonSet('b', { cpu: '200m' })];
    expect(
      diagnosis({ pools: [pool([ofTypes('m5.large')])], pods: [one({}, { cpu: '1500m' })], daemonSets: agents }),
    ).toBe(
      'needs 2 CPUs, including 0.5 CPUs for 2 daemonset pods; the largest allowed type, m5.large, has 1.93, enough without the daemonset pods',
    );
  });
});

describe('instance types', () => {
  test('that a single requirement excludes are counted', () => {
    expect(
      diagnosis({ pools: [pool([])], pods: [one({ nodeSelector: { [FAMILY]: 'zz', [ZONE]: 'us-east-1a' } })] }),
    ).toMatch(new RegExp(`^[\\d,]+ instance types would fit without the pod's ${FAMILY} In \\[zz\\]$`));
  });

  test('that only two constraints together exclude are counted', () => {
    expect(
      diagnosis({ pools: [pool([])], pods: [one({ nodeSelector: { [FAMILY]: 'zz', [ZONE]: 'us-east-1z' } })] }),
    ).toMatch(
      new RegExp(
        `^[\\d,]+ instance types would fit only without both the pod's ${FAMILY} In \\[zz\\] and the pod's ${ZONE} In \\[us-east-1z\\]$`,
      ),
    );
  });

  test('with too few values for minValues are listed', () => {
    const families = pool([{ ...isIn(FAMILY, 'm5', 'c5', 'r5'), minValues: 3 }]);
    expect(
      diagnosis({ pools: [families], pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-category': 'm' } })] }),
    ).toBe(`minValues requires 3 values of ${FAMILY}, and the pod's instance types have 1 (m5)`);
  });
});

describe('topology', () => {
  const spread = { topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, ...OF_WEB };
  const three = (more: Partial<PodShape>) => pods('web', 3, SMALL, { labels: { app: 'web' }, ...more });
  const inZoneA = pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1a')]);

  test('spread shows counts and the unreachable domain', () => {
    const other = pool([isIn(ZONE, 'us-east-1b')], { name: 'other', taints: [{ key: 'x', effect: 'NoSchedule' }] });
    expect(diagnosis({ pools: [inZoneA, other], pods: [three({ topologySpread: [spread] })] })).toBe(
      `pods by ${ZONE}: us-east-1a (1 pod); the minimum is 0 (us-east-1b, which this NodePool cannot reach); ` +
        'one more pod in any domain would exceed maxSkew 1',
    );
  });

  test('spread with too few domains names minDomains', () => {
    expect(diagnosis({ pools: [inZoneA], pods: [three({ topologySpread: [{ ...spread, minDomains: 2 }] })] })).toBe(
      `pods by ${ZONE}: us-east-1a (1 pod); the minimum counts as 0, because there is 1 domain and minDomains is 2; ` +
        'one more pod in any domain would exceed maxSkew 1',
    );
  });

  test('spread names a label that no node has', () => {
    expect(
      diagnosis({ pools: [inZoneA], pods: [three({ topologySpread: [{ ...spread, topologyKey: 'rack' }] })] }),
    ).toBe('the topology spread is over rack, and no NodePool gives its nodes this label');
  });

  test('affinity to pods that have no node either waits for them, except if the pod selects itself', () => {
    const affinity = {
      required: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } }],
      preferred: [],
    };
    const huge = pods('db', 1, { cpu: '900' }, { labels: { app: 'db' } });
    const reasonsOf = (labels: Record<string, string>) => {
      const { unschedulable } = planOf({ pools: [inZoneA], pods: [huge, one({ labels, podAffinity: affinity })] });
      return unschedulable.map(({ reasons: [reason] }) => reason.diagnosis);
    };
    const waiting = expect.stringContaining('the pods that the pod affinity selects have no node either');
    expect(reasonsOf({ app: 'web' })).toContainEqual(waiting);
    expect(reasonsOf({ app: 'db' })).not.toContainEqual(waiting);
  });

  test('affinity names missing pods', () => {
    const affinity = {
      required: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } }],
      preferred: [],
    };
    expect(diagnosis({ pools: [inZoneA], pods: [one({ podAffinity: affinity })] })).toBe(
      `no domain of ${ZONE} has a pod that the pod affinity selects, and the pod does not select itself`,
    );
    expect(
      diagnosis({
        pools: [inZoneA],
        pods: [
          one({
            podAffinity: {
              ...affinity,
              required: [{ ...affinity.required[0], topologyKey: 'kubernetes.io/hostname' }],
            },
          }),
        ],
      }),
    ).toBe('a new node has no pod that the pod affinity selects, and no planned node with such a pod accepts this one');
  });

  test('affinity names the domains of the selected pods', () => {
    const db = pods('db', 1, { cpu: '1' }, { labels: { app: 'db' }, nodeSelector: { [ZONE]: 'us-east-1b' } });
    const affinity = {
      required: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } }],
      preferred: [],
    };
    expect(
      diagnosis({
        pools: [pool([])],
        pods: [db, one({ podAffinity: affinity, nodeSelector: { [ZONE]: 'us-east-1a' } })],
      }),
    ).toBe('the pods that the pod affinity selects are in us-east-1b (1 pod), which the pod or the NodePool excludes');
  });

  test('anti-affinity lists the occupied domains', () => {
    expect(
      diagnosis({
        pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])],
        pods: [three({ podAntiAffinity: { required: [{ topologyKey: ZONE, ...OF_WEB }], preferred: [] } })],
      }),
    ).toMatch(
      new RegExp(
        `^every possible domain of ${ZONE} has or may get a pod that the pod anti-affinity selects: us-east-1a \\(1 pod\\) and us-east-1b \\(1 pod\\)$`,
      ),
    );
  });
});
