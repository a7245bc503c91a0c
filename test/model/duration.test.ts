import * as fc from 'fast-check';
import { parseGoDuration } from '../../src/model';

describe('parseGoDuration', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['0s', 0],
    ['30s', 30_000],
    ['5m', 300_000],
    ['720h', 2_592_000_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['5.s', 5_000],
    ['+1s', 1_000],
    ['-1m', -60_000],
    ['1ms', 1],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['1μs', 0.001],
    ['1ns', 0.000001],
    ['1m1m', 120_000],
    ['2562047h47m16.854775807s', 9_223_372_036_854.775],
    ['-2562047h47m16.854775808s', -9_223_372_036_854.775],
  ])('reads %s as %d ms', (text, expected) => {
    expect(parseGoDuration(text)).toBeCloseTo(expected, 6);
  });

  test.each([
    '',
    '-',
    '1',
    '.',
    '.s',
    's',
    '1d',
    '1w',
    '1 h',
    ' 1h',
    '1h ',
    '1H',
    'Never',
    '1e3s',
    '1h-1m',
    '--1h',
    '2562047h47m16.854775808s',
    '9'.repeat(99) + 'h',
  ])('returns undefined for %j', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });

  test('returns undefined for a very long text', () => {
    expect(parseGoDuration('1'.repeat(1_000_000))).toBeUndefined();
  });

  test('adds the parts', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(9999), fc.nat(9999), (hours, minutes, seconds) => {
        expect(parseGoDuration(`${hours}h${minutes}m${seconds}s`)).toBe(((hours * 60 + minutes) * 60 + seconds) * 1000);
      }),
    );
  });
});
