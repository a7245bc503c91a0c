import { CheckOptions, simulateScenario } from '../../../src/validation';
import { dump, object } from '../cluster/dump';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const ID = 'cr-1';
const RESERVED = nodePool(['m5.large']).replace('values: [on-demand]', 'values: [reserved]');
const WEB = deployment('web', 2, 'cpu: 1200m, memory: 64Mi');
const CLASS = object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', {
  spec: {
    role: 'node',
    amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
    subnetSelectorTerms: [{ tags: { a: 'b' } }],
    securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
  },
  status: {
    subnets: [{ id: 'subnet-1', zone: 'us-east-1d' }],
    capacityReservations: [
      {
        id: ID,
        instanceType: 'm5.large',
        availabilityZone: 'us-east-1d',
        instanceMatchCriteria: 'targeted',
        ownerID: '123456789012',
        reservationType: 'default',
        state: 'active',
      },
    ],
  },
});

/** Drift of two nodes in a reservation with `count` instances. */
function decisions(count: number, featureGates: NonNullable<CheckOptions['featureGates']>): string[] {
  const counted = {
    path: 'reservations.json',
    text: JSON.stringify({ CapacityReservations: [{ CapacityReservationId: ID, AvailableInstanceCount: count }] }),
  };
  const { reports } = simulateScenario(manifests(RESERVED, NODE_CLASS, WEB), 'drift', {
    featureGates,
    cluster: [...dump(CLASS), counted],
  });
  return reports[0].timeline.flatMap(({ what }) => /decides to (\S+)/.exec(what)?.[1] ?? []);
}

describe('drift of nodes in a capacity reservation', () => {
  test('uses the instances that planned nodes leave', () => {
    expect(decisions(3, {})).toEqual(['replace', 'replace']);
    expect(decisions(2, {})).toEqual([]);
  });

  test('terminates nodes first with TerminateFirstDrift', () => {
    expect(decisions(2, { TerminateFirstDrift: true })).toEqual(['terminate-first', 'terminate-first']);
    expect(decisions(2, { TerminateFirstRepair: true })).toEqual([]);
  });
});
