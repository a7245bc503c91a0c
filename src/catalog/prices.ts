import { CatalogFile } from './catalog-file';
import { column } from './columns';
import { onDemandPrice, PriceCode, RegionFile } from './region-file';

/** Where a price comes from. `assumed`: no price of the type or its family is known for the region. */
export type PriceKind = 'published' | 'recorded' | 'derived' | 'assumed';

/** The kind of a price, and the date of the record that it is or is derived from. */
export interface PriceSource {
  readonly kind: PriceKind;
  /** `YYYY-MM-DD`. Absent for an assumed price. */
  readonly date?: string;
}

export interface Prices {
  /** The region whose prices these are. */
  readonly region: string;
  /** ISO 4217 code of all prices. */
  readonly currency: string;
  /** Price per hour by type, NaN without a price. */
  readonly onDemand: Float64Array;
  readonly spot: Float64Array;
  /** What EC2 charges on demand; `onDemand` is what Karpenter compares. They differ for some bare metal. */
  readonly listPrices: Float64Array;
  readonly sourceOf: (type: number, capacityType: string) => PriceSource;
  readonly listSourceOf: (type: number) => PriceSource;
}

/** The share of on-demand that spot is assumed to cost if the region has no record of spot prices. */
export const ASSUMED_SPOT_SHARE = 0.4;

const KINDS: Readonly<Record<PriceCode, PriceKind>> = {
  p: 'published',
  r: 'recorded',
  s: 'derived',
  d: 'derived',
  '.': 'assumed',
};

/**
 * The prices of a region. The spot price of a type without a record is derived from the median share of its family, or
 * of its category.
 *
 * @param spotPriceRatio replaces the recorded shares by one for all types
 */
export function pricesOf(file: CatalogFile, region: RegionFile, spotPriceRatio?: number): Prices {
  const { names, facts } = file;
  const rowOf = (type: number) => file.rows?.[type] ?? type;
  const onDemand = column(names.length, (type) => onDemandPrice(region, rowOf(type), facts.vcpus[type]));
  const recorded = (type: number) => region.spotPercent?.[rowOf(type)] ?? undefined;
  const shareOf = spotPriceRatio === undefined ? spotShares(file, recorded) : () => spotPriceRatio;
  const list = listPrices(file, region, onDemand);
  // Spot prices are those of default tenancy, for Karpenter as well.
  const spot = column(names.length, (type) => (facts.spot[type] ? list.prices[type] * shareOf(type) : NaN));
  const sourceOf = (type: number, capacityType: string): PriceSource => {
    if (capacityType !== 'spot') return source(KINDS[region.priceKinds[rowOf(type)] as PriceCode], region.pricesOf);
    if (spotPriceRatio !== undefined || region.spotPercent === undefined) return ASSUMED;
    return source(recorded(type) === undefined ? 'derived' : 'recorded', region.spotOf);
  };
  const listSourceOf = (type: number) => list.sources.get(type) ?? sourceOf(type, 'on-demand');
  return {
    region: region.region,
    currency: region.currency,
    onDemand,
    spot,
    listPrices: list.prices,
    sourceOf,
    listSourceOf,
  };
}

const ASSUMED: PriceSource = { kind: 'assumed' };

function source(kind: PriceKind, date: string | undefined): PriceSource {
  return kind === 'assumed' || date === undefined ? ASSUMED : { kind, date };
}

interface ListPrices {
  readonly prices: Float64Array;
  /** Only of types whose list price is not the price that Karpenter compares. */
  readonly sources: ReadonlyMap<number, PriceSource>;
}

function listPrices({ names }: CatalogFile, region: RegionFile, onDemand: Float64Array): ListPrices {
  const listed = Object.entries(region.listPrices ?? {});
  if (listed.length === 0) return { prices: onDemand, sources: new Map() };
  const prices = onDemand.slice();
  const sources = new Map<number, PriceSource>();
  listed.forEach(([name, price], index) => {
    const type = names.indexOf(name);
    if (type < 0) return;
    prices[type] = price;
    const kind = KINDS[region.listPriceKinds![index] as PriceCode];
    sources.set(type, source(kind, kind === 'recorded' ? (region.listPricesOf ?? region.pricesOf) : region.pricesOf));
  });
  return { prices, sources };
}

function spotShares(
  { names, labels }: CatalogFile,
  recorded: (type: number) => number | undefined,
): (type: number) => number {
  const percents = names.map((_, type) => recorded(type));
  const known = percents.filter((percent) => percent !== undefined);
  const groups = ['karpenter.k8s.aws/instance-family', 'karpenter.k8s.aws/instance-category'].map((key) => {
    const { codes = [] } = labels.find((label) => label.key === key) ?? {};
    return { codes, medians: mediansBy(codes, percents) };
  });
  const all = known.length === 0 ? ASSUMED_SPOT_SHARE * 100 : median(known);
  return (type) => {
    const [family, category] = groups.map(({ codes, medians }) => medians.get(codes[type]));
    return (percents[type] ?? family ?? category ?? all) / 100;
  };
}

function mediansBy(codes: readonly number[], percents: ReadonlyArray<number | undefined>): Map<number, number> {
  const groups = new Map<number, number[]>();
  percents.forEach((percent, type) => {
    if (percent === undefined || codes[type] < 0) return;
    const group = groups.get(codes[type]);
    if (group) group.push(percent);
    else groups.set(codes[type], [percent]);
  });
  return new Map([...groups].map(([code, group]) => [code, median(group)]));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Adds prices for types without one. Types that are not sold as spot get no spot price. */
export function withPrices(prices: Prices, { names, facts }: CatalogFile, added: ReadonlyMap<string, number>): Prices {
  if (added.size === 0) return prices;
  const filled = (known: Float64Array, isSold: (type: number) => boolean) =>
    known.map((price, type) => (Number.isNaN(price) && isSold(type) ? (added.get(names[type]) ?? price) : price));
  const onDemand = filled(prices.onDemand, () => true);
  return {
    ...prices,
    onDemand,
    listPrices: filled(prices.listPrices, () => true),
    spot: filled(prices.spot, (type) => facts.spot[type] === 1),
  };
}
