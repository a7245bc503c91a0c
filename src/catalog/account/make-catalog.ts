/* eslint-disable no-bitwise -- zones are bit sets */
import { AccountCatalog, AccountFigures, CATALOG_SCHEMA_VERSION } from './account-catalog';
import { withKarpenterTables } from './described-facts';
import { currencyOf, ProductPrice } from './price-list';
import { CatalogProblem } from './problem';
import { DescribedOffering, DescribedSpotPrice, DescribedZone } from './responses';
import { CatalogFile, catalogFile } from '../catalog-file';
import { MAX_ZONES } from '../catalog-options';
import { catalogColumns, InstanceTypeFacts } from '../instance-type-facts';
import { onDemandPrice, pricePerVcpu, regionFile } from '../region-file';

/** The collected answers about one region. */
export interface AccountAnswers {
  readonly region: string;
  /** The day of the answers, `YYYY-MM-DD`. */
  readonly made: string;
  readonly zones: readonly DescribedZone[];
  readonly types: readonly InstanceTypeFacts[];
  /** By zone name, as Karpenter asks for them. */
  readonly offerings: readonly DescribedOffering[];
  readonly offeringsById: readonly DescribedOffering[];
  readonly spotPrices: readonly DescribedSpotPrice[];
  /** Undefined if the region's partition has no price list. The embedded prices are then kept. */
  readonly products?: readonly ProductPrice[];
}

export interface MadeCatalog {
  readonly catalog: AccountCatalog;
  /** Types whose zones by name and by id differ. Those by name are used, because Karpenter uses them. */
  readonly disagreeing: readonly string[];
}

/** @throws CatalogProblem if the answers have no instance types, no zones or no prices */
export function makeAccountCatalog(answers: AccountAnswers): MadeCatalog {
  const { region, made } = answers;
  const zones = zonesOf(answers);
  const inZones = offeredMasks(
    answers.offerings,
    zones.map(({ name }) => name),
  );
  // Karpenter uses a type only if at least one zone offers it.
  const sold = answers.types.filter(({ instanceType }) => inZones.has(instanceType));
  ensure(zones.length > 0, region, 'has no zone in this account', 'enable the region, or name another one');
  ensure(
    sold.length > 0,
    region,
    'offers no instance type to this account',
    'check the profile and the endpoint, and run the command again',
  );
  const types = catalogColumns(withKarpenterTables([...sold].sort(byFamilyAndSize), catalogFile()));
  const byId = offeredMasks(
    answers.offeringsById,
    zones.map(({ id }) => id),
  );
  return {
    catalog: {
      schemaVersion: CATALOG_SCHEMA_VERSION,
      made,
      region,
      zones: Object.fromEntries(zones.map(({ name, id }) => [name, id])),
      types,
      figures: figuresOf(answers, types, zones, inZones),
    },
    disagreeing: types.names.filter((name) => inZones.get(name) !== byId.get(name)),
  };
}

interface Zone {
  readonly name: string;
  readonly id: string;
}

/** Availability Zones before Local Zones and Wavelength Zones, then by name. */
function zonesOf({ zones }: AccountAnswers): Zone[] {
  const known = zones.flatMap(({ ZoneName: name, ZoneId: id, ZoneType: type = 'availability-zone' }) =>
    name === undefined || id === undefined ? [] : [{ name, id, isLocal: type !== 'availability-zone' }],
  );
  return known
    .sort((left, right) => Number(left.isLocal) - Number(right.isLocal) || byCodePoint(left.name, right.name))
    .slice(0, MAX_ZONES);
}

/** By type: the bit mask of the places that offer it. */
function offeredMasks(offerings: readonly DescribedOffering[], places: readonly string[]): Map<string, number> {
  const masks = new Map<string, number>();
  for (const { InstanceType = '', Location = '' } of offerings) {
    const place = places.indexOf(Location);
    if (place >= 0) masks.set(InstanceType, ((masks.get(InstanceType) ?? 0) | (1 << place)) >>> 0);
  }
  return masks;
}

function figuresOf(
  answers: AccountAnswers,
  types: CatalogFile,
  zones: readonly Zone[],
  inZones: ReadonlyMap<string, number>,
): AccountFigures {
  const { region, made } = answers;
  const prices =
    answers.products === undefined ? embeddedPrices(region, types) : listedPrices(answers.products, types, made);
  ensure(
    prices.perHour.some((price) => price !== null),
    region,
    'has no on-demand price',
    'check the profile and the endpoint, and run the command again',
  );
  const spotPrices = spotPricesByZone(answers.spotPrices, types, zones);
  return {
    region,
    currency: currencyOf(region),
    pricesOf: prices.date,
    pricePerVcpu: prices.perHour.map((price, type) =>
      price === null ? null : pricePerVcpu(price, types.facts.vcpus[type]),
    ),
    priceKinds: prices.kinds,
    spotOf: made,
    spotPercent: types.names.map((_, type) =>
      averagePercent(
        zones.map(({ id }) => spotPrices[id][type]),
        prices.perHour[type],
      ),
    ),
    zoneIds: zones.map(({ id }) => id),
    zoneNames: zones.map(({ name }) => name),
    offered: types.names.map((name) => inZones.get(name)!),
    spotPrices,
  };
}

interface OnDemandPrices {
  readonly date: string;
  readonly perHour: ReadonlyArray<number | null>;
  readonly kinds: string;
}

function listedPrices(products: readonly ProductPrice[], { names }: CatalogFile, date: string): OnDemandPrices {
  const prices = new Map(products.map(({ instanceType, price }) => [instanceType, price]));
  const perHour = names.map((name) => prices.get(name) ?? null);
  return { date, perHour, kinds: perHour.map((price) => (price === null ? '.' : 'p')).join('') };
}

function embeddedPrices(region: string, { names }: CatalogFile): OnDemandPrices {
  const file = regionFile(region);
  const embedded = catalogFile();
  if (file === undefined)
    throw new CatalogProblem(
      `${region}: AWS publishes no price list for this region, and no prices of it are built in; a catalogue of it cannot be made`,
    );
  const rows = new Map(embedded.names.map((name, row) => [name, row]));
  const perHour = names.map((name) => {
    const row = rows.get(name);
    const price = row === undefined ? NaN : onDemandPrice(file, row, embedded.facts.vcpus[row]);
    return Number.isNaN(price) ? null : price;
  });
  return {
    date: file.pricesOf,
    perHour,
    kinds: perHour.map((price, type) => (price === null ? '.' : file.priceKinds[rows.get(names[type])!])).join(''),
  };
}

function spotPricesByZone(
  answers: readonly DescribedSpotPrice[],
  { names, facts }: CatalogFile,
  zones: readonly Zone[],
): Record<string, Array<number | null>> {
  const latest = new Map<string, { readonly time: number; readonly price: number }>();
  for (const { InstanceType, AvailabilityZone, SpotPrice, Timestamp } of answers) {
    const price = Number(SpotPrice);
    const time = new Date(Timestamp ?? NaN).getTime();
    const key = `${InstanceType} ${AvailabilityZone}`;
    if (price > 0 && !(time < (latest.get(key)?.time ?? -Infinity))) latest.set(key, { time, price });
  }
  return Object.fromEntries(
    zones.map(({ name, id }) => [
      id,
      names.map((type, index) => (facts.spot[index] ? (latest.get(`${type} ${name}`)?.price ?? null) : null)),
    ]),
  );
}

/** The average of the zones' spot prices in percent of on-demand, to a tenth. */
function averagePercent(prices: ReadonlyArray<number | null>, onDemand: number | null): number | null {
  const known = prices.filter((price) => price !== null);
  if (known.length === 0 || onDemand === null) return null;
  const average = known.reduce((sum, price) => sum + price, 0) / known.length;
  return Math.max(0.1, Math.round((average / onDemand) * 1000) / 10);
}

/** The order of the embedded instance types. */
export function byFamilyAndSize(left: InstanceTypeFacts, right: InstanceTypeFacts): number {
  const family = ({ instanceType }: InstanceTypeFacts) => instanceType.split('.')[0];
  return (
    byCodePoint(family(left), family(right)) ||
    left.vcpus - right.vcpus ||
    left.memoryMiB - right.memoryMiB ||
    byCodePoint(left.instanceType, right.instanceType)
  );
}

function byCodePoint(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function ensure(holds: boolean, region: string, problem: string, remedy: string): void {
  if (!holds) throw new CatalogProblem(`${region} ${problem}; ${remedy}`);
}
