import * as fc from 'fast-check';
import { CATALOG, input, isIn, node, ofTypes, pods, pool } from './builders';
import { DEFAULT_NODE_CLASS, PlacementGroupFacts, ReservationFacts } from '../../src/catalog';
import { ExistingNode, NodePoolSpec, planOfRounds, PodGroup, provisioningRounds, schedule } from '../../src/scheduling';

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const M5 = 'm5.large';
const reservation = (id: string, free: number, more: Partial<ReservationFacts> = {}): ReservationFacts =>
  ({ id, instanceType: M5, zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, free, ...more });

interface Scene {
  readonly reservations: readonly ReservationFacts[];
  readonly groups: readonly PodGroup[];
  readonly types?: readonly string[];
  readonly capacityTypes?: readonly string[];
  readonly pool?: Partial<NodePoolSpec>;
  readonly nodes?: readonly ExistingNode[];
  readonly placementGroup?: PlacementGroupFacts;
}

function rounds({ reservations, groups, types = [M5], capacityTypes = ['reserved', 'on-demand'], pool: more, nodes, placementGroup }: Scene) {
  const reserved: NodePoolSpec = { ...pool([]), requirements: [ofTypes(...types), isIn(CAPACITY_TYPE, ...capacityTypes)], ...more };
  const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations, placementGroup }];
  return provisioningRounds(input({ pools: [reserved], pods: groups, nodeClasses, nodes }), CATALOG);
}

const PARTITION = 'karpenter.k8s.aws/placement-group-partition';
const byPartition = { maxSkew: 1, topologyKey: PARTITION, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: { app: 'b' } } };
const planned = (scene: Scene) => planOfRounds(rounds(scene));
/** So large that each takes a node of its own. */
const large = (count: number, more = {}) => pods('large', count, { cpu: '1200m' }, more);
/** Each on a node of its own, however small. */
const alone = (count: number) => {
  const byHost = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: { app: 'a' } } };
  return pods('web', count, { cpu: '500m' }, { labels: { app: 'a' }, topologySpread: [byHost] });
};
const launches = (scene: Scene) => planned(scene).nodeClaims.map(({ id, pods: names, launch }) => [id, names, launch?.capacityType]);

describe('pass after pass', () => {
  test('pods that no reservation is left for are launched on demand', () => {
    expect(launches({ reservations: [reservation('cr-1', 2)], groups: [large(4)] })).toEqual([
      ['default-0', ['default/large-0'], 'reserved'], ['default-1', ['default/large-1'], 'reserved'],
      ['default-2', ['default/large-2'], 'on-demand'], ['default-3', ['default/large-3'], 'on-demand'],
    ]);
  });

  test('a reservation that another node has only kept is used by the next', () => {
    const reservations = [reservation('cr-1', 1), reservation('cr-2', 1, { zone: 'us-east-1b' })];
    const offers = planned({ reservations, groups: [large(3)] }).nodeClaims.map(({ launch }) => launch?.cheapest.reservation);
    expect(offers).toEqual(['cr-1', 'cr-2', undefined]);
  });

  test('pods that may only have what is reserved wait for ever', () => {
    const { nodeClaims, unschedulable } = planned({ reservations: [reservation('cr-1', 1)], groups: [large(3)], capacityTypes: ['reserved'] });
    expect(nodeClaims).toHaveLength(1);
    expect(unschedulable.map(({ pod, reasons: [{ message }] }) => [pod, message])).toEqual(['large-1', 'large-2']
      .map((pod) => [`default/${pod}`, 'all compatible reserved offerings are full and no on-demand or spot fallback is available']));
  });

  test('pods that wait join the nodes of the pass before, as far as these have room', () => {
    const small = pods('small', 1, { cpu: '100m' }, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1b' } });
    const reservations = [reservation('cr-1', 1, { zone: 'us-east-1b' })];
    const zoned = pods('large', 2, { cpu: '1200m' }, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1b' } });
    const [{ plan: first }, { plan: second }] = rounds({ reservations, groups: [zoned, small] });
    expect(first.nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-0', 'default/small-0']]);
    expect(second.nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-1']]);
  });

  test('nodes of a pool that leaves a label open have another number for it each', () => {
    const open: Partial<NodePoolSpec> = { requirements: [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), { key: 'team', operator: 'NotIn', values: ['red'] }] };
    const [, { input: { nodes = [] } }] = rounds({ reservations: [reservation('cr-1', 2)], groups: [large(4)], pool: open });
    expect(nodes.map(({ name }) => name)).toEqual(['default-0', 'default-1']);
    expect(new Set(nodes.map(({ labels }) => labels.team)).size).toBe(2);
  });

  test('pods whose nodes are not up yet are placed anew: now these are tried by name, and not the emptiest first', () => {
    const small = pods('small', 2, { cpu: '300m' });
    const [{ plan: first }] = rounds({ reservations: [reservation('cr-1', 2)], groups: [large(3), small] });
    expect(first.nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-0', 'default/small-0'], ['default/large-1', 'default/small-1']]);
    const { nodeClaims } = planned({ reservations: [reservation('cr-1', 2)], groups: [large(3), small] });
    expect(nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-0', 'default/small-0', 'default/small-1'], ['default/large-1'], ['default/large-2']]);
    expect(nodeClaims.map(({ requests }) => requests.get('cpu'))).toEqual([1800n, 1200n, 1200n]);
  });

  test('pods on nodes that are up stay there', () => {
    const up = node('n1', { cpu: '400m', memory: '4Gi' });
    const small = pods('small', 2, { cpu: '300m' });
    const all = rounds({ reservations: [reservation('cr-1', 1)], groups: [large(2), small], nodes: [up] });
    expect(all.map(({ input: { pods: waiting } }) => waiting.map(({ count, firstOrdinal = 0 }) => [count, firstOrdinal]))).toEqual([
      [[2, 0], [2, 0]], [[2, 0], [1, 1]],
    ]);
    expect(planOfRounds(all).filledNodes).toMatchObject([{ node: 'n1', pods: ['default/small-0'] }]);
  });

  test('room that is kept on nodes that are up is kept anew', () => {
    const up = node('n1', { cpu: '400m', memory: '4Gi' });
    const buffer = { ...pods('room', 1, { cpu: '300m' }), buffer: 'room' };
    const all = rounds({ reservations: [reservation('cr-1', 1)], groups: [large(2), buffer], nodes: [up] });
    expect(all.map(({ input: { pods: [, { count }] } }) => count)).toEqual([1, 1]);
    expect(planOfRounds(all).filledNodes).toMatchObject([{ node: 'n1', pods: ['default/room-1'] }]);
  });

  test('limits count the nodes of the passes before', () => {
    const limits = new Map([['cpu', 4000n]]);
    const { nodeClaims, unschedulable } = planned({ reservations: [reservation('cr-1', 1)], groups: [large(3)], pool: { limits } });
    expect([nodeClaims.length, unschedulable.map(({ pod }) => pod)]).toEqual([2, ['default/large-2']]);
  });

  test('a spread goes on from the pods that have their nodes', () => {
    const labels = { app: 'a' };
    const byHost = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: labels } };
    const groups = [pods('web', 3, { cpu: '100m' }, { labels, topologySpread: [byHost] })];
    const { nodeClaims } = planned({ reservations: [reservation('cr-1', 1)], groups });
    expect(nodeClaims.map(({ pods: names }) => names.length)).toEqual([1, 1, 1]);
  });

  test('a label that pods have narrowed stays as they narrowed it', () => {
    const team = (name: string) => ({ nodeSelector: { team: name } });
    const groups = [pods('b', 1, { cpu: '1200m' }, team('b')), pods('a', 1, { cpu: '100m' }, team('a'))];
    const requirements = [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), isIn('team', 'a', 'b')];
    expect(launches({ reservations: [reservation('cr-1', 1)], groups, pool: { requirements } })).toEqual([
      ['default-0', ['default/b-0'], 'reserved'], ['default-1', ['default/a-0'], 'on-demand'],
    ]);
  });

  test('a node has that value of a label which the term asks for that its pods go by, be it not their first', () => {
    const terms = [{ key: 'team', operator: 'In' as const, values: ['c'] }, { key: 'team', operator: 'In' as const, values: ['b'] }]
      .map((expression) => ({ matchExpressions: [expression] }));
    const requirements = [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), isIn('team', 'a', 'b')];
    const scene = { reservations: [reservation('cr-1', 1)], groups: [large(2, { requiredNodeAffinity: terms })], pool: { requirements } };
    expect(rounds(scene)[1].input.nodes?.map(({ labels: { team } }) => team)).toEqual(['b']);
  });

  test('a node has that value of a label which its pods were spread to', () => {
    const labels = { app: 'a' };
    const byShare = { maxSkew: 1, topologyKey: 'share', whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: { matchLabels: labels } };
    const groups = [pods('web', 6, { cpu: '1200m' }, { labels, topologySpread: [byShare] })];
    const requirements = [ofTypes(M5), isIn(CAPACITY_TYPE, 'reserved', 'on-demand'), isIn('share', '1', '2', '3')];
    const all = rounds({ reservations: [reservation('cr-1', 3)], groups, pool: { requirements } });
    expect(all.map(({ plan: { nodeClaims } }) => nodeClaims.map((claim) => `${claim.requirements.find(({ key }) => key === 'share')}`)))
      .toEqual(Array(2).fill(['share In [1]', 'share In [2]', 'share In [3]']));
    expect(all[1].input.nodes?.map(({ labels: { share } }) => share)).toEqual(['1', '2', '3']);
    expect(all[1].plan.filledNodes.map(({ pods: names }) => names.length)).toEqual([1, 1, 1]);
  });

  test('nodes of the cluster keep the pods that each pass gives them', () => {
    const full = node('n1', { cpu: '1300m', memory: '4Gi' });
    const { filledNodes, nodeClaims } = planned({ reservations: [reservation('cr-1', 1)], groups: [large(3)], nodes: [full] });
    expect(filledNodes.map(({ node: name, pods: names }) => [name, names])).toEqual([['n1', ['default/large-0']]]);
    expect(nodeClaims.map(({ pods: names }) => names)).toEqual([['default/large-1'], ['default/large-2']]);
  });

  test('a new node takes up limits as the largest type that it could be, until it is launched', () => {
    const scene = { reservations: [], types: [M5, 'm5.2xlarge'], groups: [alone(4)], pool: { limits: new Map([['cpu', 10_000n]]) } };
    expect(rounds(scene).map(({ plan: { nodeClaims, unschedulable } }) => [nodeClaims.length, unschedulable.length])).toEqual([[2, 2], [2, 0]]);
    const { nodeClaims, unschedulable } = planned(scene);
    expect(nodeClaims.map(({ pods: names, launch }) => [names, launch?.cheapest.instanceType]))
      .toEqual([0, 1, 2, 3].map((at) => [[`default/web-${at}`], M5]));
    expect(unschedulable).toEqual([]);
  });

  test('where limits are used up by what is launched, pods stay without a node', () => {
    const scene = { reservations: [], types: [M5, 'm5.xlarge'], groups: [large(4)], pool: { limits: new Map([['cpu', 4000n]]) } };
    const { nodeClaims, unschedulable } = planned(scene);
    expect(nodeClaims.flatMap(({ pods: names }) => names)).toHaveLength(3);
    expect(unschedulable.map(({ pod, reasons: [{ message }] }) => [pod, message]))
      .toEqual([['default/large-3', 'all available instance types exceed limits for nodepool (NodePool=default)']]);
  });

  test('pods for whom more passes would come than are followed are not called unschedulable; with all passes each has its node', () => {
    const types = ['', '2x', '4x', '8x', '12x', '16x', '24x'].map((size) => size === '' ? M5 : `m5.${size}large`);
    const scene = { reservations: [], types, groups: [alone(200)], pool: { limits: new Map([['cpu', 1_000_000n]]) } };
    const all = rounds(scene);
    expect(planOfRounds(all)).toMatchObject({ unschedulable: [], notEvaluated: [] });
    const { nodeClaims, unschedulable, notEvaluated } = planOfRounds(all.slice(0, 3));
    expect([nodeClaims.length + notEvaluated.flatMap(({ pods: names }) => names).length, unschedulable]).toEqual([200, []]);
    expect(notEvaluated.map(({ what }) => what)).toEqual([['nodes that come in more than 3 passes of Karpenter']]);
  });

  const inZone = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'a' } } };
  const apart = (count: number) => pods('apart', count, { cpu: '100m' }, { labels: { app: 'a' }, podAntiAffinity: { required: [inZone], preferred: [] } });

  test('pods that keep each other out of their zone get a node in a pass each: until it is launched, a node may come to every zone', () => {
    const all = rounds({ reservations: [], groups: [apart(3)] });
    expect(all.map(({ plan: { nodeClaims } }) => nodeClaims.map(({ zones }) => zones))).toEqual([
      [['us-east-1a', 'us-east-1b', 'us-east-1c']], [['us-east-1b', 'us-east-1c']], [['us-east-1c']],
    ]);
    const { nodeClaims, unschedulable } = planOfRounds(all);
    expect(nodeClaims.map(({ pods: names }) => names)).toEqual([['default/apart-0'], ['default/apart-1'], ['default/apart-2']]);
    expect(unschedulable).toEqual([]);
  });

  test('of pods that keep each other out of their zone, those beyond the zones stay without a node', () => {
    const { nodeClaims, unschedulable } = planned({ reservations: [], groups: [apart(5)] });
    expect([nodeClaims.length, unschedulable.map(({ pod }) => pod)]).toEqual([3, ['default/apart-3', 'default/apart-4']]);
  });

  test('pods follow others to their zone once it is known', () => {
    const db = pods('db', 1, { cpu: '1200m' }, { labels: { app: 'a' } });
    const web = pods('web', 2, { cpu: '1000m' }, { podAffinity: { required: [inZone], preferred: [] } });
    const { nodeClaims, unschedulable } = planned({ reservations: [], groups: [web, db] });
    expect([unschedulable, nodeClaims.map(({ pods: names }) => names)]).toEqual([[], [['default/db-0'], ['default/web-0'], ['default/web-1']]]);
    expect(new Set(nodeClaims.map(({ launch }) => launch?.cheapest.zone)).size).toBe(1);
  });

  test('passes that place none of the pods that wait for others have an end: a label that nodes turn out not to have tells no domain', () => {
    const inPartition = { topologyKey: PARTITION, labelSelector: { matchLabels: { app: 'a' } } };
    const groups = [pods('apart', 40, { cpu: '1200m' }, { labels: { app: 'a' }, podAntiAffinity: { required: [inPartition], preferred: [] } })];
    const partitions = { requirements: [ofTypes(M5), isIn(CAPACITY_TYPE, 'on-demand'), isIn(PARTITION, '1', '3')] };
    expect(rounds({ reservations: [], groups, pool: partitions }).length).toBeLessThan(10);
  });

  test.each([
    ['of those that the pods exclude', { operator: 'NotIn' as const, values: ['4', '2'] }, {}, '2'],
    ['of those that the pods want', { operator: 'In' as const, values: ['4', '3'] }, {}, '3'],
    ['of those that topology leaves it', { operator: 'NotIn' as const, values: ['1'] }, { topologySpread: [byPartition] }, '2'],
  ])('a node is launched into the first partition that its claim names: %s', (_, named, more, partition) => {
    const picky = pods('picky', 1, { cpu: '1200m' }, { requiredNodeAffinity: [{ matchExpressions: [{ key: PARTITION, ...named }] }], ...more });
    const placementGroup: PlacementGroupFacts = { id: 'pg-0', strategy: 'partition', partitions: 7 };
    const [, { input: { nodes } }] = rounds({ reservations: [], groups: [picky, apart(4)], placementGroup });
    expect(nodes![0].labels[PARTITION]).toBe(partition);
  });

  test('there is no other pass for pods that follow others to their zone where nothing is launched', () => {
    const web = pods('web', 1, { cpu: '100m' }, { podAffinity: { required: [inZone], preferred: [] } });
    expect(rounds({ reservations: [], groups: [web] })).toHaveLength(1);
  });

  test('nor where but static pools have new nodes, which are up before', () => {
    const inA = isIn('topology.kubernetes.io/zone', 'us-east-1a');
    const pools = [pool([ofTypes(M5), inA], { name: 'fixed', replicas: 1 }), pool([ofTypes(M5), inA])];
    const all = provisioningRounds(input({ pools, pods: [apart(2)] }), CATALOG);
    expect(all.map(({ plan }) => [plan.nodeClaims.map(({ nodePool }) => nodePool), plan.unschedulable.length])).toEqual([[['fixed'], 1]]);
  });

  test('there is one pass where nothing is put off, and it is that of the scheduler', () => {
    const scene = { pools: [pool([ofTypes(M5)])], pods: [large(3), pods('huge', 1, { cpu: '500' })] };
    const all = provisioningRounds(input(scene), CATALOG);
    expect(all).toHaveLength(1);
    expect(planOfRounds(all)).toEqual(schedule(input(scene), CATALOG));
  });

  test('every pod is in the plan once, whatever is reserved', () => {
    const frees = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 });
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(fc.property(frees, sizes, (free, counts) => {
      const reservations = free.map((count, at) => reservation(`cr-${at}`, count, { zone: `us-east-1${'abc'[at]}` }));
      const groups = counts.map((count, at) => pods(`g${at}`, count, { cpu: `${300 + 400 * at}m` }));
      const { nodeClaims, unschedulable } = planned({ reservations, groups });
      const names = [...nodeClaims.flatMap((claim) => claim.pods), ...unschedulable.map(({ pod }) => pod)].sort();
      expect(names).toEqual(groups.flatMap(({ name, count }) => Array.from({ length: count }, (_, at) => `default/${name}-${at}`)).sort());
      expect(unschedulable).toEqual([]);
    }), { numRuns: 30 });
  });
});
