import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { readRegionCatalog } from '../../../src/catalog/account';
import { Sdk, updateCatalog } from '../../../src/cli/aws';
import { Io } from '../../../src/cli/io';
import { answers, described } from '../../catalog/account/answers';
import { folderOf as sharedFolder } from '../run';

const parent = sharedFolder({});

/** A new folder with files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(parent, 'update-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Answers of the SDK by the name of the command. */
type Answers = Readonly<Record<string, (input: any) => object>>;

function sdkOf(changed: Answers = {}): Sdk {
  const { zones, offerings, offeringsById, spotPrices } = answers();
  const all: Answers = {
    DescribeAvailabilityZonesCommand: () => ({ AvailabilityZones: zones }),
    DescribeInstanceTypesCommand: () => ({ InstanceTypes: [described()] }),
    DescribeInstanceTypeOfferingsCommand: ({ LocationType }) => ({
      InstanceTypeOfferings: LocationType === 'availability-zone' ? offerings : offeringsById,
    }),
    DescribeSpotPriceHistoryCommand: () => ({ SpotPriceHistory: spotPrices }),
    GetProductsCommand: () => ({
      PriceList: [
        JSON.stringify({
          product: { attributes: { instanceType: 'm5.large' } },
          terms: { OnDemand: { a: { priceDimensions: { b: { pricePerUnit: { USD: '0.11' } } } } } },
        }),
      ],
    }),
    ...changed,
  };
  class Client {
    public async send(command: { answer: () => object }) {
      return command.answer();
    }
  }
  const commands = Object.fromEntries(
    Object.entries(all).map(([name, answer]) => [
      name,
      class {
        public constructor(private readonly input: object) {}
        public answer() {
          return answer(this.input);
        }
      },
    ]),
  );
  return { ec2: { EC2Client: Client, ...commands }, pricing: { PricingClient: Client, ...commands } } as unknown as Sdk;
}

function update(file: string, { sdk = sdkOf(), isErrorTerminal = false, signal = new AbortController().signal } = {}) {
  let err = '';
  const io = {
    isErrorTerminal,
    writeError: (text: string) => {
      err += text;
    },
    writeOut: () => {},
  } as unknown as Io;
  return updateCatalog(sdk, { region: 'eu-west-1', file, now: new Date('2026-11-20T09:00:00Z'), signal }, io).then(
    () => err,
  );
}

describe('updating a catalogue', () => {
  test('replaces the file when the new one is complete', async () => {
    const folder = folderOf({ 'account.json': 'old' });
    expect(await update(join(folder, 'account.json'))).toBe(
      [
        '3 zones',
        '1 instance types',
        '7 offerings by zone',
        '7 offerings by zone ID',
        '2 spot prices',
        '1 on-demand prices',
        '1 on-demand prices of bare metal',
        '',
      ]
        .map((line) => line && `eu-west-1: ${line}`)
        .join('\n'),
    );
    expect(readRegionCatalog(join(folder, 'account.json'))).toMatchObject({ made: '2026-11-20', region: 'eu-west-1' });
    expect(readdirSync(folder)).toEqual(['account.json']);
  });

  test('makes folders that do not exist', async () => {
    const folder = folderOf({});
    await update(join(folder, 'new/folder/account.json'));
    expect(readdirSync(join(folder, 'new/folder'))).toEqual(['account.json']);
  });

  test('rewrites one line in a terminal, and clears it at the end', async () => {
    const err = await update(join(folderOf({}), 'account.json'), { isErrorTerminal: true });
    expect(err).not.toContain('\n');
    expect(err).toMatch(/^\r\x1b\[Keu-west-1: 0 zones …\r\x1b\[Keu-west-1: 3 zones\r/);
    expect(err).toMatch(/\r\x1b\[K$/);
  });

  test('does not write impossible answers', async () => {
    const folder = folderOf({ 'account.json': 'old' });
    const absurd = {
      SpotPriceHistory: [
        {
          InstanceType: 'm5.large',
          AvailabilityZone: 'eu-west-1a',
          SpotPrice: '400',
          Timestamp: '2026-11-20T08:00:00Z',
        },
      ],
    };
    await expect(
      update(join(folder, 'account.json'), { sdk: sdkOf({ DescribeSpotPriceHistoryCommand: () => absurd }) }),
    ).rejects.toThrow(/^the answers of AWS about eu-west-1: has .*spotPercent for m5\.large/);
    expect(readFileSync(join(folder, 'account.json'), 'utf8')).toBe('old');
  });

  test('says what to write if the folder is a file', async () => {
    const folder = folderOf({ 'account.json': '' });
    await expect(update(join(folder, 'account.json/x.json'))).rejects.toThrow(
      /^--output: cannot be written, .*; name a writable file or folder$/,
    );
  });

  test('makes no request after an interruption', async () => {
    const interrupt = new AbortController();
    interrupt.abort();
    const fail = () => {
      throw new Error('asked');
    };
    await expect(
      update(join(folderOf({}), 'account.json'), {
        signal: interrupt.signal,
        sdk: sdkOf({ DescribeAvailabilityZonesCommand: fail }),
      }),
    ).rejects.toThrow('');
  });

  test.each([
    [
      'CredentialsProviderError',
      'Could not load credentials from any providers',
      'catalog update: no AWS credentials, Could not load credentials from any providers; name a profile with --profile, or sign in with aws sso login',
    ],
    [
      'OptInRequired',
      'not subscribed',
      'ec2:DescribeAvailabilityZones in eu-west-1: AWS refuses the credentials, not subscribed; sign in again, or enable the region for the account',
    ],
    [
      'Error',
      'getaddrinfo ENOTFOUND',
      'ec2:DescribeAvailabilityZones in eu-west-1: getaddrinfo ENOTFOUND; check the network and the endpoint, then run the same command again, and it continues where it stopped',
    ],
  ])('says what to do after %s, and leaves no file without pages', async (name, message, expected) => {
    const folder = folderOf({});
    const fail = () => {
      throw Object.assign(new Error(message), { name });
    };
    await expect(
      update(join(folder, 'account.json'), { sdk: sdkOf({ DescribeAvailabilityZonesCommand: fail }) }),
    ).rejects.toThrow(expected);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('continues with the pages of an interrupted run', async () => {
    const file = join(folderOf({}), 'account.json');
    const fail = () => {
      throw new Error('network');
    };
    await expect(update(file, { sdk: sdkOf({ GetProductsCommand: fail }) })).rejects.toThrow('network');
    await update(file, { sdk: sdkOf({ DescribeAvailabilityZonesCommand: fail, DescribeInstanceTypesCommand: fail }) });
    expect(readRegionCatalog(file).made).toBe('2026-11-20');
  });
});
