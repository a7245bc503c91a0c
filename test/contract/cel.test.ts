import { CelError, compileCached, CostBudgetExceeded, UnknownFunction } from '../../src/contract/cel';
import { evaluate, resetCost } from '../../src/contract/cel/evaluate';
import { CelValue } from '../../src/contract/cel/value';

describe('compileCached with rules that are not in Karpenter\'s CRDs', () => {
  test.each<[string, CelValue, boolean]>([
    ['self == 1 || self == 1.0', 1n, true],
    ['self in [1, 2]', 2n, true],
    ['"a" in self', { a: 1n }, true],
    ['self.size() == 2', '😀a', true],
    ['self.all(k, self[k] > 0)', { a: 1n, b: 0n }, false],
    ['self.exists(x, x.startsWith("a") && x.endsWith("c"))', ['abc'], true],
    ['self.filter(x, x != "a").size() == 1', ['a', 'b'], true],
    ['has(self.a) ? self.a == "b" : true', {}, true],
    ['self.a > 1 || true', {}, true],
    ['true || self.a > 1', {}, true],
    ['false && self.a > 1', {}, false],
    ['int(self) == 12', '12', true],
    ['self.split("@")[1] == "b"', 'a@b', true],
    ['self.matches("^[a-z]+$")', 'abc', true],
    ['self.find("[0-9]+") == "42"', 'a42b', true],
    ['self.exists_one(x, x == 1)', [1n, 2n], true],
    ['self.map(x, x * 2) == [2, 4]', [1n, 2n], true],
    ['self.isSorted()', ['a', 'b'], true],
    ['self.max() == 3 && self.min() == 1', [3n, 1n], true],
    ['self.indexOf(2) == 1', [1n, 2n, 2n], true],
    ['quantity(self).isGreaterThan(quantity("1Gi"))', '2Gi', true],
    ['quantity(self).add(1).asInteger() == 3', '2', true],
    ['isQuantity(self)', '2GB', false],
    ['self.lowerAscii() == "ab"', 'AB', true],
    ['self + "b" == "ab"', 'a', true],
  ])('evaluates %s', (rule, self, expected) => {
    expect(compileCached(rule).holds(self)).toBe(expected);
  });

  test.each<[string, CelValue]>([['self.a == 1', {}], ['self[3] == 1', [1n]], ['int(self) == 1', 'one'], ['self > 1', 'a'], ['self.size()', 'a'], ['self.a.b', { a: 'c' }]])(
    'throws a CelError for %s with %j', (rule, self) => {
      expect(() => compileCached(rule).holds(self)).toThrow(CelError);
    });

  test('throws an UnknownFunction for an unsupported function', () => {
    expect(() => compileCached('ip(self).isLoopback()').holds('::1')).toThrow(UnknownFunction);
  });

  test('throws if the text is not CEL', () => {
    expect(() => compileCached('self ==')).toThrow();
  });

  test('returns the failing items of a rule about every item', () => {
    expect(compileCached('self.all(k, k != "b")').failingItems({ a: 1n, b: 2n })).toEqual(['b']);
    expect(compileCached('!self.exists(x, x > 1)').failingItems([1n, 2n, 3n])).toEqual([1, 2]);
  });

  test('recognises transition rules', () => {
    expect([compileCached('self == oldSelf').isTransition, compileCached('self == "oldSelf"').isTransition]).toEqual([true, false]);
  });

  test('throws if Kubernetes\' cost budget is exceeded', () => {
    const items = Array.from({ length: 3_000 }, () => 1n);
    resetCost();
    const each = ['all', ['var', 'self'], 'y', ['==', ['var', 'x'], ['var', 'y']]] as const;
    expect(() => evaluate(['all', ['var', 'self'], 'x', each], { self: items })).toThrow(CostBudgetExceeded);
  });
});
