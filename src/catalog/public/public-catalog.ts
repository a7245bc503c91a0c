import { PublishedPrices } from './price-list-reader';
import { SpotAdvice } from './spot-advisor';
import { CATALOG_SCHEMA_VERSION } from '../account/account-catalog';
import { CatalogProblem } from '../account/problem';
import { CatalogFile, catalogFile } from '../catalog-file';
import { onDemandPrice, pricePerVcpu, RegionFile, regionFile } from '../region-file';

/**
 * The file that `catalog update --public` writes: prices of one region that AWS publishes. Instance types and zones are
 * those of this package. Prices are keyed by instance type, so the file outlives changes of the package's types.
 */
export interface PublicCatalog {
  readonly schemaVersion: typeof CATALOG_SCHEMA_VERSION;
  readonly source: 'public';
  /** `YYYY-MM-DD` */
  readonly made: string;
  readonly region: string;
  readonly currency: string;
  readonly pricesOf: string;
  /** Price per hour, as Karpenter reads it: of bare metal at dedicated tenancy. */
  readonly onDemand: Readonly<Record<string, number>>;
  /** What EC2 charges for bare metal, if that is another price. */
  readonly bareMetal: Readonly<Record<string, number>>;
  /** Absent if the Spot Instance advisor has no data of the region. The figures of this package are then kept. */
  readonly spotOf?: string;
  /** Average spot price of 30 days in percent of on-demand, and the index of the range of interruption. */
  readonly spot?: Readonly<Record<string, readonly [percent: number, band: number]>>;
}

export interface PublicAnswers {
  readonly region: string;
  readonly made: string;
  readonly prices: PublishedPrices;
  readonly spot?: { readonly date: string; readonly advice: ReadonlyMap<string, SpotAdvice> };
}

/** A price list with fewer of the types that the package has prices of is not the whole one. */
const LEAST_SHARE = 0.5;

/** @throws CatalogProblem if the price list misses most of the types that have a price in this package */
export function makePublicCatalog({ region, made, prices, spot }: PublicAnswers): PublicCatalog {
  requireMost(region, prices);
  const kept = ([name]: readonly [string, unknown]) => prices.onDemand.has(name);
  return {
    schemaVersion: CATALOG_SCHEMA_VERSION,
    source: 'public',
    made,
    region,
    currency: prices.currency,
    pricesOf: prices.date,
    onDemand: sorted(prices.onDemand),
    bareMetal: sorted(new Map([...prices.bareMetal].filter(([name, price]) => prices.onDemand.get(name) !== price))),
    ...(spot && {
      spotOf: spot.date,
      spot: sorted(
        new Map([...spot.advice].filter(kept).map(([name, { percent, band }]) => [name, [percent, band] as const])),
      ),
    }),
  };
}

function requireMost(region: string, { onDemand }: PublishedPrices): void {
  const embedded = regionFile(region);
  const known = catalogFile().names.filter((_, type) => (embedded?.pricePerVcpu[type] ?? null) !== null);
  const found = known.filter((name) => onDemand.has(name));
  if (found.length >= known.length * LEAST_SHARE) return;
  throw new CatalogProblem(
    `the price list of ${region} has prices of only ${found.length} of ${known.length} instance types that this package knows there; ` +
      'it is not the whole list, so run the command again',
  );
}

function sorted<Value>(values: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...values].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The text of the file: one instance type a line, so that a change has a small diff. */
export function publicCatalogText({ onDemand, bareMetal, spot, ...head }: PublicCatalog): string {
  const lines = (record: object) =>
    Object.entries(record)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(',\n');
  return [
    `{${lines(head)},`,
    `"onDemand":{\n${lines(onDemand)}},`,
    `"bareMetal":{\n${lines(bareMetal)}}${spot === undefined ? '' : `,\n"spot":{\n${lines(spot)}}`}}`,
    '',
  ].join('\n');
}

/**
 * The figures of the region with the published prices, in the order of the package's instance types.
 *
 * @param embedded has the zones, and the spot prices if none are published
 */
export function publishedFigures(
  catalog: PublicCatalog,
  embedded: RegionFile | undefined = regionFile(catalog.region),
): RegionFile {
  const { region, currency, pricesOf, onDemand, bareMetal, spotOf, spot } = catalog;
  const types = catalogFile();
  const priceOf = (name: string) => (Object.hasOwn(onDemand, name) ? onDemand[name] : undefined);
  const listed = Object.entries(bareMetal).filter(([name]) => types.names.includes(name));
  const { zoneIds, zoneNames, offered } = embedded ?? {};
  return {
    region,
    currency,
    pricesOf,
    pricePerVcpu: types.names.map((name, type) => {
      const price = priceOf(name);
      return price === undefined ? null : pricePerVcpu(price, types.facts.vcpus[type]);
    }),
    priceKinds: types.names.map((name) => (priceOf(name) === undefined ? '.' : 'p')).join(''),
    ...(listed.length > 0 && {
      listPrices: Object.fromEntries(listed),
      listPriceKinds: 'p'.repeat(listed.length),
    }),
    ...(spot === undefined ? spotFiguresOf(embedded) : adviceColumns(spotOf, spot, types)),
    ...(zoneIds && { zoneIds, zoneNames, offered }),
  };
}

function spotFiguresOf(embedded: RegionFile | undefined): Partial<RegionFile> {
  if (embedded?.spotOf === undefined) return {};
  const { spotOf, spotPercent, interruptionBand, spotPercentLow, spotPercentHigh } = embedded;
  return { spotOf, spotPercent, interruptionBand, ...(spotPercentLow && { spotPercentLow, spotPercentHigh }) };
}

function adviceColumns(
  spotOf: string | undefined,
  spot: NonNullable<PublicCatalog['spot']>,
  { names }: CatalogFile,
): Partial<RegionFile> {
  const of = (name: string) => (Object.hasOwn(spot, name) ? spot[name] : undefined);
  return {
    spotOf,
    spotPercent: names.map((name) => of(name)?.[0] ?? null),
    interruptionBand: names.map((name) => of(name)?.[1] ?? '.').join(''),
  };
}

/** What a public catalogue changes, compared with the package's data of its region. */
export interface PublicChanges {
  readonly region: string;
  readonly made: string;
  readonly pricesOf: string;
  readonly spotOf?: string;
  readonly currency: string;
  readonly instanceTypes: number;
  /** Undefined if no data of the region are embedded. */
  readonly embedded?: { readonly pricesOf: string };
  /** Types with a price that this package does not know. No plan uses them. */
  readonly unknownTypes: readonly string[];
  /** Types that have a price in the package only. */
  readonly withoutPrice: readonly string[];
  readonly prices: ReadonlyArray<{ readonly instanceType: string; readonly before: number; readonly after: number }>;
}

export function publicChanges(catalog: PublicCatalog): PublicChanges {
  const { region, made, pricesOf, spotOf, currency, onDemand } = catalog;
  const embedded = regionFile(region);
  const { names, facts } = catalogFile();
  const known = new Set(names);
  const before = names.flatMap((instanceType, type): Array<{ instanceType: string; price: number }> => {
    const price = embedded === undefined ? NaN : onDemandPrice(embedded, type, facts.vcpus[type]);
    return Number.isNaN(price) ? [] : [{ instanceType, price }];
  });
  const isPriced = (name: string) => Object.hasOwn(onDemand, name);
  return {
    region,
    made,
    pricesOf,
    spotOf,
    currency,
    instanceTypes: Object.keys(onDemand).filter((name) => known.has(name)).length,
    embedded: embedded && { pricesOf: embedded.pricesOf },
    unknownTypes: Object.keys(onDemand).filter((name) => !known.has(name)),
    withoutPrice: before.map(({ instanceType }) => instanceType).filter((name) => !isPriced(name)),
    prices: before
      .filter(({ instanceType }) => isPriced(instanceType))
      .map(({ instanceType, price }) => ({ instanceType, before: price, after: onDemand[instanceType] })),
  };
}
