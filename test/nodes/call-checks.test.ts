import { Cron, Duration } from 'cdk8s';
import * as nodes from '../../src/nodes';
import { InstanceFamily, InstanceSize } from '../../src/nodes';

const { AmiSelectorTerm, CapacityReservationSelectorTerm, DisruptionBudget, Requirement, Zone } = nodes;
const TOKEN = '${Token[Resource.1]}';
const STRING = '4' as unknown as number;

describe('a value is refused at the call', () => {
  test.each<[string, () => unknown, string]>([
    [
      'an AL2023 version without v',
      () => AmiSelectorTerm.al2023('20250915'),
      'got "20250915"; write for example v20250915',
    ],
    [
      'an AL2 version of another form',
      () => AmiSelectorTerm.al2('v2025-09-15'),
      'AmiSelectorTerm.al2: must be latest, or v and a date',
    ],
    ['a Bottlerocket date', () => AmiSelectorTerm.bottlerocket('v20250915'), 'must be latest, or v and three numbers'],
    [
      'an alias without a version',
      () => AmiSelectorTerm.byAlias('al2023'),
      'a family and a version with one @ between them',
    ],
    [
      'an alias with two @',
      () => AmiSelectorTerm.byAlias('al2023@v1@v2'),
      'a family and a version with one @ between them',
    ],
    [
      'a short AMI id',
      () => AmiSelectorTerm.byId('ami-123'),
      'AmiSelectorTerm.byId: must be ami- and 8 or 17 hexadecimal digits, got "ami-123"',
    ],
    [
      'an owner by name',
      () => AmiSelectorTerm.byName('node-*', { owner: 'me' }),
      'AmiSelectorTerm.byName.owner: must be an account id',
    ],
    [
      'no tag of an AMI',
      () => AmiSelectorTerm.byTags({}),
      'AmiSelectorTerm.byTags: must have at least one tag, got {}',
    ],
    [
      'a parameter with a space',
      () => AmiSelectorTerm.bySsmParameter('my ami'),
      'must be the name or the ARN of a parameter',
    ],
    [
      'a security group as a subnet',
      () => nodes.SubnetSelectorTerm.byId('sg-0123456789abcdef0'),
      'must be subnet- and 8',
    ],
    [
      'no tag of a subnet',
      () => nodes.SubnetSelectorTerm.byTags({}),
      'SubnetSelectorTerm.byTags: must have at least one tag',
    ],
    ['a name as a security group id', () => nodes.SecurityGroupSelectorTerm.byId('nodes'), 'must be sg- and 8'],
    ['no tag of a security group', () => nodes.SecurityGroupSelectorTerm.byTags({}), 'must have at least one tag'],
    ['a short placement group id', () => nodes.PlacementGroupSelector.byId('pg-1'), 'must be pg- and 8'],
    ['a short reservation id', () => CapacityReservationSelectorTerm.byId('cr-1'), 'must be cr- and 8'],
    [
      'an account id with dashes',
      () => CapacityReservationSelectorTerm.byTags({ a: 'b' }, { ownerId: '1111-2222-3333' }),
      'ownerId: must be an account id of 12 digits',
    ],
    [
      'a role by its ARN',
      () => nodes.NodeIdentity.role('arn:aws:iam::111122223333:role/nodes'),
      'NodeIdentity.role: must be the name of a role, not its ARN',
    ],
    ['a role without a name', () => nodes.NodeIdentity.role(''), 'got ""; write for example KarpenterNodeRole-shop'],
    ['an instance profile by its ARN', () => nodes.NodeIdentity.instanceProfile('arn:aws:iam::1:x/y'), 'not its ARN'],
    [
      'a region that does not exist',
      () => Zone.of('eu-west-9a'),
      'Zone.of: must be in a region of AWS, got "eu-west-9a", and no region eu-west-9 is known; did you mean eu-west-1?',
    ],
    [
      'a region as a zone',
      () => Zone.of('eu-west-1'),
      'must be the name of a zone, got the region "eu-west-1"; write for example eu-west-1a',
    ],
    ['zones of a region that does not exist', () => Zone.ofRegion('us-east-7', 'a'), 'no region us-east-7 is known'],
    ['a family with a doubled digit', () => InstanceFamily.of('m77i'), 'got "m77i"; did you mean m7i?'],
    ['a family with a doubled letter', () => InstanceFamily.of('m7ii'), 'got "m7ii"; did you mean m7i?'],
    [
      'an instance type as a family',
      () => InstanceFamily.of('m7i.large'),
      'the part of an instance type before the dot',
    ],
    ['a family in capitals', () => InstanceFamily.of('M7I'), 'got "M7I"; did you mean m7i?'],
    ['a size with a typing error', () => InstanceSize.of('2xlrge'), 'got "2xlrge"; did you mean 2xlarge?'],
    ['an age of zero', () => nodes.Expiration.after(Duration.seconds(0)), 'Expiration.after: must be above zero'],
    [
      '110 percent',
      () => DisruptionBudget.percent(110),
      'DisruptionBudget.percent: must be a whole number from 0 to 100, got 110',
    ],
    [
      'half a node',
      () => DisruptionBudget.nodes(0.5),
      'DisruptionBudget.nodes: must be a whole number of at least 0, got 0.5',
    ],
    ['a number as a string', () => DisruptionBudget.nodes(STRING), 'got "4" (a string)'],
    [
      'a schedule without a duration',
      () => DisruptionBudget.nodes(0, { schedule: Cron.daily() }),
      'DisruptionBudget.duration: must be set together with schedule',
    ],
    [
      'a duration without a schedule',
      () => DisruptionBudget.nodes(0, { duration: Duration.hours(1) }),
      'DisruptionBudget.schedule: must be set together with duration',
    ],
    ['-1 pods', () => nodes.MaxPods.count(-1), 'MaxPods.count: must be a whole number of at least 0, got -1'],
    [
      'minValues of 51',
      () => Requirement.instanceFamily().exists().withMinValues(51),
      'must be a whole number from 1 to 50, got 51',
    ],
    ['a fraction in a list', () => Requirement.instanceCpu().in(4.5), 'must be compared with whole numbers, got 4.5'],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(message);
  });
});

describe('a value is accepted', () => {
  test.each<[string, () => unknown]>([
    ['the latest version', () => AmiSelectorTerm.al2023('latest')],
    ['a Bottlerocket version without v, which Karpenter removes', () => AmiSelectorTerm.bottlerocket('1.40.0')],
    ['an old id', () => AmiSelectorTerm.byId('ami-01234567')],
    ['an ARN of a parameter', () => AmiSelectorTerm.bySsmParameter('arn:aws:ssm:eu-west-1:111122223333:parameter/ami')],
    ['the next region of an area', () => Zone.of('eu-west-4a')],
    ['the first region of a new area', () => Zone.of('sa-west-1a')],
    ['a local zone', () => Zone.of('us-west-2-lax-1a')],
    ['a new generation', () => InstanceFamily.of('m12g')],
    [
      'families with forms of their own',
      () => ['u-24tb1', 'mac2-m2pro', 'u7in-32tb', 'm9i-flex'].map(InstanceFamily.of),
    ],
    ['a new size', () => ['64xlarge', 'metal-96xl'].map(InstanceSize.of)],
    [
      'a token',
      () => [
        AmiSelectorTerm.al2023(TOKEN),
        AmiSelectorTerm.byId(TOKEN),
        nodes.SubnetSelectorTerm.byId(TOKEN),
        nodes.NodeIdentity.role(TOKEN),
        Zone.of(TOKEN),
        Zone.ofRegion(TOKEN, 'a'),
        InstanceFamily.of(TOKEN),
        CapacityReservationSelectorTerm.byTags({ a: TOKEN }, { ownerId: TOKEN }),
      ],
    ],
  ])('%s', (_, call) => {
    expect(call).not.toThrow();
  });

  test.each(Object.values(InstanceFamily).map(({ value }: InstanceFamily) => [value]))('the family %s', (value) => {
    expect(InstanceFamily.of(value).value).toBe(value);
  });
});
