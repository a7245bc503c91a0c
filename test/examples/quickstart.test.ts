/**
 * Runs programs that write to the console.
 *
 * @jest-environment node
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing, Yaml } from 'cdk8s';
import { QuickstartChart } from '../../examples/quickstart/chart';
import { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } from '../../src/catalog';

test('the quickstart example equals the reviewed manifest', () => {
  const chart = new QuickstartChart(Testing.app(), 'quickstart');
  expect(Yaml.stringify(...Testing.synth(chart))).toMatchSnapshot();
});

describe('the demo in ap-northeast-2', () => {
  const ZONE_IDS = { 'ap-northeast-2a': 'apne2-az1', 'ap-northeast-2c': 'apne2-az3' };
  const catalog = Catalog.load({ region: 'ap-northeast-2', zones: Object.keys(ZONE_IDS), zoneIds: ZONE_IDS });
  let text = '';
  let launched: { readonly type: string; readonly zone: string; readonly cost: number };

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-'));
    const log = jest.spyOn(console, 'log').mockImplementation((printed: string) => {
      text += printed;
    });
    process.env.CDK8S_OUTDIR = folder;
    try {
      jest.requireActual('../../examples/quickstart/main');
    } finally {
      delete process.env.CDK8S_OUTDIR;
      log.mockRestore();
      rmSync(folder, { recursive: true });
    }
    const [, type, zone, cost] = /karpenter-default-0.*? (\S+) spot (\S) +(0\.\d+)/.exec(text)!;
    launched = { type, zone: `ap-northeast-2${zone}`, cost: Number(cost) };
  });

  test('uses recorded prices of the region', () => {
    const record = JSON.parse(readFileSync(join(__dirname, '../../data/regions/ap-northeast-2.json'), 'utf8'));
    const row = catalog.names.indexOf(launched.type);
    expect(launched.cost).toBeCloseTo((catalog.onDemandUsdPerHour[row] * record.spotPercent[row]) / 100, 4);
    expect(text).toContain('Prices: all 2 node prices recorded 2025-05-28.');
  });

  test('launches nodes in the zones of its ids, which offer the instance type', () => {
    expect(text).toContain('\nNodes in ap-northeast-2 ');
    const { offerings } = describeInstanceType(
      catalog.resolve(DEFAULT_NODE_CLASS),
      catalog.names.indexOf(launched.type),
    );
    expect(offerings.find(({ zone, capacityType }) => zone === launched.zone && capacityType === 'spot')).toMatchObject(
      { available: true },
    );
    expect(catalog.uncertainOffer(launched.type, launched.zone)).toBeUndefined();
  });

  test('assumes no price and no zone', () => {
    const [, assumptions] = text.split('\nAssumptions\n');
    expect(assumptions).toContain('on-demand prices of ap-northeast-2 are recorded prices of 2025-05-28');
    expect(assumptions).not.toMatch(/us-east-1|zones? .*assumed|prices? .*assumed|assumed to offer/);
  });
});
