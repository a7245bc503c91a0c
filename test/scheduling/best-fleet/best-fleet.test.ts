import * as fc from 'fast-check';
import { Catalog } from '../../../src/catalog';
import { bestFleet, BestFleet, costLowerBound, PodShape, schedule } from '../../../src/scheduling';
import { fleetErrors } from '../../../src/scheduling/best-fleet/feasibility';
import { daemonSet, input, InputFields, isIn, node, ofTypes, pods, pool, running } from '../builders';

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const catalog = Catalog.load({ zones: ZONES });
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

function search(scene: InputFields) {
  const whole = input(scene);
  const plan = schedule(whole, catalog);
  const priceOf = (_: string, { usdPerHour }: { readonly usdPerHour: number }) => usdPerHour;
  const best = bestFleet(whole, plan, catalog, { priceOf, maxSteps: 200_000 });
  const price = plan.nodeClaims.reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0);
  return { whole, plan, best, price };
}

const select = (name: string) => ({ matchLabels: { app: name } });
const spread = (name: string, topologyKey: string, maxSkew = 1) => ({
  labels: { app: name },
  topologySpread: [{ topologyKey, maxSkew, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: select(name) }],
});
const apart = (name: string, topologyKey: string) => ({
  labels: { app: name },
  podAntiAffinity: { required: [{ topologyKey, labelSelector: select(name) }], preferred: [] },
});
const zonesOf = (best: BestFleet | undefined) => best!.nodes.map(({ offer }) => offer.zone).sort();

describe('the best fleet found', () => {
  test('is the cheapest one, computed by hand', () => {
    // Two m5.xlarge hold one pod of 2 CPUs each, an m5.2xlarge holds three.
    const { best } = search({
      pools: [pool([ofTypes('m5.xlarge', 'm5.2xlarge')])],
      pods: [pods('web', 3, { cpu: '2' })],
    });
    expect(best!.usdPerHour).toBeCloseTo(0.384, 7);
    expect(best!.isCut).toBe(false);
  });

  test('is cheaper than a plan that packs all pods on one large node', () => {
    // A c5.large ($0.085) holds six pods of 300m, so that nine hold fifty.
    const { best, price } = search({
      pools: [pool([ofTypes('r5.4xlarge', 'c5.large')])],
      pods: [pods('web', 50, { cpu: '300m' })],
    });
    expect(price).toBeCloseTo(1.008, 7);
    expect(best!.usdPerHour).toBeCloseTo(9 * 0.085, 7);
  });

  test('keeps spread over zones and over hosts', () => {
    const pools = [pool([ofTypes('m5.large', 'm5.4xlarge')])];
    expect(zonesOf(search({ pools, pods: [pods('web', 3, { cpu: '100m' }, spread('web', ZONE))] }).best)).toEqual(
      ZONES,
    );
    const onHosts = search({ pools, pods: [pods('web', 5, { cpu: '100m' }, spread('web', HOSTNAME, 2))] });
    expect(onHosts.best!.nodes.map(({ groups }) => groups.get(0)).sort()).toEqual([1, 2, 2]);
  });

  test('keeps anti-affinity over hosts and over zones', () => {
    const pools = [pool([ofTypes('m5.large', 'm5.4xlarge')])];
    const hosts = search({ pools, pods: [pods('web', 4, { cpu: '100m' }, apart('web', HOSTNAME))] });
    expect(hosts.best!.nodes).toHaveLength(4);
    const zones = search({ pools, pods: [pods('web', 3, { cpu: '100m' }, apart('web', ZONE))] });
    expect(zonesOf(zones.best)).toEqual(zones.plan.nodeClaims.map(({ launch }) => launch!.cheapest.zone).sort());
  });

  test('keeps taints, zones and limits', () => {
    const taints = [{ key: 'batch', effect: 'NoSchedule' as const }];
    const cheap = pool([ofTypes('c5.large')], { name: 'cheap', taints });
    const scene = {
      pools: [cheap, pool([ofTypes('m5.large')])],
      pods: [pods('web', 4, { cpu: '900m' }, { nodeSelector: { [ZONE]: 'us-east-1b' } })],
    };
    const { best } = search(scene);
    expect(best!.nodes.map(({ nodePool, offer }) => [nodePool, offer.zone])).toEqual([
      ['default', 'us-east-1b'],
      ['default', 'us-east-1b'],
    ]);
    const limited = {
      ...scene,
      pools: [pool([ofTypes('c5.large')], { name: 'few', limits: new Map([['nodes', 1n]]) }), scene.pools[1]],
    };
    const few = search(limited).best!.nodes.filter(({ nodePool }) => nodePool === 'few');
    expect(few.length).toBeLessThanOrEqual(1);
  });

  test('counts DaemonSets and their host ports', () => {
    const port = { ip: '0.0.0.0', port: 80, protocol: 'TCP' };
    const scene = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 4, { cpu: '900m' })] };
    expect(search({ ...scene, daemonSets: [daemonSet('agent', { cpu: '200m' })] }).best!.nodes).toHaveLength(4);
    const withPort = [pods('web', 4, { cpu: '100m' }, { hostPorts: [port] })];
    expect(search({ ...scene, pods: withPort }).best!.nodes).toHaveLength(4);
  });

  test('leaves nodes as they are whose pods have affinity to other pods', () => {
    const affinity = { required: [{ topologyKey: HOSTNAME, labelSelector: select('db') }], preferred: [] };
    const { best, plan, price } = search({
      pools: [pool([ofTypes('m5.large', 'm5.4xlarge')])],
      pods: [
        pods('db', 1, { cpu: '100m' }, { labels: { app: 'db' } }),
        pods('web', 2, { cpu: '100m' }, { podAffinity: affinity }),
      ],
    });
    expect(best!.kept).toHaveLength(plan.nodeClaims.length);
    expect(best!.usdPerHour).toBeCloseTo(price, 7);
  });

  test('is undefined if running pods keep pods out of zones, which the search does not know', () => {
    const nodes = [node('old', { cpu: '1' }, { pods: [running('db', { cpu: '1' }, apart('web', ZONE))] })];
    const groups = [pods('web', 3, { cpu: '1' }, { labels: { app: 'web' } })];
    expect(search({ pools: [pool([ofTypes('m5.large')])], pods: groups, nodes }).best).toBeUndefined();
  });

  test('says if it ended before it had tried all that it would', () => {
    const whole = input({ pools: [pool([ofTypes('m5.large', 'c5.large')])], pods: [pods('web', 30, { cpu: '300m' })] });
    const plan = schedule(whole, catalog);
    const best = bestFleet(whole, plan, catalog, { priceOf: (_, offer) => offer.usdPerHour, maxSteps: 300 });
    expect(best?.isCut).toBe(true);
  });

  test('is at least the bound, without errors and the same twice, for any pods', () => {
    const group = fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      cpu: fc.integer({ min: 1, max: 3000 }),
      memory: fc.integer({ min: 1, max: 6000 }),
      rule: fc.constantFrom('none', 'zones', 'hosts', 'apart', 'arm64', 'zone'),
    });
    const rules = (rule: string, name: string): Partial<PodShape> => {
      if (rule === 'zones') return spread(name, ZONE);
      if (rule === 'hosts') return spread(name, HOSTNAME, 2);
      if (rule === 'apart') return apart(name, HOSTNAME);
      if (rule === 'arm64') return { nodeSelector: { 'kubernetes.io/arch': 'arm64' } };
      return rule === 'zone' ? { nodeSelector: { [ZONE]: ZONES[1] } } : {};
    };
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 4 }), fc.boolean(), (groups, isSpot) => {
        const scene = {
          pools: [
            pool([ofTypes('m5.large', 'm5.xlarge', 'm6g.large', 'c6g.xlarge')], {
              requirements: isSpot
                ? [ofTypes('m5.large', 'm5.xlarge', 'm6g.large', 'c6g.xlarge')]
                : [
                    ofTypes('m5.large', 'm5.xlarge', 'm6g.large', 'c6g.xlarge'),
                    isIn('karpenter.sh/capacity-type', 'on-demand'),
                  ],
            }),
          ],
          pods: groups.map(({ count, cpu, memory, rule }, index) =>
            pods(`web${index}`, count, { cpu: `${cpu}m`, memory: `${memory}Mi` }, rules(rule, `web${index}`)),
          ),
          daemonSets: [daemonSet('agent', { cpu: '100m', memory: '64Mi' })],
        };
        const { whole, plan, best } = search(scene);
        expect(best!.usdPerHour).toBeGreaterThanOrEqual((costLowerBound(whole, plan, catalog) ?? 0) - 1e-9);
        expect(fleetErrors(whole, plan, catalog, best!)).toEqual([]);
        expect(search(scene).best).toEqual(best);
      }),
      { seed: 48, numRuns: 60 },
    );
  });
});

describe('the check of a fleet', () => {
  const scene = {
    pools: [
      pool([ofTypes('m5.large')]),
      pool([ofTypes('m5.large')], { name: 'tainted', taints: [{ key: 'batch', effect: 'NoSchedule' as const }] }),
    ],
    pods: [pods('web', 4, { cpu: '900m' }, spread('web', ZONE)), pods('db', 2, { cpu: '100m' }, apart('db', HOSTNAME))],
  };
  const whole = input(scene);
  const plan = schedule(whole, catalog);
  const on = (zone: string, groups: ReadonlyArray<readonly [number, number]>, nodePool = 'default') => ({
    nodePool,
    offer: { instanceType: 'm5.large', zone, capacityType: 'on-demand', usdPerHour: 0.096 },
    groups: new Map(groups),
  });
  const errors = (...nodes: ReturnType<typeof on>[]) => fleetErrors(whole, plan, catalog, { nodes, kept: [] });
  const [a, b, c] = ZONES;
  const valid = [
    on(a, [
      [0, 1],
      [1, 1],
    ]),
    on(b, [
      [0, 1],
      [1, 1],
    ]),
    on(c, [[0, 1]]),
    on(c, [[0, 1]]),
  ];

  test('finds nothing wrong with a valid fleet', () => {
    expect(errors(...valid)).toEqual([]);
  });

  test.each([
    ['a missing pod', [...valid.slice(0, 3)], '1 pods of 0 are missing'],
    [
      'too many pods on a node',
      [
        on(a, [
          [0, 3],
          [1, 1],
        ]),
        on(b, [
          [0, 1],
          [1, 1],
        ]),
      ],
      'too little cpu on m5.large',
    ],
    [
      'pods that share a host',
      [
        on(a, [
          [0, 1],
          [1, 2],
        ]),
        on(b, [[0, 1]]),
        ...valid.slice(2),
      ],
      'pods do not keep apart',
    ],
    [
      'pods in two zones only',
      [...valid.slice(0, 2), on(a, [[0, 1]]), on(b, [[0, 1]])],
      'pods are not spread over zones',
    ],
    [
      'a taint',
      [
        on(
          a,
          [
            [0, 1],
            [1, 1],
          ],
          'tainted',
        ),
        ...valid.slice(1),
      ],
      'a taint is not tolerated',
    ],
  ])('finds %s', (_, nodes, error) => {
    expect(errors(...nodes)).toContain(error);
  });

  test('finds an instance type that the NodePool does not allow', () => {
    const other = { ...valid[0], offer: { ...valid[0].offer, instanceType: 'm5.xlarge' } };
    expect(errors(other, ...valid.slice(1))).toContain('m5.xlarge is not allowed by default');
  });
});
