import {
  Catalog,
  DEFAULT_NODE_CLASS,
  describeInstanceType,
  PlacementGroupFacts,
  ReservationFacts,
} from '../../src/catalog';

const CATALOG = Catalog.load({ zones: ['us-east-1a', 'us-east-1b'] });
const ID = 'karpenter.k8s.aws/placement-group-id';
const PARTITION = 'karpenter.k8s.aws/placement-group-partition';

function resolved(placementGroup?: PlacementGroupFacts, reservations: readonly ReservationFacts[] = []) {
  return CATALOG.resolve({ ...DEFAULT_NODE_CLASS, placementGroup, reservations });
}

const column = (table: ReturnType<typeof resolved>, key: string) => table.labels.find((label) => label.key === key);
const isOffered = (table: ReturnType<typeof resolved>, type: string) =>
  table.offerings.some(({ usdPerHour }) => !Number.isNaN(usdPerHour[table.names.indexOf(type)]));

describe('the instance types of a class with a placement group', () => {
  const PARTITIONED: PlacementGroupFacts = { id: 'pg-1', strategy: 'partition', partitions: 3 };

  test('have the id of the group and all of its partitions', () => {
    const table = resolved(PARTITIONED);
    expect(column(table, ID)).toMatchObject({ values: ['pg-1'] });
    expect(column(table, ID)!.codes.every((code) => code === 0)).toBe(true);
    expect(column(table, PARTITION)).toMatchObject({ values: ['1', '2', '3'] });
    expect(column(table, PARTITION)!.sets!.every((set) => set === 0b111)).toBe(true);
  });

  test('are offered in each partition, including reserved capacity', () => {
    const reservation: ReservationFacts = {
      id: 'cr-1',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      type: 'default',
      interruptible: false,
      expiring: false,
    };
    const planes = (group?: PlacementGroupFacts) =>
      resolved(group, [reservation]).offerings.map(({ zone, capacityType, partition }) => [
        zone,
        capacityType,
        partition,
      ]);
    expect(planes(PARTITIONED)).toEqual(
      planes().flatMap(([zone, capacityType]) => ['1', '2', '3'].map((partition) => [zone, capacityType, partition])),
    );
  });

  test('are described with the partition of each offering', () => {
    const table = resolved(PARTITIONED);
    const { offerings } = describeInstanceType(table, table.names.indexOf('m5.large'));
    expect(offerings.slice(0, 4).map(({ capacityType, partition }) => [capacityType, partition])).toEqual([
      ['on-demand', '1'],
      ['on-demand', '2'],
      ['on-demand', '3'],
      ['spot', '1'],
    ]);
  });

  test('have no partitions if the group has none', () => {
    const table = resolved({ id: 'pg-1', strategy: 'spread', partitions: 0 });
    expect([column(table, ID)?.values, column(table, PARTITION)]).toEqual([['pg-1'], undefined]);
    expect(table.offerings).toHaveLength(resolved().offerings.length);
  });

  test.each([
    ['m5.large', true],
    ['r4.large', true],
    ['t3.large', false],
    ['m7i-flex.large', false],
    ['m3.large', false],
    ['vt1.3xlarge', false],
  ])('are offered in a group of the strategy cluster as far as EC2 has them there: %s %s', (type, expected) => {
    expect(isOffered(resolved({ id: 'pg-1', strategy: 'cluster', partitions: 0 }), type)).toBe(expected);
    expect(isOffered(resolved(PARTITIONED), type)).toBe(true);
  });

  test('have neither label without a placement group', () => {
    expect([ID, PARTITION].map((key) => column(resolved(), key))).toEqual([undefined, undefined]);
  });
});
