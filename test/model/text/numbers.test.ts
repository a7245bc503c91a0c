import { countText, fixedText, numberText, percentText } from '../../../src/model';

describe('numberText', () => {
  test.each<[number | bigint, string]>([
    [0, '0'],
    [999, '999'],
    [1391, '1,391'],
    [1_234_567, '1,234,567'],
    [-13_076, '-13,076'],
    [1234.5, '1,234.5'],
    [0.1 + 0.2, '0.3'],
    [-0.0001, '0'],
    [9_007_199_254_740_993n, '9,007,199,254,740,993'],
  ])('of %s is %s', (value, text) => expect(numberText(value)).toBe(text));

  test('rounds to the given number of decimals', () => {
    expect(numberText(2.456, 1)).toBe('2.5');
  });
});

test('fixedText keeps zeros at the end', () => {
  expect(fixedText(1402.5, 2)).toBe('1,402.50');
});

describe('countText', () => {
  test.each([
    [0, '0 pods'],
    [1, '1 pod'],
    [1391, '1,391 pods'],
  ])('of %s is %s', (count, text) => expect(countText(count, 'pod')).toBe(text));

  test('takes a plural of its own, which may include a verb', () => {
    expect([1, 2].map((count) => countText(count, 'entry is', 'entries are'))).toEqual(['1 entry is', '2 entries are']);
  });
});

describe('percentText', () => {
  test.each([
    [0, '0%'],
    [0.001, '<1%'],
    [0.484, '48%'],
    [0.999, '99%'],
    [1, '100%'],
    [12.5, '1,250%'],
  ])('of %s is %s', (share, text) => expect(percentText(share)).toBe(text));
});
