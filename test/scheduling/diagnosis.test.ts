import { daemonSet, isIn, node, ofTypes, planOf, pods, pool, Scene } from './builders';
import { parseResourceList } from '../../src/model';
import { PodShape } from '../../src/scheduling';

const ZONE = 'topology.kubernetes.io/zone';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const SMALL = { cpu: '100m', memory: '64Mi' };
const OF_WEB = { labelSelector: { matchLabels: { app: 'web' } } };

function diagnosis(scene: Scene, nodePool = 'default'): string | undefined {
  const { unschedulable } = planOf(scene);
  return unschedulable[unschedulable.length - 1].reasons.find((reason) => reason.nodePool === nodePool)!.diagnosis;
}

function one(more: Partial<PodShape>, requests = SMALL as Record<string, string>) {
  return pods('web', 1, requests, { labels: { app: 'web' }, ...more });
}

describe('a taint', () => {
  const tainted = pool([ofTypes('m5.large')], { taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }] });

  test('is said to be all there is, where it is', () => {
    expect(diagnosis({ pools: [tainted], pods: [one({})] })).toBe('but for the taint, 1 instance type would take the pod');
  });

  test('is not made the only one to blame', () => {
    expect(diagnosis({ pools: [tainted], pods: [one({}, { cpu: '9' })] })).toBe('the taint aside, other constraints leave no instance type either');
  });

  test.each([
    [{ key: 'team', operator: 'Equal', value: 'mi' }, 'the toleration of team is for the value "mi", the taint has "ml"'],
    [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }, 'the toleration of team is for NoExecute, the taint is team=ml:NoSchedule'],
    [{ key: 'team', operator: 'Gt', value: '3' }, 'the toleration of team with operator Gt "3" does not match "ml"'],
  ])('with a toleration that misses it says what differs: %j', (toleration, text) => {
    expect(diagnosis({ pools: [tainted], pods: [one({ tolerations: [toleration] })] })).toBe(`but for the taint, 1 instance type would take the pod; ${text}`);
  });
});

describe('labels', () => {
  test('that the pool does not agree with are shown from both sides', () => {
    expect(diagnosis({ pools: [pool([isIn(ZONE, 'us-east-1a')])], pods: [one({ nodeSelector: { [ZONE]: 'us-east-1c' } })] }))
      .toBe(`the pod wants ${ZONE} In [us-east-1c], the pool allows In [us-east-1a]`);
  });

  test('with a value that no instance type has come with the one that was likely meant', () => {
    expect(diagnosis({ pools: [pool([isIn('karpenter.k8s.aws/instance-size', 'xlarge')])], pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-size': 'xlage' } })] }))
      .toBe('the pod wants karpenter.k8s.aws/instance-size In [xlage], the pool allows In [xlarge]: was xlarge meant?');
  });

  test('of which the pool rules some values out are shown with those it leaves', () => {
    const without = pool([{ key: 'karpenter.k8s.aws/instance-category', operator: 'NotIn', values: ['m', 'c', 'r', 't', 'g', 'p', 'i', 'd', 'x', 'u'] }]);
    expect(diagnosis({ pools: [without], pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-category': 'm' } })] }))
      .toMatch(/^the pod wants karpenter\.k8s\.aws\/instance-category In \[m\], the pool allows NotIn \[c d g i m and 5 others\], which leaves /);
  });

  test('that nobody defines come with the label that was likely meant', () => {
    expect(diagnosis({ pools: [pool([])], pods: [one({ nodeSelector: { 'topology.kubernetes.io/zones': 'us-east-1a' } })] }))
      .toBe('no label and no requirement of the pool gives a node topology.kubernetes.io/zones: was topology.kubernetes.io/zone meant?');
    expect(diagnosis({ pools: [pool([], { labels: { 'example.com/project': 'x' } })], pods: [one({ nodeSelector: { 'example.com/projekt': 'x' } })] }))
      .toBe('no label and no requirement of the pool gives a node example.com/projekt: was example.com/project meant?');
  });
});

describe('limits', () => {
  test('are what is in the way also of a pod whose host port a daemonset has everywhere', () => {
    const hostPorts = [{ ip: '0.0.0.0', port: 443, protocol: 'TCP' }];
    const limited = pool([ofTypes('m5.large', 'm5.xlarge')], { limits: parseResourceList({ cpu: 1 }) });
    expect(diagnosis({ pools: [limited], pods: [one({ hostPorts })], daemonSets: [daemonSet('agent', { cpu: '10m' }, { hostPorts })] }))
      .toBe('limits.cpu has 1 of 1 left, and m5.large, the smallest instance type of the pool, has 2');
  });

  test('of what no instance type has stand in nobody\'s way', () => {
    const limited = pool([ofTypes('m5.large', 'm5.xlarge')], { limits: parseResourceList({ 'cpu': 1, 'example.com/unheard-of': 1 }) });
    expect(diagnosis({ pools: [limited], pods: [one({})] }))
      .toBe('limits.cpu has 1 of 1 left, and m5.large, the smallest instance type of the pool, has 2');
  });

  test('are shown with what is left and what the smallest instance type needs', () => {
    const limited = pool([ofTypes('m5.large', 'm5.xlarge')], { limits: parseResourceList({ cpu: 5 }) });
    expect(diagnosis({ pools: [limited], pods: [pods('web', 3, { cpu: '1500m' })] }))
      .toBe('limits.cpu has 1 of 5 left, and m5.large, the smallest instance type of the pool, has 2');
  });

  test('that shut out larger types are named beside the size', () => {
    const limited = pool([isIn(FAMILY, 'm5')], { limits: parseResourceList({ cpu: 4 }) });
    expect(diagnosis({ pools: [limited], pods: [one({}, { cpu: '6' })] }))
      .toMatch(/^short by 2080m of cpu on m5\.xlarge, the nearest miss; without the limit \(limits\.cpu has 4 of 4 left\), \d+ instance types would do$/);
  });

  test('on the number of nodes are named', () => {
    expect(diagnosis({ pools: [pool([], { limits: new Map([['nodes', 0n]]) })], pods: [one({})] })).toBe('limits.nodes is 0: the pool may have no node');
  });

  test.each([[1n, 'limits.nodes is 1, and there are 2 nodes of the pool'], [2n, 'limits.nodes is 2, and there are 2 nodes of the pool']])(
    'of %d nodes is told beside the nodes that there are', (limit, text) => {
      const full = [node('a', { cpu: '0' }), node('b', { cpu: '0' })];
      expect(diagnosis({ pools: [pool([], { limits: new Map([['nodes', limit]]) })], pods: [one({})], nodes: full })).toBe(text);
    });
});

describe('size', () => {
  test('is told in figures for every resource that is short', () => {
    expect(diagnosis({ pools: [pool([ofTypes('m5.large')])], pods: [one({}, { cpu: '3', memory: '9Gi' })] }))
      .toMatch(/^short by 1070m of cpu and \d+Mi of memory on m5\.large, the nearest miss$/);
  });

  test('that the daemonsets take away is told apart', () => {
    const agents = [daemonSet('a', { cpu: '300m' }), daemonSet('b', { cpu: '200m' })];
    expect(diagnosis({ pools: [pool([ofTypes('m5.large')])], pods: [one({}, { cpu: '1500m' })], daemonSets: agents }))
      .toBe('short by 70m of cpu on m5.large, the nearest miss, with 2 daemonset pods on the node: without what these request (cpu 500m) it would fit');
  });
});

describe('instance types', () => {
  test('that one requirement alone shuts out are counted', () => {
    expect(diagnosis({ pools: [pool([])], pods: [one({ nodeSelector: { [FAMILY]: 'zz', [ZONE]: 'us-east-1a' } })] }))
      .toMatch(new RegExp(`^without the pod's ${FAMILY} In \\[zz\\], \\d+ instance types would do$`));
  });

  test('that only two together let in are told so', () => {
    expect(diagnosis({ pools: [pool([])], pods: [one({ nodeSelector: { [FAMILY]: 'zz', [ZONE]: 'us-east-1z' } })] }))
      .toMatch(new RegExp(`^only without both the pod's ${FAMILY} In \\[zz\\] and the pod's ${ZONE} In \\[us-east-1z\\] would any instance type do`));
  });

  test('of too few values for minValues are named', () => {
    const families = pool([{ ...isIn(FAMILY, 'm5', 'c5', 'r5'), minValues: 3 }]);
    expect(diagnosis({ pools: [families], pods: [one({ nodeSelector: { 'karpenter.k8s.aws/instance-category': 'm' } })] }))
      .toBe(`minValues asks for 3 values of ${FAMILY}, and the instance types left for the pod have 1 (m5)`);
  });
});

describe('topology', () => {
  const spread = { topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const, ...OF_WEB };
  const three = (more: Partial<PodShape>) => pods('web', 3, SMALL, { labels: { app: 'web' }, ...more });
  const inZoneA = pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1a')]);

  test('spread shows the counts and the domain that is out of reach', () => {
    const other = pool([isIn(ZONE, 'us-east-1b')], { name: 'other', taints: [{ key: 'x', effect: 'NoSchedule' }] });
    expect(diagnosis({ pools: [inZoneA, other], pods: [three({ topologySpread: [spread] })] }))
      .toBe(`the pods over ${ZONE}: us-east-1a 1; us-east-1b has the fewest, 0, and is out of reach for nodes of this pool; `
        + 'one more anywhere would be above it by more than maxSkew 1');
  });

  test('spread with too few domains names minDomains', () => {
    expect(diagnosis({ pools: [inZoneA], pods: [three({ topologySpread: [{ ...spread, minDomains: 2 }] })] }))
      .toBe(`the pods over ${ZONE}: us-east-1a 1; there are fewer domains (1) than minDomains 2, so that the least count is taken as 0; `
        + 'one more anywhere would be above it by more than maxSkew 1');
  });

  test('spread over a label that no node has says so', () => {
    expect(diagnosis({ pools: [inZoneA], pods: [three({ topologySpread: [{ ...spread, topologyKey: 'rack' }] })] }))
      .toBe('no domain of rack is left: the pod allows Exists, the pool Exists, known are none, because no NodePool gives its nodes that label');
  });

  test('affinity to pods that are nowhere says so', () => {
    const affinity = { required: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } }], preferred: [] };
    expect(diagnosis({ pools: [inZoneA], pods: [one({ podAffinity: affinity })] }))
      .toBe(`no pod that the pod affinity selects is placed in any domain of ${ZONE}, and the pod does not select itself`);
    expect(diagnosis({ pools: [inZoneA], pods: [one({ podAffinity: { ...affinity, required: [{ ...affinity.required[0], topologyKey: 'kubernetes.io/hostname' }] } })] }))
      .toBe('a new node has no pod yet that the pod affinity selects, and no open node with one takes the pod');
  });

  test('affinity to pods elsewhere says where they are', () => {
    const db = pods('db', 1, { cpu: '1' }, { labels: { app: 'db' }, nodeSelector: { [ZONE]: 'us-east-1b' } });
    const affinity = { required: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'db' } } }], preferred: [] };
    expect(diagnosis({ pools: [pool([])], pods: [db, one({ podAffinity: affinity, nodeSelector: { [ZONE]: 'us-east-1a' } })] }))
      .toBe('the pods that the pod affinity selects are in us-east-1b 1, which the pod or the pool rules out');
  });

  test('anti-affinity shows the domains that are taken', () => {
    expect(diagnosis({ pools: [pool([isIn(ZONE, 'us-east-1a', 'us-east-1b')])], pods: [three({ podAntiAffinity: { required: [{ topologyKey: ZONE, ...OF_WEB }], preferred: [] } })] }))
      .toMatch(new RegExp(`^every domain of ${ZONE} that the node could be in has, or may come to have, a pod that the pod anti-affinity selects: us-east-1a 1 and us-east-1b 1$`));
  });
});
