import { createHash } from 'crypto';
import { callProblem, isStaleToken } from './call-problem';
import { Call, ConnectionOptions, regionCalls, RegionCalls } from './calls';
import { Interrupted } from './interrupted';
import { PageLog } from './page-log';
import { Progress } from './progress';
import { Sdk } from './sdk';
import { writeCatalog } from './write-catalog';
import {
  accountCatalogText,
  CatalogChanges,
  compareWithEmbedded,
  makeAccountCatalog,
  parseRegionCatalog,
} from '../../catalog';
import { Io } from '../io';

export interface UpdateOptions extends ConnectionOptions {
  readonly region: string;
  /** The catalogue to write. */
  readonly file: string;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface UpdatedCatalog {
  readonly changes: CatalogChanges;
  /** Types whose offerings by zone and by zone id differ. */
  readonly disagreeing: readonly string[];
}

/**
 * Makes the catalogue of one region. The file is replaced only when the new one is complete and valid.
 *
 * @throws UsageError, CatalogProblem or Interrupted; the pages so far are kept for the next run
 */
export async function updateCatalog(sdk: Sdk, options: UpdateOptions, io: Io): Promise<UpdatedCatalog> {
  const { region, file, now } = options;
  const progress = new Progress(io, region);
  const collector = new Collector(options, progress);
  try {
    const answers = await collector.answers(regionCalls(sdk, region, options));
    const { catalog, disagreeing } = makeAccountCatalog({ ...answers, region, made: now.toISOString().slice(0, 10) });
    const text = accountCatalogText(catalog);
    // Whatever AWS answers, the file that is written can be read again.
    parseRegionCatalog(text, `the answers of AWS about ${region}`);
    writeCatalog(file, text);
    collector.removePages();
    return { changes: compareWithEmbedded(catalog), disagreeing };
  } finally {
    collector.removeEmptyPages();
    progress.clear();
  }
}

class Collector {
  private readonly logs: Array<PageLog<unknown>> = [];

  public constructor(
    private readonly options: UpdateOptions,
    private readonly progress: Progress,
  ) {}

  public async answers({ zones, types, offerings, offeringsById, spotPrices, products }: RegionCalls) {
    const first = {
      zones: await this.collect(zones),
      types: await this.collect(types),
      offerings: await this.collect(offerings),
      offeringsById: await this.collect(offeringsById),
      spotPrices: await this.collect(spotPrices),
    };
    if (products.length === 0) return first;
    const prices = [];
    for (const call of products) prices.push(...(await this.collect(call)));
    return { ...first, products: prices };
  }

  public removePages(): void {
    for (const log of this.logs) log.remove();
  }

  public removeEmptyPages(): void {
    for (const log of this.logs) if (log.isEmpty) log.remove();
  }

  private async collect<Item>(call: Call<Item>): Promise<Item[]> {
    const { file, region, now } = this.options;
    const log = new PageLog<Item>(
      `${file}.${call.name}.partial`,
      { call: call.name, region, identity: identityOf(this.options) },
      now.getTime(),
    );
    this.logs.push(log as PageLog<unknown>);
    let isFirst = true;
    while (!log.isComplete) {
      this.progress.update(log.items.length, call.noun);
      const page = await this.page(call, log.nextToken).catch((error: unknown) => {
        // Only a token of an earlier run may be too old.
        if (isFirst && log.nextToken !== undefined && isStaleToken(error)) return undefined;
        // A TypeError is a mistake of this program.
        throw error instanceof Interrupted || error instanceof TypeError ? error : callProblem(error, call);
      });
      if (page === undefined) log.restart();
      else log.append(page);
      isFirst = false;
    }
    this.progress.finish(log.items.length, call.noun);
    return log.items;
  }

  private async page<Item>(call: Call<Item>, token: string | undefined) {
    const { signal } = this.options;
    if (signal.aborted) throw new Interrupted();
    try {
      return await call.page(token, signal);
    } catch (error) {
      throw signal.aborted ? new Interrupted() : error;
    }
  }
}

/** Zones and offerings of another account must not be mixed in. Contains no secret: the id of a key is hashed, too. */
function identityOf({ profile }: ConnectionOptions): string {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL } = process.env;
  return createHash('sha256')
    .update(JSON.stringify([profile ?? AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL]))
    .digest('hex')
    .slice(0, 16);
}
