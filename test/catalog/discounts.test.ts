import { Catalog, unknownFamily } from '../../src/catalog';

const discounts = [
  { family: 'm5', share: 0.28 },
  { family: '*', share: 0.1 },
];
const catalog = Catalog.load({ zones: ['us-east-1a'], discounts });
const bill = (instanceType: string, more: Partial<Parameters<Catalog['bill']>[0]> = {}) =>
  catalog.bill({ instanceType, capacityType: 'on-demand', usdPerHour: 0.5, ...more }).pricePerHour;

describe('discounts of families', () => {
  test('are taken off the on-demand price, and * holds for all other families', () => {
    expect([bill('m5.large'), bill('c5.large')]).toEqual([0.06912, 0.0765]);
  });

  test('are not taken off spot prices, and off prices that a NodeOverlay sets', () => {
    expect([bill('m5.large', { capacityType: 'spot' }), bill('m5.large', { isOverlaid: true })]).toEqual([0.5, 0.5]);
  });

  test('are not taken off the licence of Windows', () => {
    expect(bill('m5.large', { isWindows: true })).toBeCloseTo(0.06912 + 2 * 0.046, 6);
  });

  test('are one assumption', () => {
    expect(catalog.assumptions).toContain(
      'on-demand prices are charged with discounts: m5 28%, all other families 10%; Karpenter does not know them, and compares the full prices',
    );
  });

  test('are refused with another share than one between 0 and 1', () => {
    for (const share of [0, 1, -0.1, NaN])
      expect(() => Catalog.load({ discounts: [{ family: 'm5', share }] })).toThrow(
        'discounts: not a share between 0 and 1',
      );
  });

  test('need a family that some instance type has', () => {
    expect([unknownFamily(discounts), unknownFamily([{ family: 'm55', share: 0.1 }])]).toEqual([undefined, 'm55']);
  });
});
