import { compilePattern } from '../../src/contract/regexp';

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
      const started = process.cpuUsage();
      expect(compilePattern(pattern).test(`${'a'.repeat(50_000)}!`)).toBe(false);
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(4);
    },
  );

  test.each([
    ['\\bword\\b', 'a word', true],
    ['\\bword\\b', 'awordy', false],
    ['a\\Bb', 'ab', true],
    ['a\\B', 'é a ', false],
    ['\\Aa\\z', 'a', true],
    ['\\Aa\\z', 'a\n', false],
    ['(?i)ABC', 'abc', true],
    ['(?i)k', '\u212a', true],
    ['(?i)[^k]', 'K', false],
    ['(?i:a)b', 'AB', false],
    ['a(?i)b|c', 'C', true],
    ['(?i-s).', '\n', false],
    ['(?s).', '\n', true],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^[[:alpha:]]+$', 'abc', true],
    ['^[[:^alpha:]_]+$', '1_', true],
    ['\\p{L}', 'é', true],
    ['^\\pN\\p{Greek}\\P{Lu}\\p{^Nd}$', '1αaa', true],
    ['^[\\D]$', '1', false],
    ['^\\x41\\x{1F600}\\102$', 'A😀B', true],
    ['^\\Qa.b*\\E+$', 'a.b**', true],
    ['^(?P<name>a)(?<other>b)$', 'ab', true],
  ])('knows the syntax of Go: %j on %j: %s', (pattern, text, expected) => {
    expect(compilePattern(pattern).test(text)).toBe(expected);
  });

  test('prefers few repetitions with the flag U, and many with a question mark', () => {
    expect([compilePattern('(?U)a+').find('aaa'), compilePattern('(?U)a+?').find('aaa')]).toEqual(['a', 'aaa']);
  });

  test.each([
    ...[
      '(',
      ')',
      '[a',
      'a**',
      'a{2}{3}',
      '(+)',
      '*',
      '\\',
      'a{2,1}',
      '(?<n>',
      '(?=a)',
      '(?)',
      '(?x)',
      '\\1',
      '\\Z',
      '\\C',
    ],
    ...['[b-a]', '[[:word', '[[:none:]]', '\\p{None}', '\\x{110000}', '(?i'],
  ])('throws for the invalid pattern %j', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow();
  });
});
