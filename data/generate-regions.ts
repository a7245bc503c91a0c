import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InstanceTypeFacts, readInstanceTypes } from './generate';
import { INTERRUPTION_BANDS, MASK_ALPHABET, pricePerVcpu, RegionFile } from '../src/catalog/region-file';

/** Part of `data/instances.json` of the Go module `github.com/cristim/ec2-instances-info`. */
interface RecordedType {
  readonly instance_type: string;
  readonly pricing: Readonly<Record<string, { readonly linux?: RecordedPrices } | undefined>>;
}
interface RecordedPrices {
  readonly ondemand?: string;
  /** Savings of the Spot advisor against on-demand, in percent. */
  readonly pct_savings_od?: number;
  readonly pct_interrupt?: string;
  readonly spot_min?: string;
  readonly spot_max?: string;
}

/** One offering in `moto/ec2/resources/instance_type_offerings/availability-zone-id/<region>.json.gz`. */
interface RecordedOffering {
  readonly InstanceType: string;
  readonly Location: string;
}

export const RECORDED_ON = '2025-05-28';
const PUBLISHED_ON: Readonly<Record<string, string>> = {
  'us-east-1': '2026-07-20',
  'us-gov-east-1': '2026-08-24',
  'us-gov-west-1': '2026-08-24',
  'cn-north-1': '2024-11-06',
};
const BASE_REGION = 'us-east-1';
const CURRENCIES: Readonly<Record<string, string>> = { 'cn-north-1': 'CNY' };
/** AWS has changed the prices of these families in all regions since the recording. */
const REPRICED_FAMILIES = ['p4d', 'p4de', 'p5', 'p5en', 'u7i-12tb'];
/** Smaller differences between two prices of bare metal are rounding. */
const MIN_SURCHARGE = 0.005;
/** How far the steps of families to the next generation may differ if they count as one step. */
const MAX_STEP_SPREAD = 0.01;
const BANDS: readonly string[] = INTERRUPTION_BANDS;
const REGION_NAME = /^[a-z]{2}(-gov)?-[a-z]+-\d$/;
const FAMILY = /^([a-z]+?)(?:-\d+tb)?(\d+)([a-z-]*)$/;

interface Sources {
  readonly types: readonly InstanceTypeFacts[];
  readonly recorded: ReadonlyMap<string, RecordedType>;
  /** Whether the offerings of any region list the type. */
  readonly isRecorded: (instanceType: string) => boolean;
  /** The offerings of a region by `availability-zone-id` or `availability-zone`; undefined if none are recorded. */
  readonly offerings: (location: string, region: string) => readonly RecordedOffering[] | undefined;
}

/** The files of all regions with prices, by region. */
export function regionFiles(sources: Sources): Map<string, RegionFile> {
  const recordedRegions = [...sources.recorded.values()]
    .flatMap(({ pricing }) => Object.keys(pricing))
    .filter((region) => REGION_NAME.test(region));
  const regions = [...new Set([...recordedRegions, ...Object.keys(PUBLISHED_ON)])].sort();
  return new Map(regions.map((region) => [region, regionFile(region, sources)]));
}

function regionFile(region: string, sources: Sources): RegionFile {
  const { types, recorded } = sources;
  const prices = types.map((type) => priceOf(type, region, sources));
  const recordedPrices = types.map(({ instanceType }) => recorded.get(instanceType)?.pricing[region]?.linux);
  const zones = zonesOf(region, sources);
  const factors = familyFactors(region, sources);
  const offered = zones.offered;
  const derived = types.map((type, index) =>
    prices[index] === undefined && offered !== undefined && offered[index] !== '.'
      ? derivedPrice(type, factors, sources)
      : undefined,
  );
  const charged = prices.map((price, index) => price ?? derived[index]);
  const { figures, listPrices, listPriceKinds } = withBareMetal(region, charged, sources);
  const percents = (percent: (prices: RecordedPrices) => number | undefined) =>
    recordedPrices.map((price) => (price && percent(price)) ?? null);
  const hasSpot = recordedPrices.some((price) => price?.pct_savings_od !== undefined);
  const hasZoneSpot = recordedPrices.some((price) => price?.spot_min !== undefined);
  return {
    region,
    currency: CURRENCIES[region] ?? 'USD',
    pricesOf: PUBLISHED_ON[region] ?? RECORDED_ON,
    pricePerVcpu: figures.map((figure, index) =>
      figure === undefined ? null : pricePerVcpu(figure.price, types[index].vcpus),
    ),
    priceKinds: figures.map((figure) => figure?.kind ?? '.').join(''),
    ...(listPriceKinds === ''
      ? {}
      : { listPrices, listPriceKinds, ...(region in PUBLISHED_ON ? { listPricesOf: RECORDED_ON } : {}) }),
    ...(hasSpot
      ? {
          spotOf: RECORDED_ON,
          spotPercent: percents(({ pct_savings_od: saved }) => (saved === undefined ? undefined : 100 - saved)),
          interruptionBand: recordedPrices
            .map((price) => BANDS.indexOf(price?.pct_interrupt ?? ''))
            .map((band) => (band < 0 ? '.' : String(band)))
            .join(''),
        }
      : {}),
    ...(hasZoneSpot
      ? {
          spotPercentLow: percents(({ spot_min: price, ondemand }) => share(price, ondemand)),
          spotPercentHigh: percents(({ spot_max: price, ondemand }) => share(price, ondemand)),
        }
      : {}),
    ...zones,
  };
}

interface Price {
  readonly price: number;
  readonly kind: 'p' | 'r' | 's' | 'd';
}

function priceOf(type: InstanceTypeFacts, region: string, { recorded }: Pick<Sources, 'recorded'>): Price | undefined {
  if (region in PUBLISHED_ON) {
    const price = type.onDemandUsdPerHour?.[region];
    return price === undefined ? undefined : { price, kind: 'p' };
  }
  const price = recordedPrice(type, region, recorded);
  if (price === undefined) return undefined;
  const base = recordedPrice(type, BASE_REGION, recorded);
  const published = type.onDemandUsdPerHour?.[BASE_REGION];
  if (!REPRICED_FAMILIES.includes(type.instanceType.split('.')[0]) || base === undefined || published === undefined)
    return { price, kind: 'r' };
  return { price: round((price * published) / base), kind: 's' };
}

function recordedPrice(
  { instanceType }: InstanceTypeFacts,
  region: string,
  recorded: Sources['recorded'],
): number | undefined {
  const price = Number(recorded.get(instanceType)?.pricing[region]?.linux?.ondemand ?? 0);
  return price > 0 ? price : undefined;
}

interface BareMetalPrices extends Pick<RegionFile, 'listPrices'> {
  /** Prices as Karpenter sees them. */
  readonly figures: ReadonlyArray<Price | undefined>;
  readonly listPriceKinds: string;
}

/**
 * Karpenter queries the prices of bare metal at dedicated tenancy, so its own table has those. Other records have the
 * list price.
 */
function withBareMetal(region: string, figures: ReadonlyArray<Price | undefined>, sources: Sources): BareMetalPrices {
  const isKarpenters = region in PUBLISHED_ON;
  const listPrices: Record<string, number> = {};
  let listPriceKinds = '';
  const seen = figures.map((figure, index) => {
    const type = sources.types[index];
    if (!type.bareMetal || figure === undefined || figure.price === 0) return figure;
    const list = isKarpenters ? listPrice(type, region, sources) : figure;
    const surcharge = isKarpenters ? 1 : dedicatedSurcharge(type, sources);
    const karpenters = surcharge === 1 ? figure : { price: round(figure.price * surcharge), kind: 'd' as const };
    if (list === undefined || Math.abs(karpenters.price / list.price - 1) < MIN_SURCHARGE) return figure;
    listPrices[type.instanceType] = list.price;
    listPriceKinds += list.kind;
    return karpenters;
  });
  return { figures: seen, listPrices, listPriceKinds };
}

/** How many times the list price Karpenter sees for bare metal, as in us-east-1. */
function dedicatedSurcharge(type: InstanceTypeFacts, sources: Sources): number {
  const [list, published] = [listPrice(type, BASE_REGION, sources)?.price, type.onDemandUsdPerHour?.[BASE_REGION]];
  const surcharge = list === undefined || published === undefined ? 1 : published / list;
  return surcharge - 1 < MIN_SURCHARGE ? 1 : surcharge;
}

/**
 * The list price of bare metal in a region of Karpenter's table: recorded, or that of the type of the same family and
 * size without bare metal. All recorded ones are equal to it.
 */
function listPrice(type: InstanceTypeFacts, region: string, { types, recorded }: Sources): Price | undefined {
  const price = recordedPrice(type, region, recorded);
  if (price !== undefined) return { price, kind: 'r' };
  const family = type.instanceType.split('.')[0];
  const sibling = types.find(
    ({ instanceType, vcpus, bareMetal }) => !bareMetal && vcpus === type.vcpus && instanceType.split('.')[0] === family,
  );
  const ofSibling = sibling?.onDemandUsdPerHour?.[region];
  return ofSibling === undefined ? undefined : { price: ofSibling, kind: 'd' };
}

/** The factor between the region's prices and those of us-east-1, by family: the median of the family's types. */
function familyFactors(region: string, { types, recorded }: Sources): Map<string, number> {
  const factors = new Map<string, number[]>();
  for (const type of types) {
    const price = recordedPrice(type, region, recorded);
    const base = recordedPrice(type, BASE_REGION, recorded);
    if (price === undefined || base === undefined) continue;
    const family = type.instanceType.split('.')[0];
    factors.set(family, [...(factors.get(family) ?? []), price / base]);
  }
  return new Map([...factors].map(([family, values]) => [family, median(values)]));
}

/** The price in us-east-1 times the factor of the family, of its nearest generation, or of the region. */
function derivedPrice(
  type: InstanceTypeFacts,
  factors: ReadonlyMap<string, number>,
  sources: Sources,
): Price | undefined {
  const base = basePrice(type, sources) ?? successorPrice(type, sources);
  if (base === undefined || factors.size === 0) return undefined;
  const family = type.instanceType.split('.')[0];
  return { price: round(base * (factors.get(family) ?? nearestFactor(family, factors))), kind: 'd' };
}

/** The list price in us-east-1. */
function basePrice(type: InstanceTypeFacts, sources: Sources): number | undefined {
  const published = type.onDemandUsdPerHour?.[BASE_REGION];
  return type.bareMetal ? (listPrice(type, BASE_REGION, sources)?.price ?? published) : published;
}

/**
 * The price in us-east-1 of a type that is newer than the published prices: that of the generation before, times the
 * step to this generation. Undefined unless all other families make the same step.
 */
function successorPrice(type: InstanceTypeFacts, sources: Sources): number | undefined {
  const [, letters, generation, suffix] = FAMILY.exec(type.instanceType.split('.')[0]) ?? [];
  const steps = sources.types.flatMap((other) => {
    const [, otherLetters, otherGeneration, otherSuffix] = FAMILY.exec(other.instanceType.split('.')[0]) ?? [];
    if (otherLetters === letters || otherGeneration !== generation || otherSuffix !== suffix) return [];
    const [price, before] = [basePrice(other, sources), predecessorPrice(other, sources)];
    return price === undefined || before === undefined ? [] : [price / before];
  });
  const before = predecessorPrice(type, sources);
  const isOneStep = steps.length > 0 && Math.max(...steps) / Math.min(...steps) - 1 < MAX_STEP_SPREAD;
  return before === undefined || !isOneStep ? undefined : round(before * median(steps));
}

/** The price in us-east-1 of the same size in the generation before. */
function predecessorPrice({ instanceType }: InstanceTypeFacts, sources: Sources): number | undefined {
  const [family, size] = instanceType.split('.');
  const [, letters, generation, suffix] = FAMILY.exec(family) ?? [];
  const before = sources.types.find(
    (other) => other.instanceType === `${letters}${Number(generation) - 1}${suffix}.${size}`,
  );
  return before && basePrice(before, sources);
}

function nearestFactor(family: string, factors: ReadonlyMap<string, number>): number {
  const [, letters, generation, suffix] = FAMILY.exec(family) ?? [];
  const related = [...factors].flatMap(([name, factor]) => {
    const parts = FAMILY.exec(name);
    if (!parts || parts[1] !== letters) return [];
    return [{ factor, distance: Math.abs(Number(parts[2]) - Number(generation)) + (parts[3] === suffix ? 0 : 10) }];
  });
  const nearest = Math.min(...related.map(({ distance }) => distance));
  const chosen = related.filter(({ distance }) => distance === nearest).map(({ factor }) => factor);
  return median(chosen.length > 0 ? chosen : [...factors.values()]);
}

function zonesOf(
  region: string,
  { types, offerings, isRecorded, recorded }: Sources,
): Pick<RegionFile, 'zoneIds' | 'zoneNames' | 'offered'> {
  const byId = offerings('availability-zone-id', region);
  if (byId === undefined) return {};
  const zoneIds = [...new Set(byId.map(({ Location }) => Location))].sort();
  const zoneNames = [...new Set((offerings('availability-zone', region) ?? []).map(({ Location }) => Location))].sort();
  const masks = new Map<string, number>();
  for (const { InstanceType, Location } of byId)
    masks.set(InstanceType, (masks.get(InstanceType) ?? 0) + 2 ** zoneIds.indexOf(Location));
  const everywhere = 2 ** zoneIds.length - 1;
  // A type that moto does not know (g4ad) is taken to be in all zones of the regions that have a price for it.
  const maskOf = (type: InstanceTypeFacts) =>
    masks.get(type.instanceType) ??
    (!isRecorded(type.instanceType) && priceOf(type, region, { recorded }) !== undefined ? everywhere : -1);
  // A type that is in no zone cannot be launched. `.` keeps it apart from a mask.
  const offered = types.map((type) => MASK_ALPHABET[maskOf(type)] ?? '.').join('');
  return { zoneIds, zoneNames, offered };
}

function share(price: string | undefined, onDemand: string | undefined): number | undefined {
  return Number(price ?? 0) > 0 && Number(onDemand ?? 0) > 0
    ? Math.round((Number(price) / Number(onDemand)) * 100)
    : undefined;
}

function round(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** One field a line, so that a change has a small diff. */
export function regionText(file: RegionFile): string {
  return `{${Object.entries(file)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}}\n`;
}

if (require.main === module) {
  const [prices, resources] = process.argv.slice(2);
  if (prices === undefined || resources === undefined) {
    throw new Error('arguments: <ec2-instances-info>/data/instances.json <moto>/ec2/resources; see CONTRIBUTING.md');
  }
  const recorded = JSON.parse(readFileSync(prices, 'utf8')) as RecordedType[];
  const folder = join(resources, 'instance_type_offerings');
  const read = (location: string, name: string) =>
    JSON.parse(gunzipSync(readFileSync(join(folder, location, name))).toString('utf8')) as RecordedOffering[];
  const names = readdirSync(join(folder, 'availability-zone-id'));
  const offeredTypes = new Set(
    names.flatMap((name) => read('availability-zone-id', name).map(({ InstanceType }) => InstanceType)),
  );
  const files = regionFiles({
    types: readInstanceTypes(),
    recorded: new Map(recorded.map((type) => [type.instance_type, type])),
    isRecorded: (instanceType) => offeredTypes.has(instanceType),
    offerings: (location, region) =>
      names.includes(`${region}.json.gz`) ? read(location, `${region}.json.gz`) : undefined,
  });
  mkdirSync(join(__dirname, 'regions'), { recursive: true });
  for (const [region, file] of files) writeFileSync(join(__dirname, 'regions', `${region}.json`), regionText(file));
}
