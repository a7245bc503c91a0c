/** One price of GetProducts. */
export interface ProductPrice {
  readonly instanceType: string;
  readonly price: number;
  readonly currency: string;
}

/** Part of one text in `PriceList` of GetProducts. */
interface Product {
  readonly product?: { readonly attributes?: { readonly instanceType?: unknown } };
  readonly terms?: {
    readonly OnDemand?: Readonly<
      Record<string, { readonly priceDimensions?: Readonly<Record<string, PriceDimension>> }>
    >;
  };
}
interface PriceDimension {
  readonly pricePerUnit?: Readonly<Record<string, string>>;
}

const CHINA = /^cn-/;
/** Partitions whose regions are not in any price list that their own accounts can read. */
const WITHOUT_PRICE_LIST = /^(us-gov|us-iso|eu-iso|eusc)/;

/** The currency in which the price list has the region. */
export function currencyOf(region: string): string {
  return CHINA.test(region) ? 'CNY' : 'USD';
}

/**
 * The region whose endpoint of the price list Karpenter uses for a region; undefined if Karpenter cannot read prices
 * there, and keeps those of its own table.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/pricing/pricing.go
 */
export function priceListRegion(region: string): string | undefined {
  if (WITHOUT_PRICE_LIST.test(region)) return undefined;
  if (CHINA.test(region)) return 'cn-northwest-1';
  if (region.startsWith('eu-')) return 'eu-central-1';
  return region.startsWith('ap-') ? 'ap-south-1' : 'us-east-1';
}

/** The positive price of a product in the currency. Undefined for a text without one. */
export function productPrice(text: string, currency: string): ProductPrice | undefined {
  const { product, terms } = parsed(text);
  const instanceType = product?.attributes?.instanceType;
  if (typeof instanceType !== 'string') return undefined;
  const dimensions = Object.values(terms?.OnDemand ?? {}).flatMap(({ priceDimensions = {} }) =>
    Object.values(priceDimensions),
  );
  // A dimension of price 0 is for upfront fees, or for capacity that is paid elsewhere.
  const price = dimensions
    .map(({ pricePerUnit }) => Number(pricePerUnit?.[currency]))
    .find((candidate) => candidate > 0);
  return price === undefined ? undefined : { instanceType, price, currency };
}

function parsed(text: string): Product {
  try {
    return (JSON.parse(text) as Product | null) ?? {};
  } catch {
    return {};
  }
}
