import { isIn, ofTypes, planOf, podCounts, pods, pool } from './builders';
import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../src/catalog';
import { NodePoolSpec, PodGroup, SchedulePlan, SchedulingSettings } from '../../src/scheduling';

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const RESERVATION_ID = 'karpenter.k8s.aws/capacity-reservation-id';
const M5 = 'm5.large';

function reservation(id: string, more: Partial<ReservationFacts> = {}): ReservationFacts {
  return { id, instanceType: M5, zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, free: 1, ...more };
}

/** A pool that may use reserved capacity and, unless told otherwise, on-demand. */
function reservedPool(types: readonly string[], more: Partial<NodePoolSpec> & { readonly only?: boolean } = {}): NodePoolSpec {
  const { only, ...fields } = more;
  return { ...pool([]), requirements: [ofTypes(...types), isIn(CAPACITY_TYPE, ...(only ? ['reserved'] : ['reserved', 'on-demand']))], ...fields };
}

function plan(reservations: readonly ReservationFacts[], groups: readonly PodGroup[], pools = [reservedPool([M5, 'c5.large'])]): SchedulePlan {
  return planOf({ pools, pods: groups, nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }] });
}

/** So large that each takes a node of its own. */
const large = (count: number, more = {}) => pods('large', count, { cpu: '1200m' }, more);
const messages = ({ unschedulable }: SchedulePlan) => unschedulable.map(({ reasons }) => reasons.map(({ message }) => message));

const KEPT = 'one or more instance types with compatible reserved offerings are available, but could not be reserved';
const FULL = 'all compatible reserved offerings are full and no on-demand or spot fallback is available';

describe('reserved capacity', () => {
  test('is used before anything else, at a ten-millionth of the price', () => {
    const [claim] = plan([reservation('cr-1')], [large(1)]).nodeClaims;
    expect(claim.capacityTypes).toEqual(['reserved']);
    expect(claim.zones).toEqual(['us-east-1a']);
    expect(claim.cheapest).toEqual({ instanceType: M5, zone: 'us-east-1a', capacityType: 'reserved', usdPerHour: 0.096 / 1e7, reservation: 'cr-1' });
    expect(claim.launch).toMatchObject({ capacityType: 'reserved', allocationStrategy: 'lowest-price', instanceTypes: [M5], zones: ['us-east-1a'] });
  });

  test('a claim for it still names the types that it has not, behind those that it has', () => {
    expect(plan([reservation('cr-1')], [large(1)]).nodeClaims[0].instanceTypes).toEqual([M5, 'c5.large']);
  });

  test('leaves the claim the zones that it may name, though it is launched in one of them: minValues count all', () => {
    const spread = { key: 'topology.kubernetes.io/zone', operator: 'Exists' as const, minValues: 2 };
    const [open] = [reservedPool([M5])].map((each) => ({ ...each, requirements: [...each.requirements, spread] }));
    const { nodeClaims, unschedulable } = plan([reservation('cr-1')], [large(1)], [open]);
    expect(unschedulable).toEqual([]);
    expect(nodeClaims[0].launch).toMatchObject({ capacityType: 'reserved', zones: ['us-east-1a'] });
    const inOne = large(1, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1a' } });
    expect(messages(plan([reservation('cr-1')], [inOne], [open]))[0][0]).toMatch('minValues requirement is not met for label(s) (label(s)=[topology.kubernetes.io/zone])');
  });

  test('is found in each of more reservations than a word has bits', () => {
    const many = ['m5.large', 'c5.large', 'r5.large', 'm6i.large'].flatMap((instanceType, at) =>
      Array.from({ length: 10 }, (_, nth) => reservation(`cr-${at}${nth}`, { instanceType, zone: nth === 0 ? 'us-east-1a' : 'us-east-1b' })));
    const inLast = large(1, { nodeSelector: { [RESERVATION_ID]: 'cr-39' } });
    expect(plan(many, [inLast], [reservedPool(['m5.large', 'c5.large', 'r5.large', 'm6i.large'])]).nodeClaims[0].cheapest)
      .toMatchObject({ instanceType: 'm6i.large', zone: 'us-east-1b', reservation: 'cr-39' });
  });

  test('is not there without a reservation', () => {
    const { nodeClaims } = plan([], [large(1)]);
    expect(nodeClaims[0].capacityTypes).toEqual(['on-demand']);
  });

  test('that somebody has used up leaves on-demand', () => {
    const { nodeClaims, unschedulable } = plan([reservation('cr-1', { free: 0 })], [large(2)]);
    expect(nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['on-demand'], ['on-demand']]);
    expect(unschedulable).toEqual([]);
  });

  test('that somebody has used up makes pods wait where there is nothing else', () => {
    const result = plan([reservation('cr-1', { free: 0 })], [large(1)], [reservedPool([M5], { only: true })]);
    expect(messages(result)).toEqual([[FULL]]);
    expect(result.unschedulable[0].reasons[0].diagnosis).toBe('no instance is free in capacity reservation cr-1');
  });

  test('that is full keeps pods from being relaxed: other pools speak of the taints that they would rather not have', () => {
    const rather = reservedPool([M5], { name: 'rather', weight: 2, taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] });
    const result = plan([reservation('cr-1', { free: 0 })], [large(1)], [rather, reservedPool([M5], { only: true })]);
    expect(messages(result)).toEqual([['did not tolerate taint (taint=spot:PreferNoSchedule)', FULL]]);
  });

  test('with room for one node puts the second pod off, rather than launching it on demand', () => {
    const result = plan([reservation('cr-1')], [large(2)]);
    expect(podCounts(result)).toEqual([1]);
    expect(messages(result)).toEqual([[KEPT]]);
  });

  test('that is kept by others leaves a pod unrelaxed: pools whose taints it could be let to tolerate refuse it by these', () => {
    const spared = { ...pool([]), name: 'spared', weight: 10, taints: [{ key: 'spared', effect: 'PreferNoSchedule' } as const] };
    const result = plan([reservation('cr-1')], [large(2)], [spared, reservedPool([M5])]);
    expect(messages(result)).toEqual([['did not tolerate taint (taint=spared:PreferNoSchedule)', KEPT]]);
  });

  test('is kept for a claim in every reservation that it could use', () => {
    const result = plan([reservation('cr-1'), reservation('cr-2', { zone: 'us-east-1b' })], [large(2)]);
    expect(podCounts(result)).toEqual([1]);
    expect(result.nodeClaims[0].zones).toEqual(['us-east-1a', 'us-east-1b']);
    expect(messages(result)).toEqual([[KEPT]]);
  });

  test('that a claim can no longer use is there for the next', () => {
    const zone = (name: string, cpu: string, count: number, at: string) => pods(name, count, { cpu }, { nodeSelector: { 'topology.kubernetes.io/zone': at } });
    const both = [reservation('cr-a'), reservation('cr-b', { zone: 'us-east-1b' })];
    const result = plan(both, [pods('any', 1, { cpu: '1200m' }), zone('a', '500m', 1, 'us-east-1a'), zone('b', '400m', 1, 'us-east-1b')]);
    expect(result.unschedulable).toEqual([]);
    expect(result.nodeClaims.map(({ zones, pods: names }) => [zones, names])).toEqual([
      [['us-east-1a'], ['default/any-0', 'default/a-0']],
      [['us-east-1b'], ['default/b-0']],
    ]);
  });

  test('as much as there is makes as many nodes', () => {
    expect(podCounts(plan([reservation('cr-1', { free: 3 })], [large(3)]))).toEqual([1, 1, 1]);
    expect(podCounts(plan([reservation('cr-1', { free: undefined })], [large(5)]))).toHaveLength(5);
  });

  test('a pod that waits for it is not put on a pool of less weight', () => {
    const pools = [reservedPool([M5], { name: 'heavy', weight: 10 }), reservedPool(['c5.large'], { name: 'light' })];
    const result = plan([reservation('cr-1')], [large(2)], pools);
    expect(result.nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['heavy']);
    expect(result.unschedulable[0].reasons).toMatchObject([
      { nodePool: 'heavy', message: KEPT, diagnosis: 'put off, not refused: new nodes keep every reservation that they could use until they are launched; then Karpenter tries again' },
    ]);
  });

  test('a pod that waits for it gives up no preference', () => {
    const preferred = { preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn(CAPACITY_TYPE, 'reserved')] } }] };
    expect(messages(plan([reservation('cr-1')], [large(2, preferred)]))).toEqual([[KEPT]]);
  });

  test('a pod that would make a claim lose its reservations goes elsewhere', () => {
    const onDemand = pods('od', 1, { cpu: '100m' }, { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } });
    const result = plan([reservation('cr-1')], [pods('any', 1, { cpu: '200m' }), onDemand]);
    expect(result.nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['reserved'], ['on-demand']]);
  });

  test.each<[string, Partial<ReservationFacts>]>([
    ['that is about to end', { expiring: true }],
    ['in a zone without a subnet', { zone: 'us-east-1f' }],
    ['of a type that the pool excludes', { instanceType: 'r5.large' }],
  ])('%s is not used', (_, more) => {
    expect(plan([reservation('cr-1', more)], [large(1)]).nodeClaims[0].capacityTypes).toEqual(['on-demand']);
  });

  test.each([
    [['cr-2'], ['us-east-1b']],
    [['cr-1', 'cr-2'], ['us-east-1a', 'us-east-1b']],
  ])('can be asked for by id: %j', (ids, zones) => {
    const both = [reservation('cr-1'), reservation('cr-2', { zone: 'us-east-1b' })];
    const affinity = { requiredNodeAffinity: [{ matchExpressions: [isIn(RESERVATION_ID, ...ids)] }] };
    expect(plan(both, [large(1, affinity)]).nodeClaims[0].zones).toEqual(zones);
  });

  test('is no way out for a pod that asks for another reservation', () => {
    const { unschedulable } = plan([reservation('cr-1')], [large(1, { nodeSelector: { [RESERVATION_ID]: 'cr-9' } })]);
    expect(unschedulable).toHaveLength(1);
  });

  describe('as it is launched', () => {
    const launch = (reservations: readonly ReservationFacts[], types = [M5, 'm5.xlarge']) =>
      plan(reservations, [large(1)], [reservedPool(types)]).nodeClaims[0].launch!;

    test('is of one kind of reservation: the one with the cheapest type', () => {
      const block = reservation('cr-b', { type: 'capacity-block' });
      expect(launch([block, reservation('cr-x', { instanceType: 'm5.xlarge' })])).toMatchObject({ instanceTypes: [M5], allocationStrategy: 'none' });
    });

    test.each<[string, Partial<ReservationFacts>, string]>([
      ['a capacity block', { type: 'capacity-block' }, 'cr-2'],
      ['an interruptible one', { interruptible: true }, 'cr-2'],
    ])('is an ordinary reservation rather than %s of the same price', (_, more, id) => {
      expect(launch([reservation('cr-1', more), reservation('cr-2')]).cheapest.reservation).toBe(id);
    });

    test('of capacity blocks is one', () => {
      const blocks = [reservation('cr-1', { type: 'capacity-block', instanceType: 'm5.xlarge' }), reservation('cr-2', { type: 'capacity-block' })];
      expect(launch(blocks)).toMatchObject({ instanceTypes: [M5], cheapest: { reservation: 'cr-2' } });
    });

    test('of several reservations of a type in a zone is the one with the most room', () => {
      expect(launch([reservation('cr-1'), reservation('cr-2', { free: 2 })]).cheapest.reservation).toBe('cr-2');
    });
  });
});

describe('reserved capacity in a simulation of disruption', () => {
  const fallback = (reservations: readonly ReservationFacts[], groups: readonly PodGroup[], pools = [reservedPool([M5, 'c5.large'])]) =>
    planOf({ pools, pods: groups, nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }], settings: { reservedOfferings: 'Fallback' } });

  test('that another node keeps leaves the second pod whatever is there when its turn comes, and lets it wait for nothing', () => {
    const { nodeClaims, unschedulable } = fallback([reservation('cr-1')], [large(2)]);
    expect(nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['reserved'], ['on-demand', 'reserved']]);
    expect(unschedulable).toEqual([]);
  });

  test('that is full, and all that a pool has, leaves the pools of less weight', () => {
    const pools = [reservedPool([M5], { only: true, weight: 10 }), { ...pool([ofTypes('c5.large')]), name: 'other' }];
    const full = [reservation('cr-1', { free: 0 })];
    expect(plan(full, [large(1)], pools).nodeClaims).toEqual([]);
    expect(fallback(full, [large(1)], pools).nodeClaims.map(({ nodePool }) => nodePool)).toEqual(['other']);
  });

  test('that another node keeps is what the second may be launched into all the same, as it keeps none and is kept from none', () => {
    const only = [reservedPool([M5], { only: true })];
    const claims = (settings: SchedulingSettings) => planOf({
      pools: only, pods: [large(2)], nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations: [reservation('cr-1')] }], settings,
    }).nodeClaims.map(({ zones, capacityTypes }) => [...zones, ...capacityTypes]);
    expect(claims({ reservedOfferings: 'Fallback' })).toEqual([['us-east-1a', 'reserved'], ['us-east-1a', 'reserved']]);
    expect(claims({})).toEqual([['us-east-1a', 'reserved']]);
  });

  test('that is full, and all that there is, is told in other words than where pods wait for it', () => {
    const only = [reservedPool([M5], { only: true })];
    expect(messages(fallback([reservation('cr-1', { free: 0 })], [large(1)], only))).toEqual([['the only compatible reserved offering is full; falling through to other NodePools']]);
  });
});
