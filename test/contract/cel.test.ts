import { CelError, compileCached, CostBudgetExceeded, resetCost, UnknownFunction } from '../../src/contract/cel';
import { CelTable, evaluate } from '../../src/contract/cel/evaluate';
import { parseRule } from '../../src/contract/cel/parse-rule';
import { CelValue } from '../../src/contract/cel/value';
import { readDataFile } from '../../src/model';

describe("compileCached with rules that are not in Karpenter's CRDs", () => {
  beforeEach(resetCost);

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
    ['self.replace("a", "xy") == "xybxy"', 'aba', true],
    [
      'self.replace("a", "x", 1) == "xba" && self.replace("a", "x", 0) == "aba" && self.replace("a", "x", -1) == "xbx"',
      'aba',
      true,
    ],
    ['self.replace("", "-") == "-a-b-" && self.replace("", "-", 2) == "-a-b"', 'ab', true],
    ['self.all(x, x % 2 == 0) && -self[0] == -2 && self[1] / 2 == 2', [2n, 4n], true],
    ['self.map(x, x > 1, x + 1) == [3]', [1n, 2n], true],
    ['{"a": 1, "b": self} == {"b": 2, "a": 1}', 2n, true],
    ['type(self) == int || type(self) == string', 2n, true],
    ['double(self) * 0.5 == 1.0', 2n, true],
    ['string(self) + "m" == "2m" && bool("true")', 2n, true],
    ['duration(self) > duration("90s") && duration(self).getMinutes() == 2', '2m', true],
    ['duration("1h") - duration("1m") == duration(self)', '59m', true],
    ['self.contains("b") && !self.contains("d")', 'abc', true],
    ['self.substring(1) == "bc" && self.substring(0, 1) == "a" && self.charAt(3) == ""', 'abc', true],
    ['self.indexOf("c") == 2 && self.lastIndexOf("c") == 4 && self.indexOf("c", 3) == 4', '😀bc😀c', true],
    ['self.split("-", 2) == ["a", "b-c"] && self.split("-").join("+") == "a+b+c"', 'a-b-c', true],
    ['self.trim().upperAscii() == "É"', ' É ', true],
    ['self.sum() == 6 && self.lastIndexOf(2) == 1', [1n, 2n, 3n], true],
    ['[quantity(self), quantity("2000m")].all(q, q == quantity("2"))', '2', true],
    ['self == null', null, true],
    ['self < 9223372036854775807', 9223372036854775806n, true],
    ['false && unknown(self)', 1n, false],
  ])('evaluates %s', (rule, self, expected) => {
    expect(compileCached(rule).holds(self)).toBe(expected);
  });

  test.each<[string, CelValue]>([
    ['self.a == 1', {}],
    ['self[3] == 1', [1n]],
    ['int(self) == 1', 'one'],
    ['self > 1', 'a'],
    ['self.size()', 'a'],
    ['self.a.b', { a: 'c' }],
    ['self / 0 == 1', 1n],
    ['self + 9223372036854775807 > 0', 1n],
    ['self * 0.5 > 0', 1n],
    ['self.substring(2) == "a"', 'a'],
    ['quantity(self).isInteger()', 'many'],
    ['duration(self) > duration("1s")', '1d'],
    ['self.min() == 1', []],
  ])('throws a CelError for %s with %j', (rule, self) => {
    expect(() => compileCached(rule).holds(self)).toThrow(CelError);
  });

  test.each(['ip(self).isLoopback()', 'self.?a.hasValue()', 'math.greatest(1, 2) == 2', "self == b'a'", 'list(self)'])(
    'throws an UnknownFunction for %s',
    (rule) => {
      expect(() => compileCached(rule).holds('::1')).toThrow(UnknownFunction);
    },
  );

  test("parses the rules of Karpenter's CRDs as data/karpenter-cel.json has them", () => {
    const table = readDataFile<CelTable>('karpenter-cel.json');
    expect(Object.fromEntries(Object.keys(table).map((rule) => [rule, parseRule(rule)]))).toEqual(table);
  });

  test('throws if the text is not CEL', () => {
    expect(() => compileCached('self ==')).toThrow();
  });

  test('returns the failing items of a rule about every item', () => {
    expect(compileCached('self.all(k, k != "b")').failingItems({ a: 1n, b: 2n })).toEqual(['b']);
    expect(compileCached('!self.exists(x, x > 1)').failingItems([1n, 2n, 3n])).toEqual([1, 2]);
  });

  test('recognises transition rules', () => {
    expect([compileCached('self == oldSelf').isTransition, compileCached('self == "oldSelf"').isTransition]).toEqual([
      true,
      false,
    ]);
  });

  const numbers = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i));
  const literal = `[${numbers(12).join(', ')}]`;
  const nested = (depth: number, inner: string): string =>
    depth === 0 ? inner : `${literal}.all(x${depth}, ${nested(depth - 1, inner)})`;

  test.each<[string, string, CelValue]>([
    ['nested loops over literals', nested(8, 'true'), 1n],
    ['nested loops of the library', nested(8, '[1].map(y, y * 2) == [2]'), 1n],
    ['nested loops whose errors are ignored', nested(8, '[1].map(y, y / 0) == [2] || true'), 1n],
    ['a chain of replacements', `self${'.replace("a", "aaaaaaaaaaaaaaaaaaaa")'.repeat(12)}.size() > 0`, 'a'],
    ['a comparison of large lists for each item', 'self.all(x, self == self)', numbers(4_000)],
    ['a search of a large list for each item', 'self.all(x, x in self)', numbers(6_000)],
    [
      'a search for texts in a long text',
      'self.all(x, self[0].contains(x))',
      Array.from({ length: 3_000 }, () => 'ab'.repeat(3_000)),
    ],
    [
      'a pattern that backtracks',
      'self.map(x, x.matches("^(a|a)*(a|a)*b{1000}$")).size() > 0',
      Array.from({ length: 50 }, () => 'a'.repeat(30_000)),
    ],
  ])('is too costly with %s', (_, rule, self) => {
    expect(() => compileCached(rule).holds(self)).toThrow(CostBudgetExceeded);
  });

  test('stops a rule at the limit of Kubernetes for one rule, and an object at the limit for all of its rules', () => {
    const rule = compileCached('self.all(x, self.all(y, x >= 0 && y >= 0))');
    expect(() => rule.holds(numbers(400))).toThrow(CostBudgetExceeded);
    resetCost();
    const calls = Array.from({ length: 60 }, () => numbers(200));
    expect(rule.holds(calls[0])).toBe(true);
    expect(() => calls.forEach((self) => rule.holds(self))).toThrow(CostBudgetExceeded);
  });

  test('collects the items of a large list', () => {
    expect(compileCached('self.map(x, x + 1).all(x, x > 0)').holds(numbers(20_000))).toBe(true);
  });

  test("throws if Kubernetes' cost budget is exceeded", () => {
    const items = Array.from({ length: 3_000 }, () => 1n);
    resetCost();
    const each = ['all', ['var', 'self'], 'y', ['==', ['var', 'x'], ['var', 'y']]] as const;
    expect(() => evaluate(['all', ['var', 'self'], 'x', each], { self: items })).toThrow(CostBudgetExceeded);
  });
});
