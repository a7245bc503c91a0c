import {
  ALL_CONTROLLER_FEATURES, controllerPolicies, CONTROLLER_STATEMENTS, ControllerFeature, findOversize, longestControllerPolicies,
  NEWEST_KARPENTER_VERSION, PolicySubject, POLICY_CHANGES, policyCharacters,
} from '../../../src/contract';
import { compareStatements } from '../../support/iam/compare-statements';
import { publishedPolicies } from '../../support/iam/published-policies';

/** Upstream's own placeholders, so that its statements can be compared as they stand. */
const UPSTREAM: PolicySubject = {
  partition: '${AWS::Partition}',
  region: '${AWS::Region}',
  account: '${AWS::AccountId}',
  clusterName: '${ClusterName}',
  nodeRoles: ['${KarpenterNodeRole.Arn}'],
  interruptionQueue: '${KarpenterInterruptionQueue.Arn}',
};

const SHOP: PolicySubject = {
  partition: 'aws',
  region: 'eu-west-1',
  account: '111122223333',
  clusterName: 'shop',
  nodeRoles: ['arn:aws:iam::111122223333:role/shop-nodes'],
  interruptionQueue: 'arn:aws:sqs:eu-west-1:111122223333:shop',
};

const without = (...features: ControllerFeature[]) => new Set([...ALL_CONTROLLER_FEATURES].filter((each) => !features.includes(each)));
const statementsOf = (karpenterVersion: string, features?: ReadonlySet<ControllerFeature>, subject: PolicySubject = SHOP) =>
  controllerPolicies(subject, { karpenterVersion, features }).flatMap(({ statements }) => statements);
const actionsOf = (...args: Parameters<typeof statementsOf>) => statementsOf(...args).flatMap(({ Action }) => Action);

describe('policies of the controller', () => {
  test.each(publishedPolicies().map((published) => [published.release, published] as const))(
    'are those that upstream publishes for %s, statement by statement', (release, published) => {
      expect(compareStatements(statementsOf(`${release}.0`, undefined, UPSTREAM), published.statements)).toEqual([]);
    });

  test('are split as upstream splits them', () => {
    const published = publishedPolicies().slice(-1)[0];
    const ours = controllerPolicies(UPSTREAM, { karpenterVersion: NEWEST_KARPENTER_VERSION });
    expect(Object.fromEntries(ours.map(({ name, statements }) => [name, statements.map(({ Sid }) => Sid)]))).toEqual(published.policies);
  });

  test('are recorded for the newest release', () => {
    expect(publishedPolicies().slice(-1)[0].release).toBe(NEWEST_KARPENTER_VERSION.split('.').slice(0, 2).join('.'));
  });

  test('name the source of every release from which a part of them is', () => {
    const since = CONTROLLER_STATEMENTS.flatMap(({ since: own, actions, resources }) =>
      [own, ...[...actions, ...resources].map((part) => (typeof part === 'string' ? undefined : part.since))]).filter((each) => each !== undefined);
    expect(POLICY_CHANGES.map(({ release }) => release)).toEqual(expect.arrayContaining([...new Set(since)]));
  });

  test('leave out statements of later releases', () => {
    expect(statementsOf('1.11.0')).toHaveLength(17);
    expect(statementsOf('1.12.0')).toHaveLength(18);
    expect(actionsOf('1.14.1')).not.toContain('ec2:RebootInstances');
  });

  test('are for this cluster, this region and this account', () => {
    const text = JSON.stringify(statementsOf(NEWEST_KARPENTER_VERSION));
    expect(text).not.toContain('${');
    expect(text).toContain('aws:ResourceTag/kubernetes.io/cluster/shop');
    expect(text).toContain('arn:aws:eks:eu-west-1:111122223333:cluster/shop');
  });

  test.each<[ControllerFeature, string]>([
    ['instanceProfiles', 'iam:CreateInstanceProfile'],
    ['instanceProfiles', 'iam:TagInstanceProfile'],
    ['instanceProfiles', 'iam:DeleteInstanceProfile'],
    ['instanceProfileReads', 'iam:ListInstanceProfiles'],
    ['capacityReservations', 'ec2:DescribeCapacityReservations'],
    ['placementGroups', 'ec2:DescribePlacementGroups'],
    ['interruptionQueue', 'sqs:ReceiveMessage'],
    ['zonalShift', 'arc-zonal-shift:GetManagedResource'],
    ['priceList', 'pricing:GetProducts'],
    ['nodeReboot', 'ec2:RebootInstances'],
  ])('without %s do not allow %s', (feature, action) => {
    expect(actionsOf(NEWEST_KARPENTER_VERSION)).toContain(action);
    expect(actionsOf(NEWEST_KARPENTER_VERSION, without(feature))).not.toContain(action);
  });

  test('still pass the role of nodes where Karpenter makes no instance profiles', () => {
    expect(actionsOf(NEWEST_KARPENTER_VERSION, without('instanceProfiles'))).toContain('iam:PassRole');
  });

  test('launch into capacity reservations and placement groups only where they are used', () => {
    const resources = statementsOf(NEWEST_KARPENTER_VERSION, without('capacityReservations', 'placementGroups')).flatMap(({ Resource }) => Resource);
    expect(resources.filter((each) => /capacity-reservation|placement-group/.test(each))).toEqual([]);
  });

  test('say nothing of a queue where there is none', () => {
    const names = controllerPolicies({ ...SHOP, interruptionQueue: undefined }, { karpenterVersion: '1.15.1' }).map(({ name }) => name);
    expect(names).toEqual(['NodeLifecycle', 'IAMIntegration', 'EKSIntegration', 'ZonalShift', 'ResourceDiscovery']);
  });
});

describe('sizes of the policies', () => {
  test.each(longestControllerPolicies().map(({ name, statements }) => [name, statements] as const))(
    'hold for %s, whatever the cluster and the region are called', (name, statements) => {
      expect(findOversize(name, statements)).toBeUndefined();
    });

  test('are why there is more than one policy: together they are too long for names that EKS takes', () => {
    const all = longestControllerPolicies().flatMap(({ statements }) => statements);
    expect(findOversize('all', all)).toMatch(/^all: must have at most 6144 characters as a managed policy, got \d+; split it in two policies$/);
  });

  test('count what IAM counts: no white space', () => {
    const [statement] = statementsOf('1.15.1');
    expect(policyCharacters([{ ...statement, Sid: 'a b\n c' }])).toBe(policyCharacters([{ ...statement, Sid: 'abnc' }]) + 1);
  });
});
