import { CsvRows } from './csv-rows';
import { currencyOf } from '../account/price-list';

/** On-demand prices of a region in the price list file that AWS publishes. */
export interface PublishedPrices {
  /** The day on which AWS published the file, `YYYY-MM-DD`. */
  readonly date: string;
  readonly currency: string;
  /** Price per hour by instance type, as Karpenter reads it: of bare metal at dedicated tenancy. */
  readonly onDemand: ReadonlyMap<string, number>;
  /** What EC2 charges for bare metal at shared tenancy. */
  readonly bareMetal: ReadonlyMap<string, number>;
}

/** A file of AWS that cannot be used: a clause after its name. */
export class PublishedFileProblem extends Error {}

const FORMAT = 'v1.0';
const HEADER_FIRST = 'SKU';
/** The head has five rows. */
const MAX_HEAD_ROWS = 20;
const MAX_PRICES = 10_000;
const INSTANCE_TYPE = /^[a-z][a-z0-9-]{0,30}\.[a-z0-9-]{1,30}$/;
const DAY = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T/;

const PRODUCT_FAMILY = 'Product Family';
/** The same products as in Karpenter's calls of GetProducts. */
const WANTED: Readonly<Record<string, string>> = {
  TermType: 'OnDemand',
  Unit: 'Hrs',
  'Operating System': 'Linux',
  'Pre Installed S/W': 'NA',
  CapacityStatus: 'Used',
};
/** Columns that older files lack. */
const WANTED_IF_PRESENT: Readonly<Record<string, string>> = { MarketOption: 'OnDemand', operation: 'RunInstances' };
const NEEDED = [
  ...Object.keys(WANTED),
  PRODUCT_FAMILY,
  'PricePerUnit',
  'Currency',
  'Instance Type',
  'Tenancy',
  'Region Code',
];
const VIRTUAL = 'Compute Instance';
const BARE_METAL = 'Compute Instance (bare metal)';

/**
 * Reads the CSV file of one region while it arrives. Only the prices are kept.
 *
 * @see https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html
 */
export class PriceListReader {
  private readonly rows = new CsvRows((fields) => this.read(fields));
  private readonly head = new Map<string, string>();
  private columns?: ReadonlyMap<string, number>;
  private wanted: ReadonlyArray<readonly [column: number, value: string]> = [];
  private readonly onDemand = new Map<string, number>();
  private readonly bareMetal = new Map<string, number>();
  private readonly currency: string;

  public constructor(private readonly region: string) {
    this.currency = currencyOf(region);
  }

  /** @throws PublishedFileProblem if the file is no price list of EC2 */
  public push(text: string): void {
    try {
      this.rows.push(text);
    } catch (error) {
      throw error instanceof PublishedFileProblem ? error : new PublishedFileProblem((error as Error).message);
    }
  }

  /** @throws PublishedFileProblem if the file is cut off, or has no price of the region */
  public end(): PublishedPrices {
    if (this.columns === undefined || !this.rows.isComplete) throw new PublishedFileProblem('is cut off');
    if (this.onDemand.size === 0) throw new PublishedFileProblem(`has no on-demand price of Linux in ${this.region}`);
    const [, date] = DAY.exec(this.head.get('Publication Date') ?? '') ?? [];
    if (date === undefined)
      throw new PublishedFileProblem(`has no date (Publication Date is ${shown(this.head.get('Publication Date'))})`);
    return { date, currency: this.currency, onDemand: this.onDemand, bareMetal: this.bareMetal };
  }

  private read(fields: readonly string[]): void {
    if (this.columns !== undefined) return this.readProduct(fields);
    if (fields[0] === HEADER_FIRST) return this.readHeader(fields);
    this.head.set(fields[0], fields[1] ?? '');
    if (this.head.size === 1) this.requireHead('FormatVersion', FORMAT);
    if (this.head.size > MAX_HEAD_ROWS) throw new PublishedFileProblem('has no row with the names of its columns');
  }

  private readHeader(names: readonly string[]): void {
    this.requireHead('FormatVersion', FORMAT);
    this.requireHead('OfferCode', 'AmazonEC2');
    const columns = new Map(names.map((name, index) => [name, index]));
    const missing = NEEDED.find((name) => !columns.has(name));
    if (missing !== undefined) throw new PublishedFileProblem(`has no column "${missing}"`);
    const present = Object.entries(WANTED_IF_PRESENT).filter(([name]) => columns.has(name));
    this.wanted = [...Object.entries(WANTED), ...present].map(([name, value]) => [columns.get(name)!, value]);
    this.columns = columns;
  }

  private requireHead(name: string, value: string): void {
    const got = this.head.get(name);
    if (got === value) return;
    throw new PublishedFileProblem(
      got === undefined ? `is no price list, because it has no ${name}` : `has the ${name} ${shown(got)}, not ${value}`,
    );
  }

  private readProduct(fields: readonly string[]): void {
    if (this.wanted.some(([column, value]) => fields[column] !== value)) return;
    const of = (name: string) => fields[this.columns!.get(name)!];
    const [family, tenancy] = [of(PRODUCT_FAMILY), of('Tenancy')];
    const isOfKarpenter = tenancy === (family === BARE_METAL ? 'Dedicated' : 'Shared');
    // Local Zones have region codes of their own.
    if (of('Region Code') !== this.region || ![VIRTUAL, BARE_METAL].includes(family)) return;
    if (!isOfKarpenter && !(family === BARE_METAL && tenancy === 'Shared')) return;
    this.keep(isOfKarpenter ? this.onDemand : this.bareMetal, of('Instance Type'), of('PricePerUnit'), of('Currency'));
  }

  private keep(prices: Map<string, number>, instanceType: string, text: string, currency: string): void {
    const price = Number(text);
    // A row of price 0 is for capacity that is paid elsewhere.
    if (price === 0) return;
    if (!INSTANCE_TYPE.test(instanceType))
      throw new PublishedFileProblem(`has an instance type called ${shown(instanceType)}`);
    if (!(price > 0 && price < Infinity))
      throw new PublishedFileProblem(`has the price ${shown(text)} for ${instanceType}`);
    if (currency !== this.currency)
      throw new PublishedFileProblem(`has the price of ${instanceType} in ${shown(currency)}, not ${this.currency}`);
    if (prices.size >= MAX_PRICES) throw new PublishedFileProblem(`has more than ${MAX_PRICES} instance types`);
    prices.set(instanceType, price);
  }
}

function shown(text: string | undefined): string {
  return text === undefined ? 'missing' : JSON.stringify(text.slice(0, 60));
}
