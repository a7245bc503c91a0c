/** A server with the files that AWS publishes, in their documented formats. Tests change or cut single files. */
import { createServer, IncomingMessage, Server, ServerResponse } from 'http';
import { AddressInfo } from 'net';
import { catalogFile } from '../../../../src/catalog/catalog-file';
import { onDemandPrice, regionFile } from '../../../../src/catalog/region-file';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const PATHS = {
  index: '/offers/v1.0/aws/index.json',
  regions: '/offers/v1.0/aws/AmazonEC2/current/region_index.json',
  prices: '/offers/v1.0/aws/AmazonEC2/20261120183359/eu-west-1/index.csv',
  advisor: '/spot-advisor-data.json',
};

/** The columns that are read, among others. */
const COLUMNS =
  'SKU,OfferTermCode,RateCode,TermType,PriceDescription,EffectiveDate,Unit,PricePerUnit,Currency,LeaseContractLength,' +
  'Product Family,serviceCode,Location,Instance Type,vCPU,Tenancy,Operating System,License Model,operation,' +
  'CapacityStatus,MarketOption,Pre Installed S/W,Region Code,serviceName';

export interface Product {
  readonly instanceType: string;
  readonly price: number | string;
  readonly changed?: Readonly<Record<string, string>>;
}

export function productRow({ instanceType, price, changed }: Product): string {
  const fields: Readonly<Record<string, string>> = {
    SKU: `SKU${instanceType}`,
    TermType: 'OnDemand',
    PriceDescription: `$${price} per On Demand Linux ${instanceType} Instance Hour, "all"`,
    Unit: 'Hrs',
    PricePerUnit: String(price),
    Currency: 'USD',
    'Product Family': instanceType.includes('metal') ? 'Compute Instance (bare metal)' : 'Compute Instance',
    'Instance Type': instanceType,
    Tenancy: instanceType.includes('metal') ? 'Dedicated' : 'Shared',
    'Operating System': 'Linux',
    operation: 'RunInstances',
    CapacityStatus: 'Used',
    MarketOption: 'OnDemand',
    'Pre Installed S/W': 'NA',
    'Region Code': 'eu-west-1',
    ...changed,
  };
  return COLUMNS.split(',')
    .map((name) => (fields[name] === undefined ? '' : `"${fields[name].replaceAll('"', '""')}"`))
    .join(',');
}

export interface PriceListOptions {
  readonly version?: string;
  readonly columns?: string;
  readonly more?: readonly Product[];
}

/** The embedded prices of eu-west-1, raised by a tenth, and further products. */
export function priceList({ version = 'v1.0', columns = COLUMNS, more = [] }: PriceListOptions = {}): string {
  const { names, facts } = catalogFile();
  const embedded = regionFile('eu-west-1')!;
  const products = names
    .map((instanceType, type) => ({ instanceType, price: onDemandPrice(embedded, type, facts.vcpus[type]) * 1.1 }))
    .filter(({ price }) => !Number.isNaN(price));
  return [
    `"FormatVersion","${version}"`,
    '"Disclaimer","For informational purposes, ""as is"", only"',
    '"Publication Date","2026-11-20T18:33:59Z"',
    '"Version","20261120183359"',
    '"OfferCode","AmazonEC2"',
    columns
      .split(',')
      .map((name) => `"${name}"`)
      .join(','),
    ...products.map(({ instanceType, price }) => productRow({ instanceType, price: price.toFixed(10) })),
    ...more.map(productRow),
    '',
  ].join('\n');
}

export function advisor(types: object = { 'm5.large': { s: 62, r: 1 }, 'm5.metal': { s: 50, r: 0 } }): string {
  const labels = ['<5%', '5-10%', '10-15%', '15-20%', '>20%'];
  return JSON.stringify({
    instance_types: { 'm5.large': { emr: true, cores: 2, ram_gb: 8 } },
    ranges: labels.map((label, index) => ({ index, label, dots: index, max: 5 * index + 5 })),
    spot_advisor: { 'eu-west-1': { Linux: types, Windows: { 'm5.large': { s: 10, r: 4 } } } },
  });
}

const JSON_FILES: Readonly<Record<string, object>> = {
  [PATHS.index]: {
    formatVersion: 'v1.0',
    disclaimer: '',
    publicationDate: '2026-11-20T18:33:59Z',
    offers: {
      AmazonEC2: {
        offerCode: 'AmazonEC2',
        versionIndexUrl: '/offers/v1.0/aws/AmazonEC2/index.json',
        currentVersionUrl: '/offers/v1.0/aws/AmazonEC2/current/index.json',
        currentRegionIndexUrl: PATHS.regions,
      },
    },
  },
  [PATHS.regions]: {
    formatVersion: 'v1.0',
    publicationDate: '2026-11-20T18:33:59Z',
    regions: {
      'eu-west-1': { regionCode: 'eu-west-1', currentVersionUrl: PATHS.prices.replace('csv', 'json') },
    },
  },
};

/** The text of an index with other fields at a path. */
export function indexWith(path: string, changed: object): string {
  return JSON.stringify({ ...JSON_FILES[path], ...changed });
}

export interface PriceServer {
  readonly url: string;
  /** Paths of the requests so far. */
  readonly requests: string[];
  stop(): void;
}

/** @param changed what is served instead at a path */
export async function startPriceServer(changed: Readonly<Record<string, string | Handler>> = {}): Promise<PriceServer> {
  const requests: string[] = [];
  const files: Readonly<Record<string, string | Handler>> = {
    ...Object.fromEntries(Object.entries(JSON_FILES).map(([path, fields]) => [path, JSON.stringify(fields)])),
    [PATHS.prices]: priceList(),
    [PATHS.advisor]: (_, response) =>
      response.writeHead(200, { 'last-modified': 'Thu, 26 Nov 2026 10:00:00 GMT' }).end(advisor()),
    ...changed,
  };
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const file = files[path];
    if (file === undefined) response.writeHead(404).end();
    else if (typeof file === 'string') response.end(file);
    else file(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
