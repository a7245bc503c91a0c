import { DOWNLOAD_DEFAULTS, download, DownloadOptions, downloadText } from './download';
import { findPriceListFile } from './price-list-file';
import {
  PublishedFileProblem,
  makePublicCatalog,
  parseRegionCatalog,
  PriceListReader,
  PublicCatalog,
  publicCatalogText,
  PublicChanges,
  publicChanges,
  PublishedPrices,
  readSpotAdvice,
} from '../../../catalog';
import { Io, UsageError } from '../../io';
import { Progress } from '../progress';
import { writeCatalog } from '../write-catalog';

export const SPOT_ADVISOR = 'https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json';
const MAX_ADVISOR_BYTES = 64 * 1024 ** 2;
/** The file of us-east-1 has 400 MB. */
const MAX_PRICE_LIST_BYTES = 4 * 1024 ** 3;
const MIB = 1024 ** 2;

/** What is read, and from where. */
export interface PublicSource extends Partial<DownloadOptions> {
  readonly region: string;
  /** `YYYY-MM-DD` */
  readonly made: string;
  /** A copy of the price list with the same paths. @default - the host of AWS */
  readonly priceList?: string;
  /** A copy of the Spot Instance advisor's file. @default - the file of AWS */
  readonly spotAdvisor?: string;
  readonly signal: AbortSignal;
}

/**
 * Makes the catalogue of the published prices of one region. The file is replaced only when the new one is valid.
 *
 * @throws UsageError, CatalogProblem or Interrupted; nothing is written then
 */
export async function updatePublicCatalog(source: PublicSource, file: string, io: Io): Promise<PublicChanges> {
  const catalog = await readPublicCatalog(source, io);
  const text = publicCatalogText(catalog);
  // Whatever AWS answers, the file that is written can be read again.
  parseRegionCatalog(text, `the published prices of ${source.region}`);
  writeCatalog(file, text);
  return publicChanges(catalog);
}

/** @throws UsageError, CatalogProblem or Interrupted */
export async function readPublicCatalog(source: PublicSource, io: Io): Promise<PublicCatalog> {
  const { region, made } = source;
  const options: DownloadOptions = { ...DOWNLOAD_DEFAULTS, ...source };
  const progress = new Progress(io, region);
  try {
    const spot = await readSpot(source, options);
    progress.finish(spot?.advice.size ?? 0, 'spot prices');
    const prices = await readPrices(source, options, progress);
    progress.finish(prices.onDemand.size, 'on-demand prices');
    return makePublicCatalog({ region, made, prices, spot });
  } finally {
    progress.clear();
  }
}

async function readSpot({ region, made, spotAdvisor: url = SPOT_ADVISOR }: PublicSource, options: DownloadOptions) {
  const { text, date = made } = await downloadText(url, MAX_ADVISOR_BYTES, options);
  const advice = usable(url, () => readSpotAdvice(text, region));
  return advice && { date, advice };
}

async function readPrices(
  { region, priceList }: PublicSource,
  options: DownloadOptions,
  progress: Progress,
): Promise<PublishedPrices> {
  const url = await findPriceListFile(region, priceList, options);
  let reader = new PriceListReader(region);
  const newSink = () => {
    reader = new PriceListReader(region);
    let characters = 0;
    return (text: string) => {
      usable(url, () => reader.push(text));
      const before = Math.floor(characters / MIB);
      characters += text.length;
      if (Math.floor(characters / MIB) > before) progress.update(Math.floor(characters / MIB), 'MiB of the price list');
    };
  };
  await download(url, MAX_PRICE_LIST_BYTES, newSink, options);
  return usable(url, () => reader.end());
}

function usable<T>(url: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PublishedFileProblem)) throw error;
    throw new UsageError(`${url}: ${error.message}; run the command again, and check the address if the problem stays`);
  }
}
