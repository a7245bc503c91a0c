import * as fc from 'fast-check';
import { Quantity, QuantityError } from '../../src/model';

const MAX_INT64 = 2n ** 63n - 1n;
const NANOS = 1_000_000_000n;

describe('Quantity.parse', () => {
  test.each<[string, bigint]>([
    ['0', 0n],
    ['1', NANOS],
    ['+1', NANOS],
    ['-1', -NANOS],
    ['007', 7n * NANOS],
    ['1.', NANOS],
    ['.5', NANOS / 2n],
    [' 1 ', NANOS],
    ['1n', 1n],
    ['1u', 1_000n],
    ['1m', 1_000_000n],
    ['1k', NANOS * 10n ** 3n],
    ['1M', NANOS * 10n ** 6n],
    ['1G', NANOS * 10n ** 9n],
    ['1T', NANOS * 10n ** 12n],
    ['1P', NANOS * 10n ** 15n],
    ['1E', NANOS * 10n ** 18n],
    ['1Ki', NANOS * 2n ** 10n],
    ['1Mi', NANOS * 2n ** 20n],
    ['1Gi', NANOS * 2n ** 30n],
    ['1Ti', NANOS * 2n ** 40n],
    ['1Pi', NANOS * 2n ** 50n],
    ['1Ei', NANOS * 2n ** 60n],
    ['1e3', NANOS * 1000n],
    ['1E3', NANOS * 1000n],
    ['1e+3', NANOS * 1000n],
    ['1e-3', NANOS / 1000n],
    ['1.5e0', (3n * NANOS) / 2n],
    ['0.5Ki', 512n * NANOS],
    ['1.5Gi', 3n * NANOS * 2n ** 29n],
    ['-0.1', -NANOS / 10n],
  ])('reads %s exactly', (text, nanos) => {
    expect(Quantity.parse(text).nanos).toBe(nanos);
  });

  test.each<[string, bigint]>([
    ['1.1n', 2n],
    ['0.0000000001', 1n],
    ['-0.1n', -1n],
    ['1e-10', 1n],
    ['1e-999999999999', 1n],
    ['0.00000000000001Ki', 1n],
    ['0.9999999999', NANOS],
  ])('rounds %s away from zero to a whole nano', (text, nanos) => {
    expect(Quantity.parse(text).nanos).toBe(nanos);
  });

  test.each<[number, string]>([
    [0.1, '100m'],
    [2, '2'],
    [1e-7, '100e-9'],
    [1e21 / 1e4, '100P'],
    [-1.5, '-1500m'],
  ])('reads the number %d as %s', (value, expected) => {
    expect(Quantity.parse(value).toString()).toBe(expected);
  });

  test.each(['8Ei', '9999999999Gi', `1${'0'.repeat(300)}Ki`])(
    'clamps the binary amount %s to the largest int64, like Kubernetes',
    (text) => {
      expect(Quantity.parse(text).value()).toBe(MAX_INT64);
      expect(Quantity.parse(`-${text}`).value()).toBe(-MAX_INT64);
    },
  );

  test('accepts the largest int64 as a decimal', () => {
    expect(Quantity.parse('9223372036854775807').value()).toBe(MAX_INT64);
  });

  test.each([
    '9223372036854775808',
    '-9223372036854775808',
    '1e400',
    '1e999999999',
    '1e99999999999999999999',
    '10E',
    '9'.repeat(500),
  ])('rejects %s as out of range', (text) => {
    expect(() => Quantity.parse(text)).toThrow(
      new QuantityError(`quantity out of range, got "${text}"; write at most ${MAX_INT64}`),
    );
  });

  test.each(['0e400', '0.000e999999999', '-0E'])('reads %s as zero', (text) => {
    expect(Quantity.parse(text).nanos).toBe(0n);
  });

  test('rejects a very long text', () => {
    expect(() => Quantity.parse('1'.repeat(1_000_000))).toThrow(
      'a quantity of 1000000 characters is too long, got "11111111111111111111…"; write at most 1000',
    );
  });

  test.each(['', '   '])('rejects %j as empty', (text) => {
    expect(() => Quantity.parse(text)).toThrow(
      'a quantity cannot be empty, got ""; write a number such as 500m or 2Gi',
    );
  });

  test.each([NaN, Infinity, -Infinity])('rejects the number %d', (value) => {
    expect(() => Quantity.parse(value)).toThrow(`not a Kubernetes quantity, got "${value}"`);
  });

  test.each([
    '-',
    '+',
    '.',
    'Mi',
    'e3',
    '1.1.M',
    '1+1.0M',
    '0.1mi',
    '0.1am',
    'aoeu',
    '.5i',
    '1i',
    '-3.01i',
    '-3.01e-',
    '1e',
    '1e1.5',
    '--1',
    '1 2',
    '1kk',
    '1mM',
    '0x10',
    '1\n2',
    '１',
    '1e+-3',
    '1Kie3',
  ])('rejects %j', (text) => {
    expect(() => Quantity.parse(text)).toThrow(QuantityError);
    expect(Quantity.tryParse(text)).toBeUndefined();
  });

  test.each([undefined, null, true, {}, ['1'], 1n])('tryParse returns undefined for %p', (value) => {
    expect(Quantity.tryParse(value)).toBeUndefined();
  });

  test('returns a quantity or throws a QuantityError for any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789.+-eEKMGTPinumk ,_OB'), maxLength: 1200 }),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const quantity = Quantity.tryParse(text);
        expect(quantity === undefined || Quantity.parse(quantity.toString()).compare(quantity) === 0).toBe(true);
      }),
    );
  });
});

describe('Quantity.toString', () => {
  test.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['-0', '0'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1500', '1500'],
    ['1.5', '1500m'],
    ['0.5', '500m'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1000000', '1M'],
    ['0.000001', '1u'],
    ['1.000000001', '1000000001n'],
    ['-2.5', '-2500m'],
    ['1000P', '1E'],
    ['1024Ki', '1Mi'],
    ['1024Mi', '1Gi'],
    ['1536Mi', '1536Mi'],
    ['1.5Gi', '1536Mi'],
    ['2048Gi', '2Ti'],
    ['8Ei', '9223372036854775807'],
    ['0.5Ki', '512'],
    ['0.5Mi', '512Ki'],
    ['0.0001Ki', '102400u'],
    ['1.0001Ki', '1024102400u'],
    ['-1.5Gi', '-1536Mi'],
    ['-1024Ki', '-1Mi'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['1e4', '10e3'],
    ['12e6', '12e6'],
    ['1e0', '1'],
    ['1e-3', '1e-3'],
    ['1e-4', '100e-6'],
    ['5e18', '5e18'],
  ])('prints %s as %s', (text, expected) => {
    expect(Quantity.parse(text).toString()).toBe(expected);
  });

  test('prints text that parses to the same quantity', () => {
    const amounts = fc.bigInt({ min: -MAX_INT64 * NANOS, max: MAX_INT64 * NANOS });
    const suffixes = fc.constantFrom('n', 'e-9');
    fc.assert(
      fc.property(amounts, suffixes, (nanos, suffix) => {
        const quantity = Quantity.parse(`${nanos}${suffix}`);
        const again = Quantity.parse(quantity.toString());
        expect(again.nanos).toBe(nanos);
        expect(again.toString()).toBe(quantity.toString());
      }),
    );
  });

  test('prints binary amounts that parse to the same quantity', () => {
    const suffixes = fc.constantFrom('Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei');
    fc.assert(
      fc.property(
        fc.bigInt({ min: -10_000n, max: 10_000n }),
        fc.integer({ min: 0, max: 999 }),
        suffixes,
        (whole, fraction, suffix) => {
          const quantity = Quantity.parse(`${whole}.${String(fraction).padStart(3, '0')}${suffix}`);
          expect(Quantity.parse(quantity.toString()).nanos).toBe(quantity.nanos);
        },
      ),
    );
  });

  test('keeps a suffix for sums beyond exa', () => {
    const exa = Quantity.of(10n ** 21n);
    expect(exa.toString()).toBe('1000E');
    expect(Quantity.of(2n ** 70n, 'BinarySI').toString()).toBe('1024Ei');
  });
});

describe('Quantity.value and milliValue', () => {
  test.each<[string, bigint, bigint]>([
    ['1', 1n, 1000n],
    ['1m', 1n, 1n],
    ['1u', 1n, 1n],
    ['1500m', 2n, 1500n],
    ['1.0001', 2n, 1001n],
    ['-1500m', -2n, -1500n],
    ['0', 0n, 0n],
  ])('round %s to %s units and %s thousandths', (text, units, milli) => {
    expect(Quantity.parse(text).value()).toBe(units);
    expect(Quantity.parse(text).milliValue()).toBe(milli);
  });
});

describe('arithmetic of Quantity', () => {
  const amounts = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).map((units) => Quantity.ofMilli(units));

  test('compares by amount across formats', () => {
    expect(Quantity.parse('1024Mi').compare(Quantity.parse('1Gi'))).toBe(0);
    expect(Quantity.parse('1G').compare(Quantity.parse('1Gi'))).toBe(-1);
    expect(Quantity.parse('1').compare(Quantity.parse('999m'))).toBe(1);
  });

  test('uses the format of the left side, or of the right side if the left is zero', () => {
    expect(Quantity.parse('1Gi').add(Quantity.parse('1G')).format).toBe('BinarySI');
    expect(Quantity.parse('0').add(Quantity.parse('1Gi')).toString()).toBe('1Gi');
    expect(Quantity.parse('0').subtract(Quantity.parse('1Gi')).toString()).toBe('-1Gi');
  });

  test('subtract undoes add, and compare is the sign of the difference', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        expect(a.add(b).subtract(b).compare(a)).toBe(0);
        const difference = a.subtract(b).nanos;
        expect(a.compare(b)).toBe(difference > 0n ? 1 : difference < 0n ? -1 : 0);
      }),
    );
  });
});
