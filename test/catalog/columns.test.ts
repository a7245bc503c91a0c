import { carrierOf, Catalog, DEFAULT_NODE_CLASS, describeInstanceType, ReservationFacts } from '../../src/catalog';
import { Label } from '../../src/model';

const MANY = 40;
const types = Catalog.load().resolve(DEFAULT_NODE_CLASS).names.slice(0, MANY);
const reservations = types.map(
  (instanceType, at): ReservationFacts => ({
    id: `cr-${String(at).padStart(2, '0')}`,
    instanceType,
    zone: 'us-east-1a',
    type: 'default',
    interruptible: false,
    expiring: false,
  }),
);
const table = Catalog.load().resolve({
  ...DEFAULT_NODE_CLASS,
  reservations: [...reservations, { ...reservations[0], id: 'cr-second' }],
});
const column = table.labels.find(({ key }) => key === Label.CAPACITY_RESERVATION_ID)!;

describe('a label with more values than a word has bits', () => {
  test('reports each value only for the types that have it', () => {
    const carries = carrierOf(column);
    const carried = table.names.map((_name, type) => column.values.filter((_, code) => carries(type, code)));
    expect(carried.slice(0, MANY)).toEqual(
      types.map((_, at) => (at === 0 ? ['cr-00', 'cr-second'] : [`cr-${String(at).padStart(2, '0')}`])),
    );
    expect(carried.slice(MANY).flat()).toEqual([]);
  });

  test('describes a type that has exactly one of the values', () => {
    expect(
      [0, 35, MANY].map((type) => describeInstanceType(table, type).labels[Label.CAPACITY_RESERVATION_ID]),
    ).toEqual([undefined, 'cr-35', undefined]);
  });
});
