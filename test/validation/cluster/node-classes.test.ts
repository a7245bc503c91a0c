import { dump, karpenterNode, nodeClaim, object, Plain } from './dump';
import { check, CheckOptions, SourceFile, Verdict } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const SPEC = {
  role: 'node',
  amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
  subnetSelectorTerms: [{ tags: { a: 'b' } }],
  securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
};
const POOL = nodePool(['m5.large']).replace('values: [on-demand]', 'values: [on-demand, reserved]');
const WEB = deployment('web', 2, 'cpu: 1200m, memory: 64Mi');
const RESERVATION = {
  id: 'cr-1',
  instanceType: 'm5.large',
  availabilityZone: 'us-east-1d',
  instanceMatchCriteria: 'targeted',
  ownerID: '123456789012',
  reservationType: 'default',
  state: 'active',
};

/** The EC2NodeClass of the manifests, with a status as Karpenter writes it. */
function nodeClass(status: Plain, spec: Plain = {}): Plain {
  return object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', { spec: { ...SPEC, ...spec }, status });
}

const inZones = (...zones: string[]) => ({ subnets: zones.map((zone, i) => ({ id: `subnet-${i}`, zone })) });
const counted = (count: number): SourceFile => ({
  path: 'reservations.json',
  text: JSON.stringify({ CapacityReservations: [{ CapacityReservationId: 'cr-1', AvailableInstanceCount: count }] }),
});

function verdict(items: Plain[], options: CheckOptions = {}, more: SourceFile[] = []): Verdict {
  return check(manifests(POOL, NODE_CLASS, WEB), { ...options, cluster: [...dump(...items), ...more] });
}

describe('status of an EC2NodeClass in the cluster', () => {
  test('gives the zones of its subnets', () => {
    expect(verdict([nodeClass(inZones('us-east-1f', 'us-east-1d'))]).nodePools[0].zones).toEqual([
      'us-east-1d',
      'us-east-1f',
    ]);
  });

  test('gives the region unless an option sets it', () => {
    const frankfurt = [nodeClass(inZones('eu-central-1b'))];
    expect(verdict(frankfurt).nodeClaims[0].launch?.cheapest).toMatchObject({
      zone: 'eu-central-1b',
      usdPerHour: expect.any(Number),
    });
    expect(verdict(frankfurt).assumptions.join()).toContain('eu-central-1');
    expect(verdict(frankfurt, { region: 'us-east-1' }).assumptions.join()).toContain('on-demand prices of us-east-1');
  });

  test('leaves the region to the labels of the nodes', () => {
    const node = karpenterNode('n1', { labels: { 'topology.kubernetes.io/region': 'eu-west-1' } });
    expect(verdict([node, nodeClaim('c', { of: 'n1' })]).nodePools[0].zones).toEqual([
      'eu-west-1a',
      'eu-west-1b',
      'eu-west-1c',
    ]);
  });

  test('is ignored for zones if the manifest selects other subnets', () => {
    const result = verdict([nodeClass(inZones('us-east-1f'), { subnetSelectorTerms: [{ tags: { a: 'c' } }] })]);
    expect(result.nodePools[0].zones).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
    expect(result.assumptions).toContain(
      'EC2NodeClass main has other subnetSelectorTerms than in the cluster: its zones are unknown',
    );
  });

  test.each<Plain>([
    { subnets: 7 },
    { subnets: [7, { zone: 8 }] },
    { capacityReservations: [{ id: 'cr-1' }, null] },
    { capacityReservations: {} },
  ])('is ignored if it is %j', (status) => {
    expect(verdict([nodeClass(status)]).nodePools[0]).toMatchObject({
      zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
      capacityTypes: ['on-demand'],
    });
  });
});

describe('capacity reservations of a node class', () => {
  const CLASS = nodeClass({ ...inZones('us-east-1d'), capacityReservations: [RESERVATION] });

  test('are used up to the free instances that AWS reports', () => {
    const { nodeClaims, unschedulable, assumptions } = verdict([CLASS], {}, [counted(1)]);
    expect(nodeClaims.map(({ launch }) => launch?.cheapest.reservation)).toEqual(['cr-1', undefined]);
    expect(unschedulable).toEqual([]);
    expect(assumptions).toContainEqual(expect.stringMatching(/^1 pod waits for another pass: /));
  });

  test('are used even if there are many', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...RESERVATION,
      id: `cr-of-${index}`,
      instanceType: 'c5.large',
    }));
    const { nodeClaims, assumptions } = verdict(
      [nodeClass({ ...inZones('us-east-1d'), capacityReservations: [...many, RESERVATION] })],
      {},
      [counted(1)],
    );
    expect(nodeClaims[0].launch?.cheapest).toMatchObject({ instanceType: 'm5.large', reservation: 'cr-1' });
    expect(assumptions.filter((assumption) => assumption.includes('capacity reservations:'))).toEqual([]);
  });

  test('are not used if they are full', () => {
    expect(verdict([CLASS], {}, [counted(0)]).nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([
      ['on-demand'],
      ['on-demand'],
    ]);
  });

  test('have room for every node if the free instances are unknown, which is an assumption', () => {
    const { nodeClaims, assumptions } = verdict([CLASS]);
    expect(nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['reserved'], ['reserved']]);
    expect(assumptions).toContain(
      'these capacity reservations have room for every node, because their free instances are unknown: cr-1',
    );
  });

  test('are not used if the feature gate is off', () => {
    expect(verdict([CLASS], { featureGates: { ReservedCapacity: false } }).nodeClaims[0].capacityTypes).toEqual([
      'on-demand',
    ]);
    // The gate is on by default since 1.6.
    const capacityTypesOf = (options: CheckOptions) => verdict([CLASS], options).nodeClaims[0].capacityTypes;
    expect([capacityTypesOf({ karpenterVersion: '1.5' }), capacityTypesOf({ karpenterVersion: '1.6.0' })]).toEqual([
      ['on-demand'],
      ['reserved'],
    ]);
    expect(capacityTypesOf({ karpenterVersion: '1.5', featureGates: { ReservedCapacity: true } })).toEqual([
      'reserved',
    ]);
  });

  test('are unknown if the manifest selects other reservations', () => {
    const result = verdict([
      nodeClass(
        { capacityReservations: [{ ...RESERVATION, availabilityZone: 'us-east-1a' }] },
        { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
      ),
    ]);
    expect(result.nodeClaims[0].capacityTypes).toEqual(['on-demand']);
    expect(result.assumptions).toContain(
      'EC2NodeClass main has other capacityReservationSelectorTerms than in the cluster: its reservations are unknown',
    );
  });
});
