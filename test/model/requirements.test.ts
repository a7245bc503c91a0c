import * as fc from 'fast-check';
import { COMPATIBILITIES, Operand, OPERANDS } from './requirement-pairs';
import { Operator, Requirement, Requirements, RequirementSpec, WELL_KNOWN_LABELS } from '../../src/model';

const names = Object.keys(OPERANDS) as Operand[];
const pairs = names.flatMap((left) =>
  names.map((right, column) => [left, right, COMPATIBILITIES[left][column] === 'x'] as const),
);
const none = Requirements.from([]);

function of(key: string, operator: Operator, ...values: string[]): Requirements {
  return Requirements.from([{ key, operator, values }]);
}

describe('Requirements of one key', () => {
  test.each(pairs)('%s against incoming %s: compatible is %s', (left, right, expected) => {
    const [existing, incoming] = [Requirements.from([OPERANDS[left]]), Requirements.from([OPERANDS[right]])];
    expect(existing.intersects(incoming) === undefined).toBe(expected);
    expect(existing.compatible(incoming) === undefined).toBe(expected);
    expect(existing.isCompatible(incoming)).toBe(expected);
  });

  test.each(names)('%s is incompatible with an undefined key, unless a missing label meets it', (name) => {
    const incoming = Requirements.from([OPERANDS[name]]);
    const allowsAbsence = ['doesNotExist', 'notInA', 'notIn9'].includes(name);
    expect(none.compatible(incoming)).toBe(allowsAbsence ? undefined : 'label "key" does not have known values');
    expect(none.isCompatible(incoming)).toBe(allowsAbsence);
    expect(none.intersects(incoming)).toBeUndefined();
    expect(none.compatible(incoming, new Set(['key']))).toBeUndefined();
  });
});

describe('conflicts', () => {
  test('are worded like in Karpenter, with the incoming side first', () => {
    expect(of('arch', 'In', 'arm64').intersects(of('arch', 'NotIn', 'arm64'))).toBe(
      'key arch, arch NotIn [arm64] not in arch In [arm64]',
    );
  });

  test('contain every key, in order', () => {
    const existing = Requirements.fromLabels({ b: '1', a: '1', c: '1' });
    expect(existing.intersects(Requirements.fromLabels({ c: '1', b: '2', a: '2' }))).toBe(
      'key a, a In [2] not in a In [1]; key b, b In [2] not in b In [1]',
    );
  });

  test('count the values beyond five', () => {
    const existing = of('size', 'In', 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    expect(existing.compatible(of('size', 'Gt', '3'))).toBe(
      'key size, size Exists >=4 not in size In [a b c d e and 2 others]',
    );
  });

  test('are reported only if every key is defined', () => {
    const existing = Requirements.fromLabels({ a: '1' });
    expect(existing.compatible(Requirements.fromLabels({ a: '2', z: '1' }))).toBe(
      'label "z" does not have known values',
    );
  });
});

describe('an undefined label', () => {
  test('is compatible if allowUndefined contains it', () => {
    const zone = of('topology.kubernetes.io/zone', 'In', 'eu-west-1a');
    expect(none.compatible(zone, WELL_KNOWN_LABELS)).toBeUndefined();
    expect(none.compatible(zone)).toBe('label "topology.kubernetes.io/zone" does not have known values');
  });

  test.each([
    ['zone', 'topology.kubernetes.io/zone'],
    ['node.kubernetes.io/instance-family', 'karpenter.k8s.aws/instance-family'],
    ['karpenter.sh/capacity', 'karpenter.sh/capacity-type'],
    ['example.com/os', 'kubernetes.io/os'],
  ])('%s gets the hint %s', (key, expected) => {
    expect(none.compatible(of(key, 'Exists'), WELL_KNOWN_LABELS)).toBe(
      `label "${key}" does not have known values (typo of "${expected}"?)`,
    );
  });

  test('gets a label of the node as hint if no well-known label is similar', () => {
    const existing = Requirements.fromLabels({ 'example.com/team': 'core', rank: '1' });
    expect(existing.compatible(of('team', 'In', 'core'), WELL_KNOWN_LABELS)).toBe(
      'label "team" does not have known values (typo of "example.com/team"?)',
    );
  });

  test('gets no hint if no label is similar, and the first one in order is named', () => {
    expect(none.compatible(Requirements.fromLabels({ second: '1', first: '1' }), WELL_KNOWN_LABELS)).toBe(
      'label "first" does not have known values',
    );
  });
});

describe('Requirements', () => {
  test('intersects requirements with the same key, including aliases', () => {
    const requirements = of('kubernetes.io/arch', 'In', 'amd64', 'arm64');
    requirements.add(Requirement.from({ key: 'beta.kubernetes.io/arch', operator: 'NotIn', values: ['arm64'] }));
    expect(requirements.keys()).toEqual(['kubernetes.io/arch']);
    expect(requirements.get('kubernetes.io/arch').toString()).toBe('kubernetes.io/arch In [amd64]');
  });

  test('returns Exists for a key without requirement', () => {
    expect(none.has('team')).toBe(false);
    expect(none.get('team').toString()).toBe('team Exists');
  });

  test('copies independently', () => {
    const original = Requirements.fromLabels({ a: '1' });
    const copy = original.copy();
    copy.add(Requirement.ofLabel('a', '2'), Requirement.ofLabel('b', '1'));
    expect(original.toString()).toBe('a In [1]');
    expect(copy.toString()).toBe('a DoesNotExist, b In [1]');
  });

  test('lists keys and requirements in order', () => {
    const requirements = Requirements.fromLabels({ b: '1', a: '1' });
    expect(requirements.keys()).toEqual(['a', 'b']);
    expect(requirements.values().map(String)).toEqual(['a In [1]', 'b In [1]']);
  });

  test('prints without the hostname', () => {
    expect(Requirements.fromLabels({ 'kubernetes.io/hostname': 'n1', b: '1', a: '1' }).toString()).toBe(
      'a In [1], b In [1]',
    );
  });

  test('hasMinValues returns whether a requirement has minValues', () => {
    expect(Requirements.fromLabels({ a: '1' }).hasMinValues()).toBe(false);
    expect(Requirements.from([{ key: 'a', operator: 'Exists', minValues: 2 }]).hasMinValues()).toBe(true);
  });

  test('treats keys such as __proto__ like any other', () => {
    const requirements = Requirements.fromLabels(JSON.parse('{"__proto__": "1", "constructor": "2"}'));
    expect(requirements.keys()).toEqual(['__proto__', 'constructor']);
    expect(none.has('constructor')).toBe(false);
  });
});

describe('invariants', () => {
  const specs: fc.Arbitrary<RequirementSpec> = fc.record({
    key: fc.constantFrom('a', 'b', 'zone', 'example.com/zone'),
    operator: fc.constantFrom<Operator>('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lte'),
    values: fc.array(fc.constantFrom('1', '2', '3', 'x'), { minLength: 1, maxLength: 3 }),
  });
  const sets = fc.array(specs, { maxLength: 5 });

  test('the order of adding does not matter', () => {
    fc.assert(
      fc.property(sets, (list) => {
        expect(Requirements.from([...list].reverse()).toString()).toBe(Requirements.from(list).toString());
      }),
    );
  });

  test('intersects is symmetric, and compatible is at least as strict', () => {
    fc.assert(
      fc.property(sets, sets, (left, right) => {
        const [a, b] = [Requirements.from(left), Requirements.from(right)];
        expect(a.intersects(b) === undefined).toBe(b.intersects(a) === undefined);
        expect(a.compatible(b) === undefined && a.intersects(b) !== undefined).toBe(false);
        expect(a.isCompatible(b)).toBe(a.compatible(b) === undefined);
      }),
    );
  });
});
