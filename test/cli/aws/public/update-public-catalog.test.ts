import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { gzipSync } from 'zlib';
import { advisor, indexWith, PATHS, priceList, PriceServer, startPriceServer } from './price-server';
import { Catalog, PublicCatalog, readRegionCatalog } from '../../../../src/catalog';
import { catalogFile } from '../../../../src/catalog/catalog-file';
import { Interrupted, PublicSource, updatePublicCatalog } from '../../../../src/cli/aws';
import { Io } from '../../../../src/cli/io';
import { folderOf as sharedFolder, run } from '../../run';

const parent = sharedFolder({});
let server: PriceServer | undefined;
afterEach(() => {
  server?.stop();
  server = undefined;
});

type Files = Parameters<typeof startPriceServer>[0];

/** Updates the catalogue in a new folder from a server with these files. */
async function update(changed: Files = {}, options: Partial<PublicSource> = {}) {
  const folder = mkdtempSync(join(parent, 'public-'));
  const file = join(folder, 'prices.json');
  writeFileSync(file, 'old');
  server = await startPriceServer(changed);
  const { url } = server;
  let err = '';
  const io = { writeError: (text: string) => void (err += text) } as unknown as Io;
  const source: PublicSource = {
    region: 'eu-west-1',
    made: '2026-11-28',
    priceList: url,
    spotAdvisor: url + PATHS.advisor,
    signal: new AbortController().signal,
    pausesMs: [0, 0],
    ...options,
  };
  const text = () => readFileSync(file, 'utf8');
  try {
    const changes = await updatePublicCatalog(source, file, io);
    return { changes, err, file, text: text(), catalog: readRegionCatalog(file) as PublicCatalog };
  } catch (error) {
    // Nothing is half-written, and nothing else stays.
    expect([text(), readdirSync(folder)]).toEqual(['old', ['prices.json']]);
    throw new Error((error as Error).message.replaceAll(url, 'http://server'), { cause: error });
  }
}

describe('the catalogue of published prices', () => {
  test('has the prices of Karpenter and of EC2, spot prices, and the dates of both', async () => {
    const { catalog, err, changes } = await update({
      [PATHS.prices]: priceList({
        more: [
          { instanceType: 'x9.large', price: '0.2' },
          { instanceType: 'm5.metal', price: '5', changed: { Tenancy: 'Shared' } },
          { instanceType: 'm5.large', price: '9', changed: { TermType: 'Reserved' } },
          { instanceType: 'm5.large', price: '9', changed: { 'Operating System': 'Windows' } },
          { instanceType: 'm5.large', price: '9', changed: { Tenancy: 'Dedicated' } },
          { instanceType: 'm5.large', price: '9', changed: { 'Pre Installed S/W': 'SQL Std' } },
          { instanceType: 'm5.large', price: '9', changed: { CapacityStatus: 'UnusedCapacityReservation' } },
          { instanceType: 'm5.large', price: '9', changed: { operation: 'RunInstances:SV001' } },
          { instanceType: 'm5.large', price: '9', changed: { 'Region Code': 'eu-west-1-dub-1' } },
          { instanceType: 'm5.large', price: '0.0000000000' },
        ],
      }),
    });
    expect(catalog).toMatchObject({
      source: 'public',
      made: '2026-11-28',
      region: 'eu-west-1',
      currency: 'USD',
      pricesOf: '2026-11-20',
      spotOf: '2026-11-26',
      spot: { 'm5.large': [38, 1], 'm5.metal': [50, 0] },
      bareMetal: { 'm5.metal': 5 },
    });
    expect(catalog.onDemand['m5.large']).toBeCloseTo(0.107 * 1.1);
    expect(catalog.onDemand['x9.large']).toBe(0.2);
    expect(changes).toMatchObject({
      unknownTypes: ['x9.large'],
      withoutPrice: [],
      embedded: { pricesOf: '2025-05-28' },
    });
    expect(err).toMatch(/^eu-west-1: 2 spot prices\neu-west-1: [\d,]+ on-demand prices\n$/);
  });

  test('gives plans its prices, and keeps zones and instance types of the package', async () => {
    const { catalog } = await update();
    const made = Catalog.load({ catalogs: [catalog] });
    expect(made.region).toBe('eu-west-1');
    expect(made.names).toEqual(catalogFile().names);
    expect(made.zones).toEqual(Catalog.load({ region: 'eu-west-1' }).zones);
    expect(made.priceSource('m5.large', 'on-demand')).toEqual({ kind: 'published', date: '2026-11-20' });
    expect(made.priceSource('m5.large', 'spot')).toEqual({ kind: 'recorded', date: '2026-11-26' });
    expect(made.assumptions).toContain('on-demand prices of eu-west-1 are published prices of 2026-11-20');
    expect(made.origin).toBeUndefined();
  });

  test('is the same text twice', async () => {
    const { text } = await update();
    expect((await update()).text).toBe(text);
  });

  test('keeps the spot prices of the package if the advisor does not know the region', async () => {
    const { catalog } = await update({ [PATHS.advisor]: advisor().replace('"eu-west-1"', '"eu-west-9"') });
    expect(catalog).not.toHaveProperty('spot');
    expect(Catalog.load({ catalogs: [catalog] }).priceSource('m5.large', 'spot').date).toBe('2025-05-28');
  });

  test('is read again after a passing failure', async () => {
    let failures = 2;
    const flaky = await update({
      [PATHS.prices]: (_, response) => {
        failures -= 1;
        if (failures >= 0) response.writeHead(503).end();
        else response.end(priceList());
      },
    });
    expect(flaky.catalog.pricesOf).toBe('2026-11-20');
  });

  test('may be compressed', async () => {
    const { catalog } = await update({
      [PATHS.prices]: (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(priceList())),
    });
    expect(catalog.pricesOf).toBe('2026-11-20');
  });

  test('starts again from the first row after a connection that breaks', async () => {
    let attempts = 0;
    const { catalog } = await update({
      [PATHS.prices]: (_, response) => {
        attempts += 1;
        if (attempts > 1) return void response.end(priceList());
        response.write(priceList().slice(0, 5000), () => response.destroy());
      },
    });
    expect(attempts).toBe(2);
    expect(Object.keys(catalog.onDemand).length).toBeGreaterThan(500);
  });
});

const part = priceList().slice(0, 100_003);

describe('a file that cannot be used is named with its problem, and nothing is written', () => {
  test.each<[string, Files, string]>([
    ['cut inside a row', { [PATHS.prices]: part }, `${PATHS.prices}: is cut off; run the command again`],
    [
      'cut between rows',
      { [PATHS.prices]: part.slice(0, part.lastIndexOf('\n') + 1) },
      'the price list of eu-west-1 has prices of only',
    ],
    ['cut in the head', { [PATHS.prices]: '"FormatVersion","v1.0"\n' }, 'is cut off'],
    ['empty', { [PATHS.prices]: '' }, 'is cut off'],
    [
      'of another version',
      { [PATHS.prices]: priceList({ version: 'v2.0' }) },
      'has the FormatVersion "v2.0", not v1.0',
    ],
    [
      'without a column',
      { [PATHS.prices]: priceList({ columns: 'SKU,TermType,Unit' }) },
      'has no column "Operating System"',
    ],
    ['a page in HTML', { [PATHS.prices]: '<html>\n'.repeat(50) }, 'is no price list, because it has no FormatVersion'],
    ['one endless row', { [PATHS.prices]: 'x'.repeat(100_000) }, 'has a row of more than 64 KiB'],
    [
      'a price that is no number',
      { [PATHS.prices]: priceList({ more: [{ instanceType: 'm5.large', price: '1;2' }] }) },
      'has the price "1;2" for m5.large',
    ],
    [
      'an absurd price',
      { [PATHS.prices]: priceList({ more: [{ instanceType: 'm5.large', price: '1e9' }] }) },
      'which cannot be right',
    ],
    [
      'control characters',
      { [PATHS.prices]: priceList({ more: [{ instanceType: '\u001b[31m', price: 1 }] }) },
      'has an instance type called "\\u001b[31m"',
    ],
    [
      'another currency',
      { [PATHS.prices]: priceList({ more: [{ instanceType: 'm5.large', price: 1, changed: { Currency: 'CNY' } }] }) },
      'has the price of m5.large in "CNY", not USD',
    ],
    [
      'an index of another version',
      { [PATHS.index]: indexWith(PATHS.index, { formatVersion: 'v2.0' }) },
      'has the format version "v2.0", and this release reads v1.0',
    ],
    ['an index that is cut', { [PATHS.index]: '{"formatVersion":"v1.0",' }, `${PATHS.index}: is cut off`],
    [
      'an index without EC2',
      { [PATHS.index]: indexWith(PATHS.index, { offers: {} }) },
      "names no file of EC2's prices (missing)",
    ],
    [
      'an index that leads elsewhere',
      {
        [PATHS.regions]: indexWith(PATHS.regions, {
          regions: { 'eu-west-1': { currentVersionUrl: '@example.com/eu-west-1/index.json' } },
        }),
      },
      'names no file of EC2\'s prices ("@example.com/eu-west-1/index.json")',
    ],
    [
      'an index without the region',
      { [PATHS.regions]: indexWith(PATHS.regions, { regions: {} }) },
      'has no price list of eu-west-1',
    ],
    ['an advisor that is cut', { [PATHS.advisor]: advisor().slice(0, -9) }, `${PATHS.advisor}: is cut off`],
    [
      'an advisor with other ranges',
      { [PATHS.advisor]: advisor().replace('5-10%', '5-9%') },
      'has other ranges of interruption than <5%, 5-10%',
    ],
    [
      'an advisor with absurd savings',
      { [PATHS.advisor]: advisor({ 'm5.large': { s: 100, r: 0 } }) },
      'has the savings 100 for "m5.large"',
    ],
    [
      'a redirect',
      { [PATHS.prices]: (_, response) => response.writeHead(302, { location: 'http://example.com/' }).end() },
      'leads to another address, http://example.com/',
    ],
    [
      'missing',
      { [PATHS.prices]: (_, response) => response.writeHead(404).end() },
      `http://server${PATHS.prices}: answers with status 404; check the address`,
    ],
    [
      'always throttled',
      { [PATHS.advisor]: (_, response) => response.writeHead(429).end() },
      'answers with status 429; check the network',
    ],
    [
      'compressed, and cut',
      {
        [PATHS.prices]: (_, response) =>
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(priceList()).subarray(0, 5_000)),
      },
      `${PATHS.prices}: `,
    ],
    [
      'a connection that breaks',
      {
        [PATHS.advisor]: (_, response) =>
          response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
      },
      'cannot be read, ',
    ],
  ])('%s', async (_, files, message) => {
    await expect(update(files)).rejects.toThrow(message);
  });

  test('silent', async () => {
    const silent = { [PATHS.advisor]: () => undefined };
    await expect(update(silent, { idleMs: 50 })).rejects.toThrow('has sent nothing for 0.05 seconds');
  });

  test('endlessly slow', async () => {
    const slow = {
      [PATHS.advisor]: (_: unknown, response: import('http').ServerResponse) => {
        const timer = setInterval(() => response.write(' '), 5);
        response.on('close', () => clearInterval(timer));
      },
    };
    await expect(update(slow, { totalMs: 60 })).rejects.toThrow('is not complete after 0.001 minutes');
  });

  test('huge: only the start is read', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 ** 2, ' ');
    const huge = {
      [PATHS.index]: (_: unknown, response: import('http').ServerResponse) => {
        const next = () => {
          sent += 1;
          if (sent < 200 && !response.destroyed) response.write(chunk, () => setImmediate(next));
        };
        next();
      },
    };
    await expect(update(huge)).rejects.toThrow(`${PATHS.index}: has more than 16 MiB; check the address`);
    expect(sent).toBeLessThan(100);
  });

  test('interrupted', async () => {
    const interrupt = new AbortController();
    const stop = { [PATHS.prices]: () => interrupt.abort() };
    await expect(update(stop, { signal: interrupt.signal })).rejects.toMatchObject({ cause: expect.any(Interrupted) });
  });
});

test('a price list of 60 MB needs no memory of its size', async () => {
  const rows = `${priceList().split('\n').slice(6, 300).join('\n')}\n`.replaceAll('"OnDemand"', '"Reserved"');
  const times = Math.ceil((60 * 1024 ** 2) / rows.length);
  let peak = 0;
  const before = process.memoryUsage().rss;
  await update({
    [PATHS.prices]: (_, response) => {
      let left = times;
      response.write(priceList());
      const next = () => {
        peak = Math.max(peak, process.memoryUsage().rss);
        left -= 1;
        if (left > 0) response.write(rows, () => setImmediate(next));
        else response.end();
      };
      next();
    },
  });
  expect((peak - before) / 1024 ** 2).toBeLessThan(200);
}, 60_000);

describe('the command', () => {
  test('writes the file and what it changes', async () => {
    server = await startPriceServer();
    const { url } = server;
    const file = join(mkdtempSync(join(parent, 'command-')), 'prices.json');
    const addresses = ['--price-list', url, '--spot-advisor', url + PATHS.advisor];
    const { code, out } = await run(['catalog', 'update', '--region', 'eu-west-1', '--output', file, ...addresses]);
    expect(code).toBe(0);
    expect(out.replace(file, 'FILE')).toMatch(
      /^eu-west-1: wrote FILE, published on-demand prices of 2026-11-20 of [\d,]+ instance types, and spot prices of 2026-11-26\n/,
    );
    expect(out).toMatch(/\n {2}dearer {10}[\d,]+: .*\(\+10%\)/);
  });
});
