import { Catalog } from '../../src/catalog';

const load = (region: string) => Catalog.load({ region });
const onDemand = (catalog: Catalog, instanceType: string) =>
  catalog.onDemandUsdPerHour[catalog.names.indexOf(instanceType)];
const billOf = (region: string, instanceType: string, isWindows = false) => {
  const catalog = load(region);
  return catalog.bill({
    instanceType,
    capacityType: 'on-demand',
    usdPerHour: onDemand(catalog, instanceType),
    isWindows,
  });
};

describe('bare metal', () => {
  test("is billed at its recorded list price, and compared at dedicated tenancy as in Karpenter's table", () => {
    expect(billOf('us-east-1', 'c6g.metal')).toEqual({
      pricePerHour: 2.176,
      source: { kind: 'recorded', date: '2025-05-28' },
    });
    expect(onDemand(load('us-east-1'), 'c6g.metal')).toBe(2.3066);
    expect(load('us-east-1').priceSource('c6g.metal', 'on-demand')).toEqual({ kind: 'published', date: '2026-07-20' });
  });

  test('without a recorded list price has that of the same size without bare metal', () => {
    expect(billOf('us-east-1', 'c8i.metal-48xl')).toEqual({
      pricePerHour: 8.99616,
      source: { kind: 'derived', date: '2026-07-20' },
    });
  });

  test('in other regions is compared at the list price times the surcharge of us-east-1', () => {
    const catalog = load('eu-west-1');
    expect(billOf('eu-west-1', 'c6g.metal')).toEqual({
      pricePerHour: 2.3347,
      source: { kind: 'recorded', date: '2025-05-28' },
    });
    expect(onDemand(catalog, 'c6g.metal')).toBeCloseTo((2.3347 * 2.3066) / 2.176, 5);
    expect(catalog.priceSource('c6g.metal', 'on-demand').kind).toBe('derived');
  });

  test('without a surcharge is billed as compared', () => {
    expect(billOf('us-east-1', 'm5.metal')).toEqual({
      pricePerHour: 4.608,
      source: { kind: 'published', date: '2026-07-20' },
    });
  });
});

// Prices of Windows that ec2-instances-info recorded on 2025-05-28.
test.each([
  ['m5.large', 0.188],
  ['t3.medium', 0.06],
  ['c7i-flex.2xlarge', 0.68881],
  ['c7i-flex.12xlarge', 4.2432],
])('Windows adds its licence to the price of %s', (type, price) => {
  const bill = billOf('us-east-1', type, true);
  expect(bill.pricePerHour).toBeCloseTo(price, 3);
  expect(bill).toMatchObject({ source: { kind: 'derived' } });
});

test.each([
  ['us-east-1', 'p5.48xlarge', 'the price of the Windows licence on p5.48xlarge is unknown'],
  ['us-east-1', 'm3.large', 'the price of the Windows licence on m3.large is unknown'],
  ['cn-north-1', 'm5.large', 'the price of the Windows licence on m5.large is unknown in CNY'],
])('%s: the bill of Windows on %s is unknown', (region, type, why) => {
  expect(billOf(region, type, true)).toEqual({ pricePerHour: null, why });
});

test('without prices of the region, nothing is billed', () => {
  expect(billOf('ap-east-2', 'm5.large')).toEqual({ pricePerHour: null, why: 'no prices are known for ap-east-2' });
});

test('the price that a NodeOverlay sets is billed', () => {
  expect(
    load('us-east-1').bill({ instanceType: 'c6g.metal', capacityType: 'on-demand', usdPerHour: 1, isOverlaid: true })
      .pricePerHour,
  ).toBe(1);
});
