import { CatalogFacts } from '../catalog-file';
import { MAX_ZONES } from '../catalog-options';
import { FACT_NAMES, LABEL_KEYS } from '../instance-type-facts';
import { onDemandPrice, RegionFile } from '../region-file';
import { isRegion, regionOfZone } from '../regions';

type Values = Readonly<Record<string, unknown>>;

const INSTANCE_TYPE = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/;
const ZONE_ID = /^[a-z]+\d+-(?:[a-z0-9]+-)*(?:az|wlz)\d+$/;
const CURRENCY = /^[A-Z]{3}$/;
const PRICE_KINDS = /^[prsd.]*$/;
const MAX_INSTANCE_TYPES = 5000;
/** Per vCPU and hour, in any currency of AWS. EC2's prices are between 0.002 and 2 USD. */
const ABSURD_PER_VCPU = { below: 0.0001, above: 100 };
/** The highest bid that EC2 accepts is ten times the on-demand price. */
const MAX_SPOT_SHARE = 10;

/**
 * What is wrong with a catalogue of the right schema version, as a clause after the name of its file. Undefined if
 * nothing is.
 */
export function catalogDefect({ made, region, zones, types, figures }: Values): string | undefined {
  if (typeof made !== 'string' || !isDay(made)) return `has no valid date (made is ${shown(made)})`;
  if (typeof region !== 'string' || !isRegion(region)) return `is of a region that does not exist (${shown(region)})`;
  if (!isRecord(zones) || !isRecord(types) || !isRecord(figures)) return 'has no zones, types or figures';
  return (
    typesDefect(types) ??
    zonesDefect(region, zones, figures) ??
    figuresDefect(region, types.names as string[], types.facts as CatalogFacts, figures)
  );
}

function typesDefect({ names, facts, labels }: Values): string | undefined {
  if (!Array.isArray(names) || names.length === 0) return 'has no instance types';
  if (names.length > MAX_INSTANCE_TYPES) return `has ${names.length} instance types, more than EC2`;
  const strange = names.find((name) => typeof name !== 'string' || !INSTANCE_TYPE.test(name));
  if (strange !== undefined) return `has an instance type called ${shown(strange)}`;
  const repeated =
    new Set(names).size === names.length ? undefined : names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `has ${shown(repeated)} twice`;
  if (!isRecord(facts)) return 'has no facts about its instance types';
  for (const name of FACT_NAMES) {
    const defect = columnDefect(
      name,
      facts[name],
      names,
      (value) => isCount(value) && (value > 0 || (name !== 'vcpus' && name !== 'memoryMiB')),
    );
    if (defect !== undefined) return defect;
  }
  if (!Array.isArray(labels)) return 'has no labels';
  return labelsDefect(labels, names);
}

function labelsDefect(labels: readonly unknown[], names: readonly string[]): string | undefined {
  for (const label of labels) {
    if (!isRecord(label) || typeof label.key !== 'string' || !Array.isArray(label.values))
      return `has the label ${shown(label)}`;
    const { key, values, codes } = label as { key: string; values: unknown[]; codes: unknown };
    if (values.some((value) => typeof value !== 'string')) return `has values of ${key} that are not texts`;
    const defect = columnDefect(key, codes, names, (code) => code === -1 || (isCount(code) && code < values.length));
    if (defect !== undefined) return defect;
  }
  const missing = LABEL_KEYS.find((key) => labels.every((label) => (label as Values).key !== key));
  return missing === undefined ? undefined : `has no label ${missing}`;
}

function zonesDefect(region: string, zones: Values, { zoneIds, zoneNames }: Values): string | undefined {
  if (!Array.isArray(zoneIds) || !Array.isArray(zoneNames) || zoneIds.length === 0 || zoneIds.length > MAX_ZONES)
    return 'has no list of zones';
  const foreign = zoneNames.find((zone) => typeof zone !== 'string' || regionOfZone(zone) !== region);
  if (foreign !== undefined) return `has the zone ${shown(foreign)}, which is not in ${region}`;
  const strange = zoneIds.find((id) => typeof id !== 'string' || !ZONE_ID.test(id));
  if (strange !== undefined) return `has the zone ID ${shown(strange)}`;
  const isSame =
    Object.keys(zones).length === zoneNames.length &&
    zoneNames.every((name, index) => zones[name as string] === zoneIds[index]);
  return isSame && zoneIds.length === zoneNames.length ? undefined : 'has zones without a zone ID';
}

function figuresDefect(
  region: string,
  names: readonly string[],
  facts: CatalogFacts,
  figures: Values,
): string | undefined {
  const { currency, pricesOf, priceKinds, spotOf, zoneIds, offered, spotPrices } = figures;
  if (figures.region !== region) return `has figures of ${shown(figures.region)} in a catalogue of ${region}`;
  if (typeof currency !== 'string' || !CURRENCY.test(currency))
    return `has prices in ${shown(currency)}, which is not a currency`;
  if (![pricesOf, spotOf].every((date) => typeof date === 'string' && isDay(date)))
    return `has prices of ${shown(pricesOf)} and ${shown(spotOf)}, which are not dates`;
  if (typeof priceKinds !== 'string' || priceKinds.length !== names.length || !PRICE_KINDS.test(priceKinds))
    return 'has no kind for each price';
  const everywhere = 2 ** (zoneIds as unknown[]).length - 1;
  if (!isRecord(spotPrices)) return 'has no spot prices by zone';
  return (
    columnDefect('offered', offered, names, (mask) => isCount(mask) && mask <= everywhere) ??
    onDemandDefect(names, facts, figures) ??
    columnDefect(
      'spotPercent',
      figures.spotPercent,
      names,
      (percent) => percent === null || (isPositive(percent) && percent <= MAX_SPOT_SHARE * 100),
    ) ??
    (zoneIds as string[])
      .map((id) => spotDefect(id, spotPrices[id], names, facts, figures as unknown as RegionFile))
      .find((defect) => defect !== undefined)
  );
}

function onDemandDefect(
  names: readonly string[],
  facts: CatalogFacts,
  { pricePerVcpu, currency }: Values,
): string | undefined {
  const defect = columnDefect('pricePerVcpu', pricePerVcpu, names, (rate) => rate === null || typeof rate === 'number');
  if (defect !== undefined) return defect;
  const rates = pricePerVcpu as ReadonlyArray<number | null>;
  if (rates.every((rate) => rate === null)) return 'has no on-demand price';
  const absurd = rates.findIndex(
    (rate) => rate !== null && !(rate >= ABSURD_PER_VCPU.below && rate <= ABSURD_PER_VCPU.above),
  );
  if (absurd < 0) return undefined;
  const price = onDemandPrice({ pricePerVcpu: rates } as RegionFile, absurd, facts.vcpus[absurd]);
  return `has the on-demand price ${price} ${String(currency)} per hour for ${names[absurd]}, which cannot be right`;
}

function spotDefect(
  zoneId: string,
  prices: unknown,
  names: readonly string[],
  { vcpus }: CatalogFacts,
  figures: RegionFile,
): string | undefined {
  const defect = columnDefect(
    `spotPrices of ${zoneId}`,
    prices,
    names,
    (price) => price === null || typeof price === 'number',
  );
  if (defect !== undefined) return defect;
  const listed = prices as ReadonlyArray<number | null>;
  const absurd = listed.findIndex(
    (price, type) =>
      price !== null &&
      !(
        price > 0 &&
        price <= MAX_SPOT_SHARE * (onDemandPrice(figures, type, vcpus[type]) || ABSURD_PER_VCPU.above * vcpus[type])
      ),
  );
  return absurd < 0
    ? undefined
    : `has the spot price ${listed[absurd]} ${figures.currency} per hour for ${names[absurd]} in ${zoneId}, which cannot be right`;
}

function columnDefect(
  column: string,
  values: unknown,
  names: readonly string[],
  isValid: (value: unknown) => boolean,
): string | undefined {
  if (!Array.isArray(values)) return `has no column ${column}`;
  if (values.length !== names.length)
    return `has ${values.length} values of ${column} for ${names.length} instance types`;
  const invalid = values.findIndex((value) => !isValid(value));
  return invalid < 0 ? undefined : `has the value ${shown(values[invalid])} of ${column} for ${names[invalid]}`;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 60);
}
