import * as fc from 'fast-check';
import { parseGoBool, parseIntegerLikeGo } from '../../src/model';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

describe('parseIntegerLikeGo', () => {
  test.each<[string, bigint]>([
    ['0', 0n],
    ['-0', 0n],
    ['+1', 1n],
    ['-1', -1n],
    ['007', 7n],
    ['9223372036854775807', MAX_INT64],
    ['-9223372036854775808', MIN_INT64],
    [`${'0'.repeat(100)}5`, 5n],
  ])('reads %s', (text, expected) => {
    expect(parseIntegerLikeGo(text)).toBe(expected);
  });

  test.each([
    '',
    '+',
    '-',
    '1.5',
    '0x10',
    ' 1',
    '1 ',
    '1_0',
    '1e3',
    '١',
    '--1',
    '1\n',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(100_000),
  ])('returns undefined for %j', (text) => {
    expect(parseIntegerLikeGo(text)).toBeUndefined();
  });

  test('reads every 64-bit integer, and none out of range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n * MIN_INT64, max: 2n * MAX_INT64 }), (value) => {
        expect(parseIntegerLikeGo(`${value}`)).toBe(value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined);
      }),
    );
  });
});

describe('parseGoBool', () => {
  test.each<[unknown, boolean | undefined]>([
    [true, true],
    ['true', true],
    ['True', true],
    [1, true],
    ['t', true],
    [false, false],
    ['FALSE', false],
    ['0', false],
    ['yes', undefined],
    ['tRUE', undefined],
    ['', undefined],
    [undefined, undefined],
    [{}, undefined],
    [Object.create(null), undefined],
  ])('reads %j like strconv.ParseBool', (value, expected) => {
    expect(parseGoBool(value)).toBe(expected);
  });
});
