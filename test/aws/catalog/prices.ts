/** Prices that moto does not know: GetProducts from the embedded prices of the region, with some changes. */
import { Catalog } from '../../../src/catalog';

interface GetProductsInput {
  readonly Filters: ReadonlyArray<{ readonly Field: string; readonly Value: string }>;
  readonly NextToken?: string;
  readonly MaxResults: number;
}

/** Prices of the account that differ from the embedded ones. */
export const REPRICED: Readonly<Record<string, number>> = { 'm5.large': 1.5, 'c5.large': 0.5 };
/** The share of on-demand that spot costs, by the last letter of the zone. It differs between the zones. */
export const SPOT_SHARES: Readonly<Record<string, number>> = { a: 0.3, b: 0.4, c: 0.5 };

const pricesByRegion = new Map<string, ReadonlyMap<string, number>>();

export function priceOf(region: string, type: string): number | undefined {
  let prices = pricesByRegion.get(region);
  if (prices === undefined) {
    const catalog = Catalog.load({ region });
    prices = new Map(
      catalog.names.flatMap((name, index): Array<[string, number]> => {
        const price = catalog.onDemandUsdPerHour[index];
        return Number.isNaN(price) ? [] : [[name, rounded(price * (REPRICED[name] ?? 1))]];
      }),
    );
    pricesByRegion.set(region, prices);
  }
  return prices.get(type);
}

export function spotPriceOf(type: string, zone: string): string {
  const price = priceOf(zone.slice(0, -1), type) ?? 1;
  return (price * (SPOT_SHARES[zone.slice(-1)] ?? 0.6)).toFixed(6);
}

export function priceList({ Filters: filters, NextToken = '0', MaxResults }: GetProductsInput) {
  const { regionCode = '', productFamily } = Object.fromEntries(filters.map(({ Field, Value }) => [Field, Value]));
  priceOf(regionCode, '');
  const isMetal = productFamily === 'Compute Instance (bare metal)';
  const prices = [...(pricesByRegion.get(regionCode) ?? [])].filter(([name]) => name.includes('.metal') === isMetal);
  const [from, to] = [Number(NextToken), Number(NextToken) + MaxResults];
  return {
    FormatVersion: 'aws_v1',
    PriceList: prices
      .slice(from, to)
      .map(([instanceType, price]) => JSON.stringify(product(instanceType, price, regionCode))),
    ...(to < prices.length ? { NextToken: String(to) } : {}),
  };
}

/** As the price list has it: the price is in the innermost object. */
function product(instanceType: string, price: number, regionCode: string) {
  const currency = regionCode.startsWith('cn-') ? 'CNY' : 'USD';
  const dimension = {
    unit: 'Hrs',
    description: `per On Demand Linux ${instanceType} Instance Hour`,
    pricePerUnit: { [currency]: price.toFixed(10) },
  };
  return {
    product: {
      productFamily: 'Compute Instance',
      attributes: { instanceType, regionCode, operatingSystem: 'Linux', tenancy: 'Shared' },
      sku: 'SKU',
    },
    serviceCode: 'AmazonEC2',
    terms: {
      OnDemand: {
        'SKU.JRTCKXETXF': { priceDimensions: { 'SKU.JRTCKXETXF.6YS6EN2CT7': dimension }, termAttributes: {} },
      },
    },
  };
}

function rounded(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}
