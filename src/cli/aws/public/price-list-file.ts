import { DownloadOptions, downloadText } from './download';
import { UsageError } from '../../io';

/** Where AWS publishes the price lists of its partitions. */
const HOSTS = { aws: 'https://pricing.us-east-1.amazonaws.com', cn: 'https://pricing.cn-north-1.amazonaws.com.cn' };
const OFFER = 'AmazonEC2';
const MAX_INDEX_BYTES = 16 * 1024 ** 2;
const FORMAT = 'v1.0';
const REMEDY = 'check the address, or write to the maintainers of this package if it is that of AWS';

type Json = Readonly<Record<string, unknown>>;

/**
 * The address of the CSV file with the current prices of EC2 in a region. It is in the index of regions, which is in
 * the index of offers.
 *
 * @param mirror a copy of the price list with the same paths
 * @throws UsageError if an index cannot be read, has another format, or does not have the region
 */
export async function findPriceListFile(
  region: string,
  mirror: string | undefined,
  options: DownloadOptions,
): Promise<string> {
  const partition = region.startsWith('cn-') ? 'cn' : 'aws';
  const base = (mirror ?? HOSTS[partition]).replace(/\/+$/, '');
  const folder = `/offers/v1.0/${partition}`;
  const offers = await readIndex(`${base}${folder}/index.json`, options);
  const regionIndex = valueAt(offers.fields, 'offers', OFFER, 'currentRegionIndexUrl');
  const indexPath = requirePath(
    regionIndex,
    new RegExp(`^${folder}/${OFFER}/[\\w-]+/region_index\\.json$`),
    offers.url,
  );
  const regions = await readIndex(base + indexPath, options);
  const file = valueAt(regions.fields, 'regions', region, 'currentVersionUrl');
  if (file === undefined)
    throw new UsageError(
      `${regions.url}: has no price list of ${region}; name another region, or make a catalogue of your account without --public`,
    );
  const path = requirePath(file, new RegExp(`^${folder}/${OFFER}/[\\w-]+/${region}/index\\.json$`), regions.url);
  return base + path.replace(/json$/, 'csv');
}

async function readIndex(
  url: string,
  options: DownloadOptions,
): Promise<{ readonly url: string; readonly fields: Json }> {
  const { text } = await downloadText(url, MAX_INDEX_BYTES, options);
  const fields = parsed(text);
  if (fields === undefined)
    throw new UsageError(`${url}: ${text.trimStart().startsWith('{') ? 'is cut off' : 'is not JSON'}; ${REMEDY}`);
  if (fields.formatVersion !== FORMAT)
    throw new UsageError(
      `${url}: has the format version ${shown(fields.formatVersion)}, and this release reads ${FORMAT}; use a newer release, or ${REMEDY}`,
    );
  return { url, fields };
}

/** An index must not lead out of the price list. */
function requirePath(path: unknown, pattern: RegExp, url: string): string {
  if (typeof path === 'string' && pattern.test(path)) return path;
  throw new UsageError(`${url}: names no file of EC2's prices (${shown(path)}); ${REMEDY}`);
}

function valueAt(fields: Json, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    fields,
  );
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 80);
}
