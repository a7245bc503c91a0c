import { compilePattern } from '../../src/contract/regexp';
import { LinearRegExp } from '../../src/contract/regexp/linear-regexp';

describe('compilePattern', () => {
  test.each([
    ['abc', 'xabcx', true],
    ['^abc$', 'abc\n', false],
    ['a|b', 'xb', true],
    ['^(a|b)*$', 'abab', true],
    ['^(?:ab)+$', 'ababa', false],
    ['^[a-c-]$', '-', true],
    ['^[^a]$', 'b', true],
    ['^[]a]$', ']', true],
    ['^\\d{2,3}$', '1234', false],
    ['^\\d{2}$', '12', true],
    ['^\\d{2,}$', '1', false],
    ['^\\w+$', 'é', false],
    ['^\\s$', '\v', false],
    ['^\\s$', '\u00a0', false],
    ['^\\S$', '\u00a0', true],
    ['^.$', '\n', false],
    ['^.$', '😀', true],
    ['^a??b$', 'ab', true],
    ['^(a|)$', '', true],
    ['^()$', '', true],
    ['\\.', 'a.b', true],
    ['^[\\d.]+$', '1.5', true],
    ['^(([a-z]))\\+$', 'a+', true],
    ['', 'anything', true],
    ['$', 'a', true],
    ['a{,2}', 'a{,2}', true],
  ])('tests %j on %j: %s', (pattern, text, expected) => {
    expect(compilePattern(pattern).test(text)).toBe(expected);
  });

  test.each([
    ['^[^@]+', 'al2023@latest', 'al2023'],
    ['^([^/]+)', 'karpenter.sh/nodepool', 'karpenter.sh'],
    ['a+', 'xaay aaa', 'aa'],
    ['a+?', 'aaa', 'a'],
    ['ab|a', 'ab', 'ab'],
    ['a|ab', 'ab', 'a'],
    ['x', 'abc', undefined],
    ['(a|b)*', 'abc', 'ab'],
    ['^/', 'a/', undefined],
  ])('finds with %j in %j: %j', (pattern, text, found) => {
    expect(compilePattern(pattern).find(text)).toBe(found);
  });

  test.each(['^(a+)+$', '^(a|a)*$', '^(.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+)$', '(x+x+)+y', '^(a?){50}a{50}$'])(
    'matches in linear time: %j',
    (pattern) => {
      const started = performance.now();
      expect(compilePattern(pattern).test(`${'a'.repeat(50_000)}!`)).toBe(false);
      expect(performance.now() - started).toBeLessThan(4_000);
    },
  );

  test.each([
    ['\\bword\\b', 'a word', true],
    ['(?i)ABC', 'abc', true],
    ['^[[:alpha:]]+$', 'abc', true],
    ['\\p{L}', 'é', true],
  ])('uses the library for unsupported syntax: %j', (pattern, text, expected) => {
    expect(() => LinearRegExp.compile(pattern)).toThrow();
    expect(compilePattern(pattern).test(text)).toBe(expected);
  });

  test.each(['(', ')', '[a', 'a**b(', '*', '\\', 'a{2,1}', '(?<n>'])('throws for the invalid pattern %j', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow();
  });
});
