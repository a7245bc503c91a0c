import {
  ALL_CONTROLLER_FEATURES,
  controllerPolicies,
  CONTROLLER_STATEMENTS,
  ControllerFeature,
  oversizeProblem,
  longestControllerPolicies,
  NEWEST_KARPENTER_VERSION,
  PolicyTarget,
  POLICY_CHANGES,
  policyCharacters,
} from '../../../src/contract';
import { compareStatements } from '../../support/iam/compare-statements';
import { publishedPolicies } from '../../support/iam/published-policies';

/** Upstream's placeholders, so that its statements can be compared literally. */
const UPSTREAM: PolicyTarget = {
  partition: '${AWS::Partition}',
  region: '${AWS::Region}',
  account: '${AWS::AccountId}',
  clusterName: '${ClusterName}',
  nodeRoles: ['${KarpenterNodeRole.Arn}'],
  interruptionQueue: '${KarpenterInterruptionQueue.Arn}',
};

const SHOP: PolicyTarget = {
  partition: 'aws',
  region: 'eu-west-1',
  account: '111122223333',
  clusterName: 'shop',
  nodeRoles: ['arn:aws:iam::111122223333:role/shop-nodes'],
  interruptionQueue: 'arn:aws:sqs:eu-west-1:111122223333:shop',
};

const without = (...features: ControllerFeature[]) =>
  new Set([...ALL_CONTROLLER_FEATURES].filter((feature) => !features.includes(feature)));
const statementsOf = (
  karpenterVersion: string,
  features?: ReadonlySet<ControllerFeature>,
  target: PolicyTarget = SHOP,
) => controllerPolicies(target, { karpenterVersion, features }).flatMap(({ statements }) => statements);
const actionsOf = (...args: Parameters<typeof statementsOf>) => statementsOf(...args).flatMap(({ Action }) => Action);

describe('controllerPolicies', () => {
  test.each(publishedPolicies().map((published) => [published.release, published] as const))(
    'equal the statements that upstream publishes for %s',
    (release, published) => {
      expect(compareStatements(statementsOf(`${release}.0`, undefined, UPSTREAM), published.statements)).toEqual([]);
    },
  );

  test("are split into the same policies as upstream's", () => {
    const published = publishedPolicies().slice(-1)[0];
    const ours = controllerPolicies(UPSTREAM, { karpenterVersion: NEWEST_KARPENTER_VERSION });
    expect(Object.fromEntries(ours.map(({ name, statements }) => [name, statements.map(({ Sid }) => Sid)]))).toEqual(
      published.policies,
    );
  });

  test("are compared with upstream's policies of the newest release", () => {
    expect(publishedPolicies().slice(-1)[0].release).toBe(NEWEST_KARPENTER_VERSION.split('.').slice(0, 2).join('.'));
  });

  test('have a documented source for every release that changed them', () => {
    const since = CONTROLLER_STATEMENTS.flatMap(({ since: own, actions, resources }) => [
      own,
      ...[...actions, ...resources].map((part) => (typeof part === 'string' ? undefined : part.since)),
    ]).filter((release) => release !== undefined);
    expect(POLICY_CHANGES.map(({ release }) => release)).toEqual(expect.arrayContaining([...new Set(since)]));
  });

  test('omit statements of later releases', () => {
    expect(statementsOf('1.11.0')).toHaveLength(17);
    expect(statementsOf('1.12.0')).toHaveLength(18);
    expect(actionsOf('1.14.1')).not.toContain('ec2:RebootInstances');
  });

  test('contain the cluster, region and account', () => {
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

  test('allow iam:PassRole without the feature instanceProfiles', () => {
    expect(actionsOf(NEWEST_KARPENTER_VERSION, without('instanceProfiles'))).toContain('iam:PassRole');
  });

  test('allow launches into capacity reservations and placement groups only with these features', () => {
    const resources = statementsOf(
      NEWEST_KARPENTER_VERSION,
      without('capacityReservations', 'placementGroups'),
    ).flatMap(({ Resource }) => Resource);
    expect(resources.filter((resource) => /capacity-reservation|placement-group/.test(resource))).toEqual([]);
  });

  test('have no Interruption policy without a queue', () => {
    const names = controllerPolicies({ ...SHOP, interruptionQueue: undefined }, { karpenterVersion: '1.15.1' }).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['NodeLifecycle', 'IAMIntegration', 'EKSIntegration', 'ZonalShift', 'ResourceDiscovery']);
  });
});

describe('policy size', () => {
  test.each(longestControllerPolicies().map(({ name, statements }) => [name, statements] as const))(
    'of %s fits a managed policy with the longest names',
    (name, statements) => {
      expect(oversizeProblem(name, statements)).toBeUndefined();
    },
  );

  test('of all statements together exceeds a managed policy', () => {
    const all = longestControllerPolicies().flatMap(({ statements }) => statements);
    expect(oversizeProblem('all', all)).toMatch(
      /^all: must have at most 6144 characters as a managed policy, got \d+; split it in two policies$/,
    );
  });

  test('ignores white space, as IAM does', () => {
    const [statement] = statementsOf('1.15.1');
    expect(policyCharacters([{ ...statement, Sid: 'a b\n c' }])).toBe(
      policyCharacters([{ ...statement, Sid: 'abnc' }]) + 1,
    );
  });
});
