import {
  hourlyAmountText,
  hourlyPriceCell,
  hourlyPriceText,
  hourlyPriceUnit,
  monthlyAmountText,
  monthlyPriceText,
} from '../../../src/model';

describe('hourlyPriceText', () => {
  test.each([
    [0, '$0/h'],
    [0.0042, '$0.0042/h'],
    [0.096, '$0.0960/h'],
    [0.99999, '$1.00/h'],
    [1.536, '$1.54/h'],
    [20.5678, '$20.57/h'],
    [1234.5, '$1,234.50/h'],
    [-0.05, '-$0.0500/h'],
  ])('of %s is %s', (price, text) => expect(hourlyPriceText(price)).toBe(text));
});

describe('monthlyPriceText', () => {
  test.each([
    [0, '$0/month'],
    [0.0096, '$7.01/month'],
    [9.999 / 730, '$10/month'],
    [0.096, '$70/month'],
    [1.92, '$1,402/month'],
    [-0.1, '-$73/month'],
  ])('of %s an hour is %s', (price, text) => expect(monthlyPriceText(price)).toBe(text));
});

test('prices in another currency begin with its code', () => {
  expect([hourlyPriceText(0.5, 'CNY'), monthlyPriceText(0.5, 'CNY')]).toEqual(['CNY 0.5000/h', 'CNY 365/month']);
  expect([hourlyPriceUnit('CNY'), hourlyPriceUnit()]).toEqual(['CNY/h', '$/h']);
});

test('an unknown price is named as such, and is a dash in a column', () => {
  expect([hourlyPriceText(null), monthlyPriceText(null)]).toEqual(['an unknown price', 'an unknown price']);
  expect(hourlyPriceCell(null)).toBe('-');
});

test('amounts have no unit, and cells of a column have four decimals', () => {
  expect([hourlyAmountText(0.096), monthlyAmountText(0.096)]).toEqual(['$0.0960', '$70']);
  expect([hourlyPriceCell(0.096), hourlyPriceCell(20.5678)]).toEqual(['0.0960', '20.5678']);
});
