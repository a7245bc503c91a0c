import * as fc from 'fast-check';
import { INTERSECTIONS, OPERANDS } from './requirement-pairs';
import { Operator, Requirement, RequirementSpec } from '../../src/model';

const MAX_INT64 = '9223372036854775807';
const MIN_INT64 = '-9223372036854775808';

function requirement(operator: string, ...values: string[]): Requirement {
  return Requirement.from({ key: 'key', operator: operator as Operator, values });
}

const values = fc.constantFrom('a', 'b', '', '-1', '0', '1', '2', '3', '4', '05', '+2', '1.5', MAX_INT64);
const integers = fc.oneof(fc.integer({ min: -2, max: 5 }).map(String), fc.constantFrom(MAX_INT64, MIN_INT64));
const minValues = fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined });
const specs: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc.record({
    key: fc.constant('key'),
    operator: fc.constantFrom<Operator>('In', 'NotIn'),
    values: fc.array(values, { maxLength: 8 }),
    minValues,
  }),
  fc.record({ key: fc.constant('key'), operator: fc.constantFrom<Operator>('Exists', 'DoesNotExist'), minValues }),
  fc.record({
    key: fc.constant('key'),
    operator: fc.constantFrom<Operator>('Gt', 'Lt', 'Gte', 'Lte'),
    values: integers.map((bound) => [bound]),
    minValues,
  }),
);
const requirements = fc
  .array(specs, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map((spec) => Requirement.from(spec)).reduce((left, right) => left.intersect(right)));

describe('Requirement.intersect', () => {
  test.each(INTERSECTIONS)('combines %s and %s to %s, in both orders', (left, right, expected) => {
    const [a, b] = [Requirement.from(OPERANDS[left]), Requirement.from(OPERANDS[right])];
    expect(a.intersect(b).toString()).toBe(`key ${expected}`);
    expect(b.intersect(a).toString()).toBe(`key ${expected}`);
  });

  test.each(INTERSECTIONS)('agrees with hasIntersection for %s and %s', (left, right, expected) => {
    const [a, b] = [Requirement.from(OPERANDS[left]), Requirement.from(OPERANDS[right])];
    expect(a.hasIntersection(b)).toBe(expected !== 'DoesNotExist');
    expect(b.hasIntersection(a)).toBe(expected !== 'DoesNotExist');
  });

  test('allows exactly the values that both sides allow', () => {
    fc.assert(
      fc.property(requirements, requirements, values, (a, b, value) => {
        expect(a.intersect(b).has(value)).toBe(a.has(value) && b.has(value));
      }),
    );
  });

  test('is commutative, associative and idempotent', () => {
    fc.assert(
      fc.property(requirements, requirements, requirements, (a, b, c) => {
        expect(a.intersect(b).toString()).toBe(b.intersect(a).toString());
        expect(a.intersect(a).toString()).toBe(a.toString());
        expect(a.intersect(b).has('3')).toBe(b.intersect(a).has('3'));
        expect(a.intersect(b.intersect(c)).has('3')).toBe(a.intersect(b).intersect(c).has('3'));
      }),
    );
  });

  test('is not empty exactly if hasIntersection is true', () => {
    fc.assert(
      fc.property(requirements, requirements, (a, b) => {
        expect(a.hasIntersection(b)).toBe(a.intersect(b).operator() !== 'DoesNotExist');
      }),
    );
  });

  test('has an intersection for two complements even if the exclusions leave no value between the bounds', () => {
    const excluding4 = requirement('NotIn', '4').intersect(requirement('Gte', '4'));
    expect(excluding4.hasIntersection(requirement('Lte', '4'))).toBe(true);
    expect(excluding4.intersect(requirement('Lte', '4')).has('4')).toBe(false);
  });

  test('keeps the larger minValues, even without values', () => {
    const two = Requirement.from({ key: 'key', operator: 'In', values: ['a'], minValues: 2 });
    const three = Requirement.from({ key: 'key', operator: 'Exists', minValues: 3 });
    expect(two.intersect(three).minValues).toBe(3);
    expect(three.intersect(two).minValues).toBe(3);
    expect(
      requirement('Gt', '9').intersect(Requirement.from({ key: 'key', operator: 'Lt', values: ['1'], minValues: 7 }))
        .minValues,
    ).toBe(7);
  });

  test('does not change its operands', () => {
    fc.assert(
      fc.property(requirements, requirements, (a, b) => {
        const [before, sizes] = [`${a}, ${b}`, [a.values.size, b.values.size]];
        a.intersect(b);
        expect([a.values.size, b.values.size]).toEqual(sizes);
        expect(`${a}, ${b}`).toBe(before);
      }),
    );
  });

  test('takes linear time for many values', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `type-${index}`);
    const all = Requirement.from({ key: 'key', operator: 'In', values: many });
    const others = Requirement.from({ key: 'key', operator: 'NotIn', values: many.slice(1) });
    expect(all.intersect(others).toString()).toBe('key In [type-0]');
    expect(all.hasIntersection(requirement('In', 'none'))).toBe(false);
  });
});

describe('Requirement.from', () => {
  test('stores Gt and Lt as inclusive bounds', () => {
    expect(requirement('Gt', '3').toString()).toBe('key Exists >=4');
    expect(requirement('Lt', '3').toString()).toBe('key Exists <=2');
    expect(requirement('Gt', '-1').gte).toBe(0n);
  });

  test('matches nothing, without minValues, for Gt with the largest integer', () => {
    expect(Requirement.from({ key: 'key', operator: 'Gt', values: [MAX_INT64], minValues: 2 }).toString()).toBe(
      'key DoesNotExist',
    );
  });

  test('overflows like an int64 for Lt with the smallest integer', () => {
    expect(requirement('Lt', MIN_INT64).toString()).toBe(`key Exists <=${MAX_INT64}`);
  });

  test('clamps bounds beyond 64 bits, and reads other texts as 0', () => {
    expect(requirement('Gte', '99999999999999999999').gte).toBe(BigInt(MAX_INT64));
    expect(requirement('Gte', '-99999999999999999999').gte).toBe(BigInt(MIN_INT64));
    expect(requirement('Gte', '1.5').gte).toBe(0n);
    expect(requirement('Gte').gte).toBe(0n);
  });

  test('treats an unknown operator as Exists', () => {
    expect(requirement('Near', 'a').toString()).toBe('key Exists');
  });

  test('normalises deprecated keys', () => {
    expect(Requirement.from({ key: 'beta.kubernetes.io/arch', operator: 'Exists' }).key).toBe('kubernetes.io/arch');
    expect(Requirement.ofLabel('topology.ebs.csi.aws.com/zone', 'eu-west-1a').key).toBe('topology.kubernetes.io/zone');
  });

  test('removes duplicate values', () => {
    expect(requirement('In', 'a', 'a').values.size).toBe(1);
  });
});

describe('Requirement.operator', () => {
  test.each([
    ['In', ['a'], 'In'],
    ['In', [], 'DoesNotExist'],
    ['NotIn', ['a'], 'NotIn'],
    ['NotIn', [], 'Exists'],
    ['Exists', [], 'Exists'],
    ['DoesNotExist', [], 'DoesNotExist'],
    ['Gt', ['1'], 'Exists'],
    ['Lt', ['1'], 'Exists'],
    ['Gte', ['1'], 'Exists'],
    ['Lte', ['1'], 'Exists'],
  ])('for %s %j returns %s', (operator, operands, expected) => {
    expect(requirement(operator, ...operands).operator()).toBe(expected);
  });
});

describe('Requirement.has', () => {
  test.each(['a', '', '1.5', ' 4', '1_0', '0x4', '9223372036854775808'])(
    'rejects %j with a bound, because it is not an integer',
    (value) => {
      expect(requirement('Gte', '0').has(value)).toBe(false);
    },
  );

  test.each([
    ['4', true],
    ['+4', true],
    ['004', true],
    ['3', false],
    ['-4', false],
  ])('compares %s with a bound as an integer', (value, expected) => {
    expect(requirement('Gt', '3').has(value)).toBe(expected);
  });
});

describe('Requirement.toString', () => {
  test('sorts values and counts those beyond five', () => {
    expect(requirement('In', 'e', 'd', 'c', 'b', 'a').toString()).toBe('key In [a b c d e]');
    expect(requirement('NotIn', 'g', 'f', 'e', 'd', 'c', 'b', 'a').toString()).toBe(
      'key NotIn [a b c d e and 2 others]',
    );
  });

  test('appends bounds, then minValues', () => {
    const bounded = requirement('NotIn', '4').intersect(requirement('Gt', '1')).intersect(requirement('Lt', '9'));
    const flexible = bounded.intersect(Requirement.from({ key: 'key', operator: 'Exists', minValues: 3 }));
    expect(flexible.toString()).toBe('key NotIn [4] >=2 <=8 minValues 3');
  });
});
