import * as fc from 'fast-check';
import { Catalog } from '../../../src/catalog';
import { costLowerBound, passesWithoutReasons, planOfPasses, PodGroup, schedule } from '../../../src/scheduling';
import { daemonSet, input, InputFields, isIn, node, ofTypes, pods, pool, running } from '../builders';

const catalog = Catalog.load({ zones: ['us-east-1a'] });
const M5_LARGE = 0.096;
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

const boundOf = (scene: InputFields) => costLowerBound(input(scene), schedule(input(scene), catalog), catalog);
const bound = (types: readonly string[], groups: readonly PodGroup[]) =>
  boundOf({ pools: [pool([ofTypes(...types)])], pods: groups });
const apart = (name: string) => ({
  labels: { app: name },
  podAntiAffinity: {
    required: [{ topologyKey: HOSTNAME, labelSelector: { matchLabels: { app: name } } }],
    preferred: [],
  },
});

describe('costLowerBound', () => {
  test('is at least the price of the cheapest node', () => {
    expect(bound(['m5.xlarge', 'm5.large'], [pods('web', 1, { cpu: '100m', memory: '1Gi' })])).toBeCloseTo(M5_LARGE, 7);
  });

  test('is what EC2 charges for bare metal, which is less than Karpenter compares', () => {
    expect(bound(['c7i.metal-24xl'], [pods('web', 1, { cpu: '60' })])).toBeCloseTo(4.284, 7);
  });

  test('is the cost of the scarcest resource at its lowest unit price', () => {
    // 96.5 CPUs on nodes with 1.93 allocatable CPUs each.
    expect(bound(['m5.large'], [pods('web', 100, { cpu: '965m' })])).toBeCloseTo(50 * M5_LARGE, 7);
  });

  test('counts pods as a resource', () => {
    expect(bound(['m5.large'], [pods('web', 290, {})])).toBeCloseTo(10 * M5_LARGE, 7);
  });

  test('counts whole pods: two pods of 1.2 CPUs never share a node with 1.93', () => {
    expect(bound(['m5.large'], [pods('web', 10, { cpu: '1200m' })])).toBeCloseTo(10 * M5_LARGE, 7);
  });

  test('counts what DaemonSets take on every node', () => {
    const scene = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 100, { cpu: '900m' })] };
    // 1.93 CPUs hold two pods, but not beside the DaemonSet.
    expect(boundOf(scene)).toBeCloseTo(50 * M5_LARGE, 7);
    expect(boundOf({ ...scene, daemonSets: [daemonSet('agent', { cpu: '200m' })] })).toBeCloseTo(100 * M5_LARGE, 7);
  });

  test.each([
    ['another capacity type', { 'karpenter.sh/capacity-type': 'spot' }],
    ['another zone', { 'topology.kubernetes.io/zone': 'us-east-1b' }],
  ])('counts no DaemonSet that only runs on nodes of %s', (_, nodeSelector) => {
    const inZones = Catalog.load({ zones: ['us-east-1a', 'us-east-1b'] });
    const both = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] } as const;
    const onDemand = { 'karpenter.sh/capacity-type': 'on-demand', 'topology.kubernetes.io/zone': 'us-east-1a' };
    const scene = input({
      pools: [{ ...pool([]), requirements: [ofTypes('m5.large'), both] }],
      pods: [pods('web', 100, { cpu: '900m' }, { nodeSelector: onDemand })],
      daemonSets: [daemonSet('agent', { cpu: '200m' }, { nodeSelector })],
    });
    // Two pods fit on a node, because the DaemonSet never runs there.
    expect(costLowerBound(scene, schedule(scene, inZones), inZones)).toBeLessThanOrEqual(50 * M5_LARGE + 1e-9);
  });

  test('counts a DaemonSet with two terms of node affinity only on types of both, because Karpenter looks at one', () => {
    const term = (key: string, value: string) => ({ matchExpressions: [isIn(key, value)] });
    const terms = [term('kubernetes.io/arch', 'amd64'), term('karpenter.k8s.aws/instance-category', 'm')];
    const scene = (type: string) => ({
      pools: [pool([ofTypes(type, 'c5.metal')])],
      pods: [pods('web', 100, { cpu: '900m' }, { nodeSelector: { 'node.kubernetes.io/instance-type': type } })],
      daemonSets: [daemonSet('agent', { cpu: '200m' }, { requiredNodeAffinity: terms })],
    });
    // Beside the DaemonSet, a node holds one pod.
    expect(boundOf(scene('m5.large'))).toBeCloseTo(100 * M5_LARGE, 7);
    expect(boundOf(scene('m6g.large'))).toBeCloseTo(50 * 0.077, 7);
  });

  test('counts no DaemonSet with resource claims, because Karpenter keeps no room for it', () => {
    const scene = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 100, { cpu: '900m' })] };
    const agent = daemonSet('agent', { cpu: '200m' }, { resourceClaims: true });
    expect(boundOf({ ...scene, daemonSets: [agent] })).toBeCloseTo(50 * M5_LARGE, 7);
  });

  test('counts a node for each pod that keeps apart from the others', () => {
    expect(bound(['m5.large'], [pods('web', 7, { cpu: '10m' }, apart('web'))])).toBeCloseTo(7 * M5_LARGE, 7);
  });

  test('counts a node for each maxSkew pods that are spread over hosts', () => {
    const spread = (maxSkew: number) => ({
      labels: { app: 'web' },
      topologySpread: [
        {
          topologyKey: HOSTNAME,
          maxSkew,
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    });
    expect(bound(['m5.large'], [pods('web', 7, { cpu: '10m' }, spread(1))])).toBeCloseTo(7 * M5_LARGE, 7);
    expect(bound(['m5.large'], [pods('web', 7, { cpu: '10m' }, spread(2))])).toBeCloseTo(4 * M5_LARGE, 7);
  });

  describe('with pods in three zones', () => {
    const inZones = Catalog.load({ zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] });
    const pools = [pool([ofTypes('m5.large', 'm5.4xlarge')])];
    const boundInZones = (groups: readonly PodGroup[], more: Partial<InputFields> = {}) => {
      const scene = input({ pools, pods: groups, ...more });
      return costLowerBound(scene, schedule(scene, inZones), inZones);
    };
    const spread = (maxSkew: number, more: { readonly minDomains?: number } = {}) => ({
      labels: { app: 'web' },
      topologySpread: [
        {
          topologyKey: ZONE,
          maxSkew,
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: { app: 'web' } },
          ...more,
        },
      ],
    });

    test('counts a node for each zone that a spread needs', () => {
      expect(boundInZones([pods('web', 3, { cpu: '10m' }, spread(1))])).toBeCloseTo(3 * M5_LARGE, 7);
      expect(boundInZones([pods('web', 2, { cpu: '10m' }, spread(1))])).toBeCloseTo(2 * M5_LARGE, 7);
      // Two pods may share a zone.
      expect(boundInZones([pods('web', 3, { cpu: '10m' }, spread(2))])).toBeCloseTo(2 * M5_LARGE, 7);
      // 58 pods fill two nodes, but the third zone needs at least 19 of them.
      expect(boundInZones([pods('web', 58, {}, spread(1))])).toBeCloseTo(3 * M5_LARGE, 7);
    });

    test('counts the zones of running pods, and what nodes there have left', () => {
      const old = (allocatable: string) =>
        node('old', { cpu: allocatable }, { pods: [running('web', { cpu: '10m' }, spread(1))] });
      const web = [pods('web', 2, { cpu: '10m' }, spread(1))];
      expect(boundInZones(web, { nodes: [old('15m')] })).toBeCloseTo(2 * M5_LARGE, 7);
      const empty = node('empty', { cpu: '4' }, { labels: { [ZONE]: 'us-east-1b' } });
      expect(boundInZones(web, { nodes: [old('15m'), empty] })).toBeCloseTo(M5_LARGE, 7);
    });

    test('counts no spread that is preferred, that counts other pods, or over pods of one zone', () => {
      const [constraint] = spread(1).topologySpread;
      const preferred = {
        ...spread(1),
        topologySpread: [{ ...constraint, whenUnsatisfiable: 'ScheduleAnyway' as const }],
      };
      expect(boundInZones([pods('web', 3, { cpu: '10m' }, preferred)])).toBeCloseTo(M5_LARGE, 7);
      const others = [
        pods('web', 3, { cpu: '10m' }, spread(1)),
        pods('api', 3, { cpu: '10m' }, { labels: { app: 'web' } }),
      ];
      expect(boundInZones(others)).toBeLessThanOrEqual(M5_LARGE + 1e-9);
      const pinned = { ...spread(1), nodeSelector: { [ZONE]: 'us-east-1a' } };
      expect(boundInZones([pods('web', 3, { cpu: '10m' }, pinned)])).toBeCloseTo(M5_LARGE, 7);
    });

    test('counts anti-affinity over zones', () => {
      const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'web' } } };
      const keptApart = { labels: { app: 'web' }, podAntiAffinity: { required: [term], preferred: [] } };
      const groups = [pods('web', 2, { cpu: '10m' }, keptApart)];
      const plan = planOfPasses(passesWithoutReasons(input({ pools, pods: groups }), inZones));
      expect(plan.nodeClaims).toHaveLength(2);
      expect(costLowerBound(input({ pools, pods: groups }), plan, inZones)).toBeCloseTo(2 * M5_LARGE, 7);
    });
  });

  test('is the price of three pods of 2 CPUs on the cheapest nodes, not of the parts of nodes that they use', () => {
    // No m5.large holds a pod, and an m5.xlarge ($0.192) holds one. Two of them fit in neither.
    expect(bound(['m5.large', 'm5.xlarge'], [pods('web', 3, { cpu: '2' })])).toBeCloseTo(3 * 0.192, 7);
    // An m5.2xlarge ($0.384) holds three.
    expect(bound(['m5.xlarge', 'm5.2xlarge'], [pods('web', 3, { cpu: '2' })])).toBeCloseTo(0.384, 7);
  });

  test('counts no memory of nodes whose CPUs are used up', () => {
    // Pods of 1.9 CPUs fill an r5.large ($0.126) each, and leave 13 GiB. The other pods need 50 CPUs as well. With all
    // CPUs and all memory in two sums, 100 r5.large and 26 c5.large ($0.085) suffice: $14.8.
    const onR5 = { nodeSelector: { 'node.kubernetes.io/instance-type': 'r5.large' } };
    const groups = [
      pods('cpu', 100, { cpu: '1900m', memory: '1Gi' }, onR5),
      pods('memory', 100, { cpu: '500m', memory: '2Gi' }),
    ];
    expect(bound(['c5.large', 'r5.large'], groups)).toBeGreaterThan(15.2);
  });

  test('counts pods with a device only on nodes that have it', () => {
    const groups = [pods('train', 2, { 'nvidia.com/gpu': '1' }), pods('web', 100, { cpu: '965m' })];
    // The CPUs of the second kind are cheapest on m5.large, the GPUs on g4dn.xlarge ($0.526).
    const both = bound(['m5.large', 'g4dn.xlarge'], groups)!;
    expect(both).toBeGreaterThan(2 * 0.526);
    expect(both).toBeGreaterThan(bound(['m5.large'], groups.slice(1))!);
  });

  test('adds up pods that share no instance type', () => {
    const on = (arch: string) => ({ nodeSelector: { 'kubernetes.io/arch': arch } });
    const groups = [pods('arm', 20, { cpu: '1500m' }, on('arm64')), pods('amd', 20, { cpu: '1500m' }, on('amd64'))];
    const types = ['m5.large', 'm6g.large'];
    expect(bound(types, groups)).toBeCloseTo(bound(types, groups.slice(0, 1))! + bound(types, groups.slice(1))!, 7);
  });

  test('takes off what existing nodes have left', () => {
    const scene = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 100, { cpu: '965m' })] };
    const nodes = [node('old', { cpu: '10', memory: '100Gi' })];
    expect(boundOf({ ...scene, nodes })!).toBeLessThanOrEqual(45 * M5_LARGE + 1e-9);
  });

  test('is null if no pod is placed', () => {
    expect(bound(['m5.large'], [])).toBeNull();
  });

  test('is never above the price of the plan', () => {
    const group = fc.record({
      count: fc.integer({ min: 1, max: 20 }),
      cpu: fc.integer({ min: 1, max: 3000 }),
      memory: fc.integer({ min: 1, max: 6000 }),
      isApart: fc.boolean(),
      arch: fc.constantFrom(undefined, 'arm64', 'amd64'),
    });
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 4 }), (groups) => {
        const scene = {
          pools: [pool([ofTypes('m5.large', 'm5.xlarge', 'r5.large', 'm6g.large', 'c6g.xlarge')])],
          pods: groups.map(({ count, cpu, memory, isApart, arch }, index) =>
            pods(
              `web${index}`,
              count,
              { cpu: `${cpu}m`, memory: `${memory}Mi` },
              {
                ...(isApart ? apart(`web${index}`) : {}),
                ...(arch === undefined ? {} : { nodeSelector: { 'kubernetes.io/arch': arch } }),
              },
            ),
          ),
          daemonSets: [daemonSet('agent', { cpu: '100m', memory: '64Mi' })],
        };
        const plan = schedule(input(scene), catalog);
        const price = plan.nodeClaims.reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0);
        expect(costLowerBound(input(scene), plan, catalog) ?? 0).toBeLessThanOrEqual(price + 1e-9);
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
