import { Catalog, DEFAULT_NODE_CLASS, ReservationFacts } from '../../../src/catalog';
import { parseResourceList, RequirementSpec } from '../../../src/model';
import { NodeOverlaySpec, PlannedNodeClaim } from '../../../src/scheduling';
import { changedPrice } from '../../../src/scheduling/launch/overlays/node-overlays';
import { uniformFigures } from '../../support/uniform-figures';
import { isIn, ofTypes, planOf, pods, pool } from '../builders';

interface Fields {
  readonly priceChange?: string;
  readonly weight?: number;
  readonly capacity?: Readonly<Record<string, string | number>>;
}

function overlay(
  name: string,
  requirements: readonly RequirementSpec[],
  { priceChange, weight = 0, capacity = {} }: Fields,
): NodeOverlaySpec {
  return {
    name,
    weight,
    requirements,
    capacity: parseResourceList(capacity),
    ...(priceChange === undefined ? {} : { priceChange }),
  };
}

const SMALL = pods('web', 1, { cpu: '100m' });
const SPOT = isIn('karpenter.sh/capacity-type', 'spot');
const ON_DEMAND = isIn('karpenter.sh/capacity-type', 'on-demand');
/** On-demand prices in USD per hour: 0.096 and 0.192. Spot costs 0.4 of these. */
const M5 = ofTypes('m5.large', 'm5.xlarge');
const M5_ANY = [M5, isIn('karpenter.sh/capacity-type', 'spot', 'on-demand')];

function claimOf(
  nodeOverlays: readonly NodeOverlaySpec[],
  requirements: readonly RequirementSpec[] = [M5, ON_DEMAND],
): PlannedNodeClaim {
  return planOf({ pools: [pool([], { requirements })], pods: [SMALL], nodeOverlays }).nodeClaims[0];
}

describe('price of an overlay', () => {
  test.each([
    [0.1, '0.25', 0.25],
    [0.1, '0', 0],
    [0.1, '+0.05', 0.15],
    [0.1, '-0.05', 0.05],
    [0.1, '-0.2', 0],
    [0.1, '+.5', 0.6],
    [0.1, '+10%', 0.11],
    [0.1, '-28%', 0.072],
    [0.1, '-100%', 0],
  ])('changes %d by %s to %d', (price, change, changed) => {
    expect(changedPrice(price, change)).toBeCloseTo(changed, 12);
  });

  test('determines the order of types and the launched type', () => {
    const claim = claimOf([overlay('a', [ofTypes('m5.xlarge')], { priceChange: '0.01' })]);
    expect(claim.instanceTypes).toEqual(['m5.xlarge', 'm5.large']);
    expect(claim.launch).toMatchObject({
      allocationStrategy: 'prioritized',
      cheapest: { instanceType: 'm5.xlarge', usdPerHour: 0.01 },
    });
  });

  test('determines whether spot is too expensive', () => {
    // With a tenth of the on-demand price, m5.large costs 0.0096 and spot costs more.
    const claim = claimOf([overlay('a', [ON_DEMAND], { priceChange: '-90%' })], M5_ANY);
    expect(claim.launch).toMatchObject({
      capacityType: 'on-demand',
      cheapest: { instanceType: 'm5.large', usdPerHour: expect.closeTo(0.0096, 10) },
    });
  });

  test('does not change other offerings', () => {
    const { launch, cheapest } = claimOf(
      [overlay('a', [SPOT, isIn('topology.kubernetes.io/zone', 'us-east-1b')], { priceChange: '0.001' })],
      M5_ANY,
    );
    expect(cheapest).toEqual({ instanceType: 'm5.large', zone: 'us-east-1b', capacityType: 'spot', usdPerHour: 0.001 });
    expect(launch).toMatchObject({
      capacityType: 'spot',
      allocationStrategy: 'capacity-optimized-prioritized',
      zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    });
  });

  test('does not change the launch of a claim without these types', () => {
    expect(claimOf([overlay('a', [ofTypes('c5.large')], { priceChange: '0.001' })]).launch!.allocationStrategy).toBe(
      'lowest-price',
    );
  });

  test('makes a type without an EC2 price available if the overlay selects types only', () => {
    const instanceTypes = (...requirements: RequirementSpec[]) =>
      planOf(
        {
          pools: [pool([], { requirements: [ofTypes('x8aedz.large'), ON_DEMAND] })],
          pods: [],
          nodeOverlays: [overlay('a', requirements, { priceChange: '2.5' })],
        },
        Catalog.load({ figures: uniformFigures() }),
      ).pools[0].instanceTypes;
    expect(instanceTypes(ofTypes('x8aedz.large'))).toEqual(['x8aedz.large']);
    expect(instanceTypes(ofTypes('x8aedz.large'), ON_DEMAND)).toEqual([]);
  });
});

describe('capacity of an overlay', () => {
  test('can be the largest quantity', () => {
    const plan = planOf({
      pools: [pool([], { requirements: [M5, ON_DEMAND] })],
      pods: [pods('web', 3, { cpu: '100m', 'example.com/slots': '1E' })],
      nodeOverlays: [overlay('slots', [M5], { capacity: { 'example.com/slots': '9223372036854775807' } })],
    });
    expect(plan.nodeClaims.map(({ pods: placed }) => placed.length)).toEqual([3]);
  });

  const fuse = pods('fuse', 1, { cpu: '100m', 'smarter-devices/fuse': 4 });

  test('admits as many pods as the resource allows', () => {
    const scene = { pools: [pool([M5])], pods: [fuse] };
    expect(planOf(scene).unschedulable).toHaveLength(1);
    const plan = planOf({
      ...scene,
      pods: [{ ...fuse, count: 3 }],
      nodeOverlays: [overlay('a', [ofTypes('m5.xlarge')], { capacity: { 'smarter-devices/fuse': 8 } })],
    });
    expect(plan.nodeClaims.map(({ instanceTypes, pods: placed }) => [instanceTypes, placed.length])).toEqual([
      [['m5.xlarge'], 2],
      [['m5.xlarge'], 1],
    ]);
  });

  test.each([
    ['2Gi', '4855Mi', 1],
    ['2Gi', '4856Mi', 0],
    ['64Gi', '1Mi', 0],
  ])(
    'subtracts %s of huge pages from memory (6903Mi on m5.large): a pod with %s fits %d times',
    (hugepages, memory, nodes) => {
      const plan = planOf({
        pools: [pool([ofTypes('m5.large')])],
        pods: [pods('pages', 1, { memory, 'hugepages-2Mi': '2Mi' })],
        nodeOverlays: [overlay('a', [], { capacity: { 'hugepages-2Mi': hugepages } })],
      });
      expect(plan.nodeClaims).toHaveLength(nodes);
    },
  );

  test('makes a type with GPUs exotic', () => {
    const claim = claimOf([overlay('a', [ofTypes('m5.large')], { capacity: { 'nvidia.com/gpu': 1 } })]);
    expect(claim.instanceTypes).toEqual(['m5.large', 'm5.xlarge']);
    expect(claim.launch).toMatchObject({ instanceTypes: ['m5.xlarge'], allocationStrategy: 'lowest-price' });
  });
});

describe('requirements of an overlay', () => {
  test('match reserved offerings of types with a reservation', () => {
    const reservation = (id: string, instanceType: string, zone: string): ReservationFacts => ({
      id,
      instanceType,
      zone,
      type: 'default',
      interruptible: false,
      expiring: false,
    });
    const [claim] = planOf({
      pools: [pool([], { requirements: [M5] })],
      pods: [pods('x', 1, { 'a.com/x': 1 })],
      nodeClasses: [
        {
          ...DEFAULT_NODE_CLASS,
          reservations: [reservation('cr-1', 'm5.large', 'us-east-1a'), reservation('cr-2', 'm5.xlarge', 'us-east-1b')],
        },
      ],
      nodeOverlays: [
        overlay(
          'a',
          [isIn('karpenter.sh/capacity-type', 'reserved'), isIn('topology.kubernetes.io/zone', 'us-east-1b')],
          { capacity: { 'a.com/x': 1 } },
        ),
      ],
    }).nodeClaims;
    expect(claim.instanceTypes).toEqual(['m5.xlarge']);
  });

  const HALF = { priceChange: '-50%' };
  const priceWith = (requirements: readonly RequirementSpec[], labels: Record<string, string> = {}) =>
    planOf({
      pools: [pool([ofTypes('m5.large'), isIn('example.com/tier', 'web')], { labels })],
      pods: [SMALL],
      nodeOverlays: [overlay('a', requirements, HALF)],
    }).nodeClaims[0].cheapest!.usdPerHour;

  test.each<[string, RequirementSpec, number]>([
    ['match types by label', isIn('karpenter.k8s.aws/instance-family', 'm5'), 0.048],
    ['match types by a bound', { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gte', values: ['2'] }, 0.048],
    [
      'do not match types outside a bound',
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['2'] },
      0.096,
    ],
    ['match a pool by name', isIn('karpenter.sh/nodepool', 'default'), 0.048],
    ['do not match another pool', isIn('karpenter.sh/nodepool', 'other'), 0.096],
    ['match a label of the pool', isIn('example.com/team', 'a'), 0.048],
    ['do not match another value of a pool label', isIn('example.com/team', 'b'), 0.096],
    ["do not match a label that only the pool's requirements have", isIn('example.com/tier', 'web'), 0.096],
    [
      'match the absence of an unknown label',
      { key: 'example.com/other', operator: 'DoesNotExist', values: [] },
      0.048,
    ],
    [
      'do not match a label that the types lack',
      { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists', values: [] },
      0.096,
    ],
    [
      'match the absence of a label that the types lack',
      { key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'DoesNotExist', values: [] },
      0.048,
    ],
    ['do not match a zone without a subnet', isIn('topology.kubernetes.io/zone', 'us-east-1f'), 0.096],
  ])('%s', (_, requirement, usdPerHour) => {
    expect(priceWith([requirement], { 'example.com/team': 'a' })).toBeCloseTo(usdPerHour, 10);
  });

  test('treat a type as unlabeled if the pool sets another value of the label', () => {
    const family = 'karpenter.k8s.aws/instance-family';
    expect(priceWith([isIn(family, 'm5')], { [family]: 'm5' })).toBeCloseTo(0.048, 10);
    expect(priceWith([isIn(family, 'm5', 'm6i')], { [family]: 'm5' })).toBeCloseTo(0.048, 10);
    expect(priceWith([{ key: family, operator: 'NotIn', values: ['m5'] }], { [family]: 'm5' })).toBe(0.096);
  });
});

describe('several overlays', () => {
  const conflictsOf = (...nodeOverlays: NodeOverlaySpec[]) =>
    planOf({ pools: [pool([M5])], pods: [], nodeOverlays }).overlayConflicts;

  test('apply the price of the heaviest overlay for each offering', () => {
    const { cheapest, launch } = claimOf(
      [
        overlay('light', [], { priceChange: '0.05', weight: 1 }),
        overlay('heavy', [SPOT], { priceChange: '0.2', weight: 10 }),
      ],
      [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'spot', 'on-demand')],
    );
    expect(cheapest).toMatchObject({ capacityType: 'on-demand', usdPerHour: 0.05 });
    expect(launch).toMatchObject({ capacityType: 'on-demand' });
  });

  test('apply the capacity of the heaviest overlay for each resource, and add other resources', () => {
    const nodeOverlays = [
      overlay('light', [], { capacity: { 'a.com/x': 1, 'a.com/y': 1 }, weight: 1 }),
      overlay('heavy', [], { capacity: { 'a.com/x': 5 }, weight: 10 }),
    ];
    const plan = planOf({ pools: [pool([M5])], pods: [pods('both', 1, { 'a.com/x': 5, 'a.com/y': 1 })], nodeOverlays });
    expect(plan.unschedulable).toEqual([]);
    expect(
      planOf({ pools: [pool([M5])], pods: [pods('both', 1, { 'a.com/y': 2 })], nodeOverlays }).unschedulable,
    ).toHaveLength(1);
  });

  test('apply only the last by name if two of equal weight set the same price, and reject the other in all pools', () => {
    const plan = planOf({
      pools: [pool([M5], { name: 'a' }), pool([ofTypes('c5.large')], { name: 'b' })],
      pods: [pods('x', 1, { 'a.com/x': 1 }), SMALL],
      nodeOverlays: [
        overlay('first', [], { priceChange: '-10%', capacity: { 'a.com/x': 1 } }),
        overlay('second', [isIn('karpenter.sh/nodepool', 'b')], { priceChange: '0.01' }),
      ],
    });
    expect(plan.overlayConflicts).toEqual([
      { overlay: 'first', nodePool: 'b', instanceType: expect.any(String), what: 'price' },
    ]);
    expect(plan.unschedulable.map(({ pod }) => pod)).toEqual(['default/x-0']);
    expect(plan.nodeClaims[0].cheapest).toMatchObject({ instanceType: 'c5.large', usdPerHour: 0.01 });
  });

  test.each<[string, readonly [Fields, Fields], string | undefined]>([
    ['the same resource', [{ capacity: { 'a.com/x': 1 } }, { capacity: { 'a.com/x': 1 } }], 'a.com/x'],
    ['different resources', [{ capacity: { 'a.com/x': 1 } }, { capacity: { 'a.com/y': 1 } }], undefined],
    ['a price and a resource', [{ priceChange: '+1' }, { capacity: { 'a.com/y': 1 } }], undefined],
    ['different weights', [{ priceChange: '+1', weight: 1 }, { priceChange: '+1' }], undefined],
  ])('conflict check with %s', (_, [left, right], what) => {
    expect(
      conflictsOf(overlay('a', [], left), overlay('b', [], right)).map((conflict) => [conflict.overlay, conflict.what]),
    ).toEqual(what ? [['a', what]] : []);
  });

  test('do not conflict without a common offering', () => {
    expect(
      conflictsOf(overlay('a', [SPOT], { priceChange: '+1' }), overlay('b', [ON_DEMAND], { priceChange: '+1' })),
    ).toEqual([]);
  });

  test('compare a resource only with the previous overlay of equal weight', () => {
    const [x, y] = [{ capacity: { 'a.com/x': 1 } }, { capacity: { 'a.com/y': 1 } }];
    expect(
      conflictsOf(overlay('c', [], x), overlay('b', [], y), overlay('a', [], { capacity: { 'a.com/x': 9 } })),
    ).toEqual([]);
  });
});
