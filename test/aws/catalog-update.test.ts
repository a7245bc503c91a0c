/** `catalog update` with the AWS SDK, against moto behind an API that answers in pages and fails like a real one. */
import { ChildProcess } from 'child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { Api, Request } from './catalog/api';
import { Ended, Environment, runCli } from './catalog/command-line';
import { priceOf, REPRICED, SPOT_SHARES } from './catalog/prices';
import { MotoServer } from './moto/server';
import { Catalog, DEFAULT_NODE_CLASS, describeInstanceType, readRegionCatalog } from '../../src/catalog';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const REGION = 'eu-west-1';
const ZONES = { 'eu-west-1a': 'euw1-az3', 'eu-west-1b': 'euw1-az1', 'eu-west-1c': 'euw1-az2' };
/** moto needs seconds for each answer about all instance types, and much longer on a busy machine. */
const TIMEOUT = 300_000;
const TODAY = new Date().toISOString().slice(0, 10);

jest.setTimeout(TIMEOUT);

let moto: MotoServer;
let api: Api;
let folder: string;
/** A run without faults. Its requests are those of an empty folder. */
let undisturbed: Ended & { readonly file: string; readonly text: string; readonly requests: readonly Request[] };
beforeAll(async () => {
  moto = await MotoServer.start();
  api = await Api.start(moto.endpoint);
  folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  const ended = await update();
  undisturbed = {
    ...ended,
    file: file(),
    text: ended.code === 0 ? readFileSync(file(), 'utf8') : '',
    requests: api.requests,
  };
}, TIMEOUT);
afterAll(async () => {
  await api.stop();
  await moto.stop();
  rmSync(dirname(undisturbed.file), { recursive: true, force: true });
});
beforeEach(() => {
  api.reset();
  folder = mkdtempSync(join(tmpdir(), 'catalog-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (region = REGION) => join(folder, `karpenter-catalog-${region}.json`);
const update = (
  regions: readonly string[] = [REGION],
  env: Environment = {},
  onStart?: (child: ChildProcess) => void,
): Promise<Ended> =>
  runCli(
    ['catalog', 'update', '--region', ...regions, '--output', `${folder}/`],
    { AWS_ENDPOINT_URL: api.endpoint, ...env },
    onStart,
  );
const asked = (action: string, requests: readonly Request[] = api.requests) =>
  requests.filter((request) => request.action === action);
const partials = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.partial'))
    .sort();

describe('catalog update', () => {
  test('writes the types, zones and prices of the account, page by page', () => {
    const { code, out, err, requests } = undisturbed;
    expect({ code, err: err.split('\n').map((line) => line.replace(/ [\d,]{2,} /, ' N ')) }).toEqual({
      code: 0,
      err: [
        'eu-west-1: 3 zones',
        'eu-west-1: N instance types',
        'eu-west-1: N offerings by zone',
        'eu-west-1: N offerings by zone ID',
        'eu-west-1: N spot prices',
        'eu-west-1: N on-demand prices',
        'eu-west-1: N on-demand prices of bare metal',
        '',
      ],
    });
    expect(out).toContain(`wrote ${undisturbed.file}, a catalogue of 1,1`);
    expect(out).toMatch(/dearer +m5\.large \$0\.1070\/h → \$0\.1605\/h \(\+50%\)/);
    expect(out).toMatch(/cheaper +c5\.large \$0\.0960\/h → \$0\.0480\/h \(-50%\)/);
    expect(readdirSync(dirname(undisturbed.file))).toEqual([`karpenter-catalog-${REGION}.json`]);
    expect(readRegionCatalog(undisturbed.file)).toMatchObject({
      schemaVersion: '2',
      made: TODAY,
      region: REGION,
      zones: ZONES,
      figures: { currency: 'USD', pricesOf: TODAY, spotOf: TODAY },
    });
    expect(asked('DescribeInstanceTypes', requests).map(({ token }) => token)).toEqual([
      undefined,
      ...Array.from({ length: 13 }, (_, index) => `${(index + 1) * 100}`),
    ]);
    expect(asked('DescribeInstanceTypeOfferings', requests)).toHaveLength(8);
    expect(asked('DescribeSpotPriceHistory', requests)).toHaveLength(4);
    expect(new Set(asked('GetProducts', requests).map(({ region }) => region))).toEqual(new Set(['eu-central-1']));
  });

  test('gives instance types the same facts as the embedded data, except those that SOURCE.md names', () => {
    const [account, embedded] = [
      { region: REGION, catalogs: [readRegionCatalog(undisturbed.file)] },
      { region: REGION },
    ].map((options) => {
      const table = Catalog.load(options).resolve(DEFAULT_NODE_CLASS);
      return new Map(table.names.map((name, index) => [name, describeInstanceType(table, index)]));
    });
    const shared = [...account.keys()].filter((name) => embedded.has(name));
    expect(shared.length).toBeGreaterThan(1100);
    const facts = (types: typeof account, name: string) => {
      const { labels, capacity, allocatable } = types.get(name)!;
      return JSON.stringify([
        Object.entries(labels).filter(([key]) => !key.startsWith('topology.')),
        capacity,
        allocatable,
      ]);
    };
    const different = shared.filter((name) => facts(account, name) !== facts(embedded, name));
    expect(different).toEqual(['i7ie.48xlarge', 'i7ie.metal-48xl', 'i8ge.48xlarge', 'i8ge.metal-48xl']);
  });

  test('gives each zone its own spot prices', () => {
    const table = Catalog.load({ catalogs: [readRegionCatalog(undisturbed.file)] }).resolve(DEFAULT_NODE_CLASS);
    const { offerings } = describeInstanceType(table, table.names.indexOf('m5.large'));
    const onDemand = priceOf(REGION, 'm5.large')!;
    for (const { zone, capacityType, usdPerHour } of offerings) {
      expect([zone, capacityType, usdPerHour]).toEqual([
        zone,
        capacityType,
        expect.closeTo(onDemand * (capacityType === 'spot' ? SPOT_SHARES[zone.slice(-1)] : 1), 5),
      ]);
    }
    expect(offerings).toHaveLength(6);
    expect(REPRICED['m5.large']).toBe(1.5);
  });

  test.each(['throttled', 'unavailable', 'cut off'] as const)(
    'repeats requests that are %s, and writes the same file',
    async (fault) => {
      api.fault = (_, index) => (index % 7 === 3 ? fault : undefined);
      expect(await update()).toMatchObject({ code: 0 });
      expect(api.requests.length).toBeGreaterThan(45);
      expect(readFileSync(file(), 'utf8')).toBe(undisturbed.text);
    },
  );

  test('continues after Ctrl-C, without asking for the pages that it has', async () => {
    let interrupt: () => void;
    api.fault = (request) => {
      if (!isPage(request, 'DescribeInstanceTypes', '600')) return undefined;
      interrupt();
      return 'hangs';
    };
    const first = await update([REGION], {}, (child) => {
      interrupt = () => child.kill('SIGINT');
    });
    expect(first).toMatchObject({ code: 130, out: '' });
    expect(first.err).toMatch(/\ninterrupted; run the same command again, and it continues where it stopped\n$/);
    expect(readdirSync(folder)).toEqual(partials());
    expect(partials().map((name) => name.replace(/^.*json\./, ''))).toEqual([
      'instance-types.partial',
      'zones.partial',
    ]);
    api.reset();
    expect(await update()).toMatchObject({ code: 0 });
    expect(asked('DescribeAvailabilityZones')).toEqual([]);
    expect(asked('DescribeInstanceTypes').map(({ token }) => token)).toEqual(
      Array.from({ length: 8 }, (_, index) => `${(index + 6) * 100}`),
    );
    expect(partials()).toEqual([]);
    expect(readFileSync(file(), 'utf8')).toBe(undisturbed.text);
  });

  test('continues after the process was killed while it wrote a page', async () => {
    api.fault = (request) => (isPage(request, 'DescribeInstanceTypes', '300') ? 'hangs' : undefined);
    let kill: () => void;
    const hanging = api.fault;
    api.fault = (request, index) => {
      const fault = hanging(request, index);
      if (fault) kill();
      return fault;
    };
    await update([REGION], {}, (child) => {
      kill = () => child.kill('SIGKILL');
    });
    const log = `${file()}.instance-types.partial`;
    const whole = readFileSync(log, 'utf8');
    writeFileSync(log, whole.slice(0, -1000));
    api.reset();
    expect(await update()).toMatchObject({ code: 0 });
    expect(asked('DescribeInstanceTypes')[0].token).toBe('200');
  });

  test('starts a call again if AWS refuses the token of an earlier run', async () => {
    api.fault = (request) => (isPage(request, 'DescribeInstanceTypes', '300') ? 'denied' : undefined);
    await update();
    api.reset();
    api.fault = (_, index) => (index === 0 ? 'stale token' : undefined);
    expect(await update()).toMatchObject({ code: 0 });
    expect(
      asked('DescribeInstanceTypes')
        .slice(0, 3)
        .map(({ token }) => token),
    ).toEqual(['300', undefined, '100']);
  });

  test('does not use the pages of another profile or endpoint', async () => {
    api.fault = (request) => (isPage(request, 'DescribeInstanceTypes', '300') ? 'denied' : undefined);
    await update();
    api.reset();
    await update([REGION], { AWS_ACCESS_KEY_ID: 'other' });
    expect(asked('DescribeAvailabilityZones')).toHaveLength(1);
    expect(asked('DescribeInstanceTypes')[0].token).toBeUndefined();
  });

  test.each([
    [
      'DescribeSpotPriceHistory',
      'denied',
      'ec2:DescribeSpotPriceHistory in eu-west-1: denied to these credentials; allow it (catalog update --help lists all actions)',
    ],
    [
      'GetProducts',
      'denied',
      'pricing:GetProducts in eu-central-1: denied to these credentials; allow it (catalog update --help lists all actions)',
    ],
    [
      'DescribeInstanceTypes',
      'throttled',
      'ec2:DescribeInstanceTypes in eu-west-1: AWS still throttles after 2 attempts; wait, then run the same command again, and it continues where it stopped',
    ],
    [
      'DescribeInstanceTypeOfferings',
      'cut off',
      /^error: ec2:DescribeInstanceTypeOfferings in eu-west-1: .*; check the network and the endpoint, then run the same command again, and it continues where it stopped$/,
    ],
  ] as const)('says what to do if %s is %s, and keeps the old file', async (action, fault, message) => {
    writeFileSync(file(), 'old');
    api.fault = (request) => (request.action === action ? fault : undefined);
    const { code, out, err } = await update([REGION], { AWS_MAX_ATTEMPTS: '2' });
    const lines = err.trimEnd().split('\n');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    if (typeof message === 'string') expect(lines[lines.length - 1]).toBe(`error: ${message}`);
    else expect(lines[lines.length - 1]).toMatch(message);
    expect(readFileSync(file(), 'utf8')).toBe('old');
  });

  test('says how to sign in without credentials', async () => {
    const { code, err } = await update([REGION], {
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^error: catalog update: no AWS credentials, .*; name a profile with --profile, or sign in with aws sso login\n$/,
    );
    expect(api.requests).toEqual([]);
  });

  test('writes a file for each region, with prices from the endpoint that Karpenter uses for it', async () => {
    expect(await update([REGION, 'ap-northeast-2'])).toMatchObject({ code: 0 });
    expect(new Set(asked('GetProducts').map(({ region }) => region))).toEqual(new Set(['eu-central-1', 'ap-south-1']));
    expect([REGION, 'ap-northeast-2'].map((region) => readRegionCatalog(file(region)).region)).toEqual([
      REGION,
      'ap-northeast-2',
    ]);
  });

  test('writes nothing for a region that offers nothing', async () => {
    const { code, err } = await update(['cn-north-1']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /error: cn-north-1 offers no instance type to this account; check the profile and the endpoint, and run the command again\n$/,
    );
    expect(new Set(asked('GetProducts').map(({ region }) => region))).toEqual(new Set(['cn-northwest-1']));
  });

  test('makes a file that check uses, with its date in the report', async () => {
    writeFileSync(
      join(folder, 'all.yaml'),
      [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL)].join('---\n'),
    );
    const { out } = await runCli(
      ['check', join(folder, 'all.yaml'), '--catalog', undisturbed.file, '--format', 'json'],
      {},
    );
    const { assumptions, summary } = JSON.parse(out);
    expect(assumptions).toContain(
      `instance types, zones and prices are from the catalogue of your account for eu-west-1, made ${TODAY}`,
    );
    expect(summary.cost).toMatchObject({ usdPerHour: 0.1605, prices: [{ kind: 'published', date: TODAY, nodes: 1 }] });
  });
});

function isPage(request: Request, action: string, token: string): boolean {
  return request.action === action && request.token === token;
}
