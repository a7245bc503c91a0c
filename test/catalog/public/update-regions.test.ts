import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { oldPricesWarning } from '../../../data/price-age';
import { summaryOf, updateRegions } from '../../../data/update-regions';
import { RegionFile } from '../../../src/catalog';
import { Io } from '../../../src/cli/io';
import { PATHS, startPriceServer } from '../../cli/aws/public/price-server';

const DATA = join(__dirname, '../../../data/regions');

describe('refreshing the prices of all regions', () => {
  test('replaces the prices, keeps the zones, and lists the differences and the regions that fail', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'regions-'));
    const textOf = (region: string) => readFileSync(join(DATA, `${region}.json`), 'utf8');
    for (const region of ['ap-south-1', 'eu-west-1']) writeFileSync(join(folder, `${region}.json`), textOf(region));
    const server = await startPriceServer();
    const source = {
      made: '2026-11-28',
      priceList: server.url,
      spotAdvisor: server.url + PATHS.advisor,
      signal: new AbortController().signal,
    };
    const updates = await updateRegions(folder, source, { writeError: () => undefined } as unknown as Io);
    server.stop();

    const after = JSON.parse(readFileSync(join(folder, 'eu-west-1.json'), 'utf8')) as RegionFile;
    const before = JSON.parse(textOf('eu-west-1')) as RegionFile;
    expect(after).toMatchObject({ region: 'eu-west-1', pricesOf: '2026-11-20', spotOf: '2026-11-26' });
    for (const field of ['zoneIds', 'zoneNames', 'offered'] as const) expect(after[field]).toEqual(before[field]);
    expect(Object.keys(before).filter((field) => !(field in after))).toEqual([
      'listPrices',
      'listPriceKinds',
      'spotPercentLow',
      'spotPercentHigh',
    ]);
    expect(readFileSync(join(folder, 'ap-south-1.json'), 'utf8')).toBe(textOf('ap-south-1'));

    const rows = summaryOf(updates)
      .split('\n')
      .filter((line) => /^\| [a-z]+-/.test(line));
    expect(rows).toEqual([
      expect.stringMatching(/^\| ap-south-1 \| not updated: http.*has no price list of ap-south-1; .* \|$/),
      expect.stringMatching(
        /^\| eu-west-1 \| 2025-05-28 → 2026-11-20 \| 2025-05-28 → 2026-11-26 \| [\d,]+: \S+ \+10\.\d %, .* \| {2}\| {2}\|$/,
      ),
    ]);
  });
});

describe('before a release', () => {
  const files = [
    { region: 'eu-west-1', pricesOf: '2026-09-29' },
    { region: 'us-east-1', pricesOf: '2026-09-28' },
  ];

  test('no price of 60 days is reported', () => {
    expect(oldPricesWarning(files, '2026-11-27')).toBeUndefined();
  });

  test('older prices are reported with the oldest region and a remedy', () => {
    expect(oldPricesWarning(files, '2026-11-28')).toBe(
      'the prices of 1 of 2 regions are more than 60 days old; the oldest are those of us-east-1, of 2026-09-28, 61 days old; ' +
        'run the workflow data, and merge its pull request',
    );
  });
});
