import { openReservationUnused } from '../../../../src/validation/rules/instance-selection/open-reservation-unused';
import { deployment, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = openReservationUnused;
const ID = 'cr-0aaaaaaaaaaaaaaa1';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const RESERVATION = {
  CapacityReservationId: ID,
  OwnerId: '111122223333',
  InstanceType: 'c7i.2xlarge',
  InstancePlatform: 'Linux/UNIX',
  AvailabilityZone: 'us-east-1a',
  AvailableInstanceCount: 5,
  State: 'active',
  InstanceMatchCriteria: 'open',
  Tags: [{ Key: 'use', Value: 'peak' }],
};
const WEB = deployment('web', {}, { replicas: 3, requests: { cpu: '6', memory: '8Gi' } });

function judgeWith(
  reservation: object,
  { terms, capacityTypes = ['on-demand'] }: { terms?: object[]; capacityTypes?: string[] } = {},
  featureGates?: object,
) {
  const pool = nodePool('core', { requirements: [types('c7i.2xlarge'), oneOf(CAPACITY_TYPE, ...capacityTypes)] });
  const text = JSON.stringify({ CapacityReservations: [{ ...RESERVATION, ...reservation }] });
  return judge(
    rule,
    [nodeClass('default', terms === undefined ? {} : { capacityReservationSelectorTerms: terms }), pool, WEB],
    { cluster: [{ path: 'reservations.json', text }], region: 'us-east-1', featureGates: { ...featureGates } },
  );
}

describe('KARP-257 open-reservation-unused', () => {
  test('reports nodes on demand beside an open reservation that nothing selects', () => {
    const { findings } = judgeWith({});
    expect(findings).toMatchObject([
      {
        path: ['spec', 'capacityReservationSelectorTerms'],
        remedy: `add id: ${ID} to capacityReservationSelectorTerms, and allow reserved in karpenter.sh/capacity-type of NodePool core; or turn the feature gate ReservedCapacity off`,
        evidence: { reservation: ID, instanceType: 'c7i.2xlarge', zone: 'us-east-1a', free: 5, nodes: 3 },
      },
    ]);
    expect(findings[0].message).toContain('$1.07/h is paid twice');
    expect(findings[0].also).toMatchObject([{ fix: { edits: [{ operation: 'append', value: 'reserved' }] } }]);
  });

  test('has a fix if the NodePool allows reserved capacity', () => {
    expect(judgeWith({}, { capacityTypes: ['on-demand', 'reserved'] }).findings[0].fix).toMatchObject({
      edits: [{ operation: 'append', value: { id: ID } }],
    });
  });

  test.each([
    ['a targeted reservation', { InstanceMatchCriteria: 'targeted' }, {}],
    ['a reservation that has ended', { State: 'expired' }, {}],
    ['a reservation without unused instances', { AvailableInstanceCount: 0 }, {}],
  ])('does not apply to %s', (_, reservation, given) => {
    expect(judgeWith(reservation, given).outcomes).toEqual([]);
  });

  test.each([
    ['of another instance type', { InstanceType: 'c7i.large' }, {}],
    ['that a class selects by its id', {}, { terms: [{ id: ID }] }],
    ['that a class selects by its tags', {}, { terms: [{ tags: { use: 'peak' } }] }],
  ])('passes a reservation %s', (_, reservation, given) => {
    expect(judgeWith(reservation, given).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply if the feature gate is off, because EC2 then uses the reservation', () => {
    expect(judgeWith({}, {}, { ReservedCapacity: false }).outcomes).toEqual([]);
  });
});
