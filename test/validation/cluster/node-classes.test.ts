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
const RESERVATION = { id: 'cr-1', instanceType: 'm5.large', availabilityZone: 'us-east-1d', instanceMatchCriteria: 'targeted', ownerID: '123456789012', reservationType: 'default', state: 'active' };

/** The class of the manifests, with what Karpenter has found by its selectors. */
function nodeClass(status: Plain, spec: Plain = {}): Plain {
  return object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', { spec: { ...SPEC, ...spec }, status });
}

const inZones = (...zones: string[]) => ({ subnets: zones.map((zone, i) => ({ id: `subnet-${i}`, zone })) });
const counted = (count: number): SourceFile => ({ path: 'reservations.json', text: JSON.stringify({ CapacityReservations: [{ CapacityReservationId: 'cr-1', AvailableInstanceCount: count }] }) });

function verdict(items: Plain[], options: CheckOptions = {}, more: SourceFile[] = []): Verdict {
  return check(manifests(POOL, NODE_CLASS, WEB), { ...options, cluster: [...dump(...items), ...more] });
}

describe('a node class of the cluster', () => {
  test('says which zones its subnets are in', () => {
    expect(verdict([nodeClass(inZones('us-east-1f', 'us-east-1d'))]).nodePools[0].zones).toEqual(['us-east-1d', 'us-east-1f']);
  });

  test('says which region it is in, unless somebody else does', () => {
    const frankfurt = [nodeClass(inZones('eu-central-1b'))];
    expect(verdict(frankfurt).nodeClaims[0].launch?.cheapest).toMatchObject({ zone: 'eu-central-1b', usdPerHour: expect.any(Number) });
    expect(verdict(frankfurt).assumptions.join()).toContain('eu-central-1');
    expect(verdict(frankfurt, { region: 'us-east-1' }).assumptions.join()).toContain('published ones of us-east-1');
  });

  test('may leave the region to the nodes', () => {
    const node = karpenterNode('n1', { labels: { 'topology.kubernetes.io/region': 'eu-west-1' } });
    expect(verdict([node, nodeClaim('c', { of: 'n1' })]).nodePools[0].zones).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('tells nothing of the zones where the manifest selects other subnets', () => {
    const result = verdict([nodeClass(inZones('us-east-1f'), { subnetSelectorTerms: [{ tags: { a: 'c' } }] })]);
    expect(result.nodePools[0].zones).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
    expect(result.assumptions).toContain('EC2NodeClass main selects other subnets than in the cluster: their zones are not known');
  });

  test.each<Plain>([{ subnets: 7 }, { subnets: [7, { zone: 8 }] }, { capacityReservations: [{ id: 'cr-1' }, null] }, { capacityReservations: {} }])('with the status %j is as without', (status) => {
    expect(verdict([nodeClass(status)]).nodePools[0]).toMatchObject({ zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'], capacityTypes: ['on-demand'] });
  });
});

describe('capacity reservations of a node class', () => {
  const CLASS = nodeClass({ ...inZones('us-east-1d'), capacityReservations: [RESERVATION] });

  test('are used as far as AWS says that instances are free', () => {
    const { nodeClaims, unschedulable, assumptions } = verdict([CLASS], {}, [counted(1)]);
    expect(nodeClaims.map(({ launch }) => launch?.cheapest.reservation)).toEqual(['cr-1', undefined]);
    expect(unschedulable).toEqual([]);
    expect(assumptions).toContainEqual(expect.stringMatching(/^1 pod waits for another pass: /));
  });

  test('are used however many there are', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ ...RESERVATION, id: `cr-of-${at}`, instanceType: 'c5.large' }));
    const { nodeClaims, assumptions } = verdict([nodeClass({ ...inZones('us-east-1d'), capacityReservations: [...many, RESERVATION] })], {}, [counted(1)]);
    expect(nodeClaims[0].launch?.cheapest).toMatchObject({ instanceType: 'm5.large', reservation: 'cr-1' });
    expect(assumptions.filter((each) => each.includes('capacity reservations:'))).toEqual([]);
  });

  test('are no help when they are full', () => {
    expect(verdict([CLASS], {}, [counted(0)]).nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['on-demand'], ['on-demand']]);
  });

  test('have room for all where nobody says how much, and the verdict says so', () => {
    const { nodeClaims, assumptions } = verdict([CLASS]);
    expect(nodeClaims.map(({ capacityTypes }) => capacityTypes)).toEqual([['reserved'], ['reserved']]);
    expect(assumptions).toContain('capacity reservations are taken to have room for every node where nobody has counted: cr-1');
  });

  test('are not there while their gate is closed', () => {
    expect(verdict([CLASS], { featureGates: { ReservedCapacity: false } }).nodeClaims[0].capacityTypes).toEqual(['on-demand']);
    // It is open by default from 1.6 on.
    const firstOf = (options: CheckOptions) => verdict([CLASS], options).nodeClaims[0].capacityTypes;
    expect([firstOf({ karpenterVersion: '1.5' }), firstOf({ karpenterVersion: '1.6.0' })]).toEqual([['on-demand'], ['reserved']]);
    expect(firstOf({ karpenterVersion: '1.5', featureGates: { ReservedCapacity: true } })).toEqual(['reserved']);
  });

  test('are not known where the manifest selects others', () => {
    const result = verdict([nodeClass({ capacityReservations: [{ ...RESERVATION, availabilityZone: 'us-east-1a' }] }, { capacityReservationSelectorTerms: [{ id: 'cr-1' }] })]);
    expect(result.nodeClaims[0].capacityTypes).toEqual(['on-demand']);
    expect(result.assumptions).toContain('EC2NodeClass main selects other capacity reservations than in the cluster: none is known');
  });
});
