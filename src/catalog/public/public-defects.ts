import { CatalogFile, catalogFile } from '../catalog-file';
import { INTERRUPTION_BANDS } from '../region-file';
import { isRegion } from '../regions';

type Values = Readonly<Record<string, unknown>>;

const INSTANCE_TYPE = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/;
const CURRENCY = /^[A-Z]{3}$/;
/** Per vCPU and hour, in any currency of AWS. EC2's prices are between 0.002 and 2 USD. */
const ABSURD_PER_VCPU = { below: 0.0001, above: 100 };
const MAX_INSTANCE_TYPES = 10_000;

/** What is wrong with a public catalogue of the right schema version, as a clause after the name of its file. */
export function publicCatalogDefect(catalog: Values): string | undefined {
  const { made, region, currency, pricesOf, onDemand, bareMetal, spotOf, spot } = catalog;
  if (!isDay(made) || !isDay(pricesOf))
    return `has no valid dates (made is ${shown(made)}, pricesOf is ${shown(pricesOf)})`;
  if (typeof region !== 'string' || !isRegion(region)) return `is of a region that does not exist (${shown(region)})`;
  if (typeof currency !== 'string' || !CURRENCY.test(currency))
    return `has prices in ${shown(currency)}, which is not a currency`;
  if (!isRecord(onDemand) || !isRecord(bareMetal)) return 'has no prices';
  const defect = pricesDefect(onDemand, currency) ?? pricesDefect(bareMetal, currency);
  if (defect !== undefined) return defect;
  if (Object.keys(onDemand).length === 0) return 'has no on-demand price';
  if (spot === undefined && spotOf === undefined) return undefined;
  if (!isDay(spotOf) || !isRecord(spot)) return `has no spot prices, or no valid date of them (${shown(spotOf)})`;
  const strange = Object.entries(spot).find(([, figures]) => !isSpotFigure(figures));
  return strange === undefined ? undefined : `has the spot figures ${shown(strange[1])} for ${shown(strange[0])}`;
}

function pricesDefect(prices: Values, currency: string, types: CatalogFile = catalogFile()): string | undefined {
  const entries = Object.entries(prices);
  if (entries.length > MAX_INSTANCE_TYPES) return `has ${entries.length} instance types, more than EC2`;
  const strange = entries.find(([name]) => !INSTANCE_TYPE.test(name));
  if (strange !== undefined) return `has an instance type called ${shown(strange[0])}`;
  const vcpus = new Map(types.names.map((name, type) => [name, types.facts.vcpus[type]]));
  const absurd = entries.find(([name, price]) => {
    const rate = typeof price === 'number' ? price / (vcpus.get(name) ?? 1) : NaN;
    return !(rate >= ABSURD_PER_VCPU.below && (rate <= ABSURD_PER_VCPU.above || !vcpus.has(name)));
  });
  return absurd === undefined
    ? undefined
    : `has the on-demand price ${shown(absurd[1])} ${currency} per hour for ${absurd[0]}, which cannot be right`;
}

function isSpotFigure(figures: unknown): boolean {
  if (!Array.isArray(figures) || figures.length !== 2) return false;
  const [percent, band] = figures as unknown[];
  return (
    typeof percent === 'number' &&
    percent > 0 &&
    percent <= 100 &&
    Number.isInteger(band) &&
    INTERRUPTION_BANDS[band as number] !== undefined
  );
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDay(text: unknown): boolean {
  const time = typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text as string);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 60);
}
