import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../src/catalog';
import { NodePoolSpec, PodGroup, SchedulePlan, SchedulingSettings } from '../../../src/scheduling';
import { isIn, ofTypes, planOf, podCounts, pods, pool } from '../builders';

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const RESERVATION_ID = 'karpenter.k8s.aws/capacity-reservation-id';
const M5 = 'm5.large';

function reservation(id: string, more: Partial<ReservationFacts> = {}): ReservationFacts {
  return {
    id,
    instanceType: M5,
    zone: 'us-east-1a',
    type: 'default',
    interruptible: false,
    expiring: false,
    free: 1,
    ...more,
  };
}

/** A pool that allows reserved capacity and, by default, on-demand. */
function reservedPool(
  types: readonly string[],
  more: Partial<NodePoolSpec> & { readonly only?: boolean } = {},
): NodePoolSpec {
  const { only, ...fields } = more;
  return {
    ...pool([]),
    requirements: [ofTypes(...types), isIn(CAPACITY_TYPE, ...(only ? ['reserved'] : ['reserved', 'on-demand']))],
    ...fields,
  };
}

function plan(
  reservations: readonly ReservationFacts[],
  groups: readonly PodGroup[],
  pools = [reservedPool([M5, 'c5.large'])],
): SchedulePlan {
  return planOf({ pools, pods: groups, nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }] });
}

/** Large pods: each one needs its own node. */
const large = (count: number, more = {}) => pods('large', count, { cpu: '1200m' }, more);
const messages = ({ unschedulable }: SchedulePlan) =>
  unschedulable.map(({ reasons }) => reasons.map(({ message }) => message));

const KEPT = 'one or more instance types with compatible reserved offerings are available, but could not be reserved';
const FULL = 'all compatible reserved offerings are full and no on-demand or spot fallback is available';

describe('reserved capacity', () => {
  test('is used first, at a ten-millionth of the on-demand price', () => {
    const [claim] = plan([reservation('cr-1')], [large(1)]).nodeClaims;
    expect(claim.capacityTypes).toEqual(['reserved']);
    expect(claim.zones).toEqual(['us-east-1a']);
    expect(claim.cheapest).toEqual({
      instanceType: M5,
      zone: 'us-east-1a',
      capacityType: 'reserved',
      usdPerHour: 0.096 / 1e7,
      reservation: 'cr-1',
    });
    expect(claim.launch).toMatchObject({
      capacityType: 'reserved',
      allocationStrategy: 'lowest-price',
      instanceTypes: [M5],
      zones: ['us-east-1a'],
    });
  });

  test('lists unreserved types of the claim after the reserved types', () => {
    expect(plan([reservation('cr-1')], [large(1)]).nodeClaims[0].instanceTypes).toEqual([M5, 'c5.large']);
  });

  test('keeps all zones of the claim for minValues, although only one zone has a reservation', () => {
    const spread = { key: 'topology.kubernetes.io/zone', operator: 'Exists' as const, minValues: 2 };
    const [open] = [reservedPool([M5])].map((each) => ({ ...each, requirements: [...each.requirements, spread] }));
    const { nodeClaims, unschedulable } = plan([reservation('cr-1')], [large(1)], [open]);
    expect(unschedulable).toEqual([]);
    expect(nodeClaims[0].launch).toMatchObject({ capacityType: 'reserved', zones: ['us-east-1a'] });
    const inOne = large(1, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1a' } });
    expect(messages(plan([reservation('cr-1')], [inOne], [open]))[0][0]).toMatch(
      'minValues requirement is not met for label(s) (label(s)=[topology.kubernetes.io/zone])',
    );
  });

  test('works with more than 64 reservations', () => {
    const many = ['m5.large', 'c5.large', 'r5.large', 'm6i.large'].flatMap((instanceType, at) =>
      Array.from({ length: 10 }, (_, nth) =>
        reservation(`cr-${at}${nth}`, { instanceType, zone: nth === 0 ? 'us-east-1a' : 'us-east-1b' }),
      ),
    );
    const inLast = large(1, { nodeSelector: { [RESERVATION_ID]: 'cr-39' } });
    expect(
      plan(many, [inLast], [reservedPool(['m5.large', 'c5.large', 'r5.large', 'm6i.large'])]).nodeClaims[0].cheapest,
    ).toMatchObject({ instanceType: 'm6i.large', zone: 'us-east-1b', reservation: 'cr-39' });
  });

  test('launches nothing without a reservation', () => {
    const { nodeClaims } = plan([], [large(1)]);
    expect(nodeClaims[0].capacityTypes).toEqual(['on-demand']);
  });

  test('falls back to on-demand if the reservation is full', () => {
    const { nodeClaims, unschedulable } = plan([reservation('cr-1', { free: 0 })], [large(2)]);
    expect(nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['on-demand'], ['on-demand']]);
    expect(unschedulable).toEqual([]);
  });

  test('refuses pods if the reservation is full and nothing else is allowed', () => {
    const result = plan([reservation('cr-1', { free: 0 })], [large(1)], [reservedPool([M5], { only: true })]);
    expect(messages(result)).toEqual([[FULL]]);
    expect(result.unschedulable[0].reasons[0].diagnosis).toBe('capacity reservation cr-1 has no free instance');
  });

  test('does not relax a pod while its reservation is full: other pools refuse it by PreferNoSchedule taints', () => {
    const rather = reservedPool([M5], {
      name: 'rather',
      weight: 2,
      taints: [{ key: 'spot', effect: 'PreferNoSchedule' }],
    });
    const result = plan([reservation('cr-1', { free: 0 })], [large(1)], [rather, reservedPool([M5], { only: true })]);
    expect(messages(result)).toEqual([['did not tolerate taint (taint=spot:PreferNoSchedule)', FULL]]);
  });

  test('defers the second pod if one instance is free, and does not launch it on demand', () => {
    const result = plan([reservation('cr-1')], [large(2)]);
    expect(podCounts(result)).toEqual([1]);
    expect(messages(result)).toEqual([[KEPT]]);
  });

  test('does not relax a pod while other claims hold the reservation: other pools refuse it by PreferNoSchedule taints', () => {
    const spared = {
      ...pool([]),
      name: 'spared',
      weight: 10,
      taints: [{ key: 'spared', effect: 'PreferNoSchedule' } as const],
    };
    const result = plan([reservation('cr-1')], [large(2)], [spared, reservedPool([M5])]);
    expect(messages(result)).toEqual([['did not tolerate taint (taint=spared:PreferNoSchedule)', KEPT]]);
  });

  test('is held by a claim in every reservation that it could use', () => {
    const result = plan([reservation('cr-1'), reservation('cr-2', { zone: 'us-east-1b' })], [large(2)]);
    expect(podCounts(result)).toEqual([1]);
    expect(result.nodeClaims[0].zones).toEqual(['us-east-1a', 'us-east-1b']);
    expect(messages(result)).toEqual([[KEPT]]);
  });

  test('is released when a claim can no longer use it', () => {
    const zone = (name: string, cpu: string, count: number, at: string) =>
      pods(name, count, { cpu }, { nodeSelector: { 'topology.kubernetes.io/zone': at } });
    const both = [reservation('cr-a'), reservation('cr-b', { zone: 'us-east-1b' })];
    const result = plan(both, [
      pods('any', 1, { cpu: '1200m' }),
      zone('a', '500m', 1, 'us-east-1a'),
      zone('b', '400m', 1, 'us-east-1b'),
    ]);
    expect(result.unschedulable).toEqual([]);
    expect(result.nodeClaims.map(({ zones, pods: names }) => [zones, names])).toEqual([
      [['us-east-1a'], ['default/any-0', 'default/a-0']],
      [['us-east-1b'], ['default/b-0']],
    ]);
  });

  test('allows as many nodes as free instances', () => {
    expect(podCounts(plan([reservation('cr-1', { free: 3 })], [large(3)]))).toEqual([1, 1, 1]);
    expect(podCounts(plan([reservation('cr-1', { free: undefined })], [large(5)]))).toHaveLength(5);
  });

  test('does not schedule a deferred pod onto a pool of lower weight', () => {
    const pools = [reservedPool([M5], { name: 'heavy', weight: 10 }), reservedPool(['c5.large'], { name: 'light' })];
    const result = plan([reservation('cr-1')], [large(2)], pools);
    expect(result.nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['heavy']);
    expect(result.unschedulable[0].reasons).toMatchObject([
      {
        nodePool: 'heavy',
        message: KEPT,
        diagnosis:
          'deferred: new nodes hold every reservation that the pod could use until they are launched; then Karpenter tries again',
      },
    ]);
  });

  test('does not relax preferences of a deferred pod', () => {
    const preferred = {
      preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn(CAPACITY_TYPE, 'reserved')] } }],
    };
    expect(messages(plan([reservation('cr-1')], [large(2, preferred)]))).toEqual([[KEPT]]);
  });

  test('does not add a pod to a claim that would lose its reservations', () => {
    const onDemand = pods('od', 1, { cpu: '100m' }, { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } });
    const result = plan([reservation('cr-1')], [pods('any', 1, { cpu: '200m' }), onDemand]);
    expect(result.nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['reserved'], ['on-demand']]);
  });

  test.each<[string, Partial<ReservationFacts>]>([
    ['an expiring reservation', { expiring: true }],
    ['a reservation in a zone without a subnet', { zone: 'us-east-1f' }],
    ['a reservation of an excluded type', { instanceType: 'r5.large' }],
  ])('does not use %s', (_, more) => {
    expect(plan([reservation('cr-1', more)], [large(1)]).nodeClaims[0].capacityTypes).toEqual(['on-demand']);
  });

  test.each([
    [['cr-2'], ['us-east-1b']],
    [
      ['cr-1', 'cr-2'],
      ['us-east-1a', 'us-east-1b'],
    ],
  ])('can be selected by id: %j', (ids, zones) => {
    const both = [reservation('cr-1'), reservation('cr-2', { zone: 'us-east-1b' })];
    const affinity = { requiredNodeAffinity: [{ matchExpressions: [isIn(RESERVATION_ID, ...ids)] }] };
    expect(plan(both, [large(1, affinity)]).nodeClaims[0].zones).toEqual(zones);
  });

  test('is not used by a pod that selects another reservation', () => {
    const { unschedulable } = plan([reservation('cr-1')], [large(1, { nodeSelector: { [RESERVATION_ID]: 'cr-9' } })]);
    expect(unschedulable).toHaveLength(1);
  });

  describe('at launch', () => {
    const launch = (reservations: readonly ReservationFacts[], types = [M5, 'm5.xlarge']) =>
      plan(reservations, [large(1)], [reservedPool(types)]).nodeClaims[0].launch!;

    test('uses one kind of reservation: the kind with the cheapest type', () => {
      const block = reservation('cr-b', { type: 'capacity-block' });
      expect(launch([block, reservation('cr-x', { instanceType: 'm5.xlarge' })])).toMatchObject({
        instanceTypes: [M5],
        allocationStrategy: 'none',
      });
    });

    test.each<[string, Partial<ReservationFacts>, string]>([
      ['a capacity block', { type: 'capacity-block' }, 'cr-2'],
      ['an interruptible reservation', { interruptible: true }, 'cr-2'],
    ])('prefers an ordinary reservation to %s of equal price', (_, more, id) => {
      expect(launch([reservation('cr-1', more), reservation('cr-2')]).cheapest.reservation).toBe(id);
    });

    test('uses a single capacity block', () => {
      const blocks = [
        reservation('cr-1', { type: 'capacity-block', instanceType: 'm5.xlarge' }),
        reservation('cr-2', { type: 'capacity-block' }),
      ];
      expect(launch(blocks)).toMatchObject({ instanceTypes: [M5], cheapest: { reservation: 'cr-2' } });
    });

    test('uses the reservation with the most free instances for a type and zone', () => {
      expect(launch([reservation('cr-1'), reservation('cr-2', { free: 2 })]).cheapest.reservation).toBe('cr-2');
    });
  });
});

describe('reserved capacity in a disruption simulation', () => {
  const fallback = (
    reservations: readonly ReservationFacts[],
    groups: readonly PodGroup[],
    pools = [reservedPool([M5, 'c5.large'])],
  ) =>
    planOf({
      pools,
      pods: groups,
      nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }],
      settings: { reservedOfferings: 'Fallback' },
    });

  test('schedules the second pod with other offerings if a claim holds the reservation', () => {
    const { nodeClaims, unschedulable } = fallback([reservation('cr-1')], [large(2)]);
    expect(nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['reserved'], ['on-demand', 'reserved']]);
    expect(unschedulable).toEqual([]);
  });

  test('tries pools of lower weight if a pool has only full reservations', () => {
    const pools = [reservedPool([M5], { only: true, weight: 10 }), { ...pool([ofTypes('c5.large')]), name: 'other' }];
    const full = [reservation('cr-1', { free: 0 })];
    expect(plan(full, [large(1)], pools).nodeClaims).toEqual([]);
    expect(fallback(full, [large(1)], pools).nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['other']);
  });

  test('may launch the second node into a reservation that another claim uses, because claims hold none', () => {
    const only = [reservedPool([M5], { only: true })];
    const claims = (settings: SchedulingSettings) =>
      planOf({
        pools: only,
        pods: [large(2)],
        nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations: [reservation('cr-1')] }],
        settings,
      }).nodeClaims.map(({ zones, capacityTypes }) => [...zones, ...capacityTypes]);
    expect(claims({ reservedOfferings: 'Fallback' })).toEqual([
      ['us-east-1a', 'reserved'],
      ['us-east-1a', 'reserved'],
    ]);
    expect(claims({})).toEqual([['us-east-1a', 'reserved']]);
  });

  test('has a different message for full reservations', () => {
    const only = [reservedPool([M5], { only: true })];
    expect(messages(fallback([reservation('cr-1', { free: 0 })], [large(1)], only))).toEqual([
      ['the only compatible reserved offering is full; falling through to other NodePools'],
    ]);
  });
});
