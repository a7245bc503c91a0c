import { check, renderHtml, renderMarkdown, renderText } from '../../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../../setup';

const M5_LARGE = 0.096;
const RESERVATION = {
  CapacityReservationId: 'cr-0aaaaaaaaaaaaaaa1',
  InstanceType: 'm5.large',
  InstancePlatform: 'Linux/UNIX',
  AvailabilityZone: 'us-east-1a',
  AvailableInstanceCount: 2,
  State: 'active',
  InstanceMatchCriteria: 'open',
};
const ZONE = '      nodeSelector: { topology.kubernetes.io/zone: us-east-1a }\n';

function verdictWith(reservations: readonly object[], isGateOn = false) {
  const text = JSON.stringify({ CapacityReservations: reservations });
  const files = manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 3, 'cpu: 1500m, memory: 1Gi', ZONE));
  return check(files, {
    karpenterVersion: '1.15.1',
    region: 'us-east-1',
    cluster: [{ path: 'reservations.json', text }],
    featureGates: { ReservedCapacity: isGateOn },
  });
}

describe('nodes in open capacity reservations', () => {
  const verdict = verdictWith([RESERVATION]);

  test('are as many as the reservation has free instances, and their price is paid for already', () => {
    expect(verdict.summary.cost.usdPerHour).toBeCloseTo(3 * M5_LARGE, 6);
    expect(verdict.summary.cost.openReservations).toEqual({
      usdPerHour: 0.192,
      reservations: [{ id: 'cr-0aaaaaaaaaaaaaaa1', instanceType: 'm5.large', zone: 'us-east-1a', nodes: 2 }],
    });
  });

  test('are a sentence of the reports', () => {
    const sentence =
      '2 nodes run in the open capacity reservation cr-0aaaaaaaaaaaaaaa1, so that $0.1920/h of the price is paid for already.';
    expect(renderText(verdict, { width: 200 })).toContain(sentence);
    expect(renderMarkdown(verdict)).toContain('of the price is paid for already.');
    expect(renderHtml(verdict, undefined, [])).toContain(sentence);
  });

  test('are counted once, in the first reservation with room', () => {
    const other = { ...RESERVATION, CapacityReservationId: 'cr-0aaaaaaaaaaaaaaa2' };
    const { openReservations } = verdictWith([RESERVATION, other]).summary.cost;
    expect(openReservations!.reservations.map(({ nodes }) => nodes)).toEqual([2, 1]);
    expect(openReservations!.usdPerHour).toBeCloseTo(3 * M5_LARGE, 6);
  });

  test.each([
    ['another zone', { AvailabilityZone: 'us-east-1b' }],
    ['another type', { InstanceType: 'm5.xlarge' }],
    ['dedicated tenancy', { Tenancy: 'dedicated' }],
    ['a placement group', { PlacementGroupArn: 'arn:aws:ec2:us-east-1:111122223333:placement-group/group' }],
    ['targeted instances', { InstanceMatchCriteria: 'targeted' }],
  ])('are none in a reservation of %s', (_, fields) => {
    expect(verdictWith([{ ...RESERVATION, ...fields }]).summary.cost.openReservations).toBeUndefined();
  });

  test('are none if Karpenter opts out of open reservations', () => {
    expect(verdictWith([RESERVATION], true).summary.cost.openReservations).toBeUndefined();
  });
});
