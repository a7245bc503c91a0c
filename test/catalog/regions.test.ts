import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Catalog, CatalogOptions, DEFAULT_NODE_CLASS, describeInstanceType, unknownZone } from '../../src/catalog';

interface Fixture {
  readonly prices: ReadonlyArray<readonly [region: string, type: string, kind: string, price: number]>;
  readonly offered: ReadonlyArray<readonly [region: string, type: string, zoneIds: readonly string[]]>;
  readonly spotPercent: ReadonlyArray<readonly [region: string, type: string, percent: number]>;
}

const { prices, offered, spotPercent } = JSON.parse(
  readFileSync(join(__dirname, 'fixtures/regions.json'), 'utf8'),
) as Fixture;
const tables = new Map<string, ReturnType<Catalog['resolve']>>();

function offeringsOf(type: string, options: CatalogOptions) {
  const key = JSON.stringify(options);
  const table = tables.get(key) ?? Catalog.load(options).resolve(DEFAULT_NODE_CLASS);
  tables.set(key, table);
  return describeInstanceType(table, table.names.indexOf(type)).offerings;
}

/** A zone name for each zone id of the region. */
function allZones(region: string): CatalogOptions {
  const { zoneIds = [] } = JSON.parse(readFileSync(join(__dirname, `../../data/regions/${region}.json`), 'utf8')) as {
    zoneIds?: string[];
  };
  const named = zoneIds.map((id, index) => [`${region}${'abcdefgh'[index]}`, id] as const);
  return { region, zones: named.map(([name]) => name), zoneIds: Object.fromEntries(named) };
}

describe('on-demand prices', () => {
  test.each(prices)('%s: %s has its %s price', (region, type, kind, price) => {
    const catalog = Catalog.load({ region });
    expect(catalog.onDemandUsdPerHour[catalog.names.indexOf(type)]).toBeCloseTo(price, 5);
    expect(catalog.priceSource(type, 'on-demand').kind).toBe(kind);
  });

  test("of China are in CNY, of the date of Karpenter's table", () => {
    const catalog = Catalog.load({ region: 'cn-north-1' });
    expect(catalog.currency).toBe('CNY');
    expect(catalog.priceSource('m5.large', 'on-demand')).toEqual({ kind: 'published', date: '2024-11-06' });
    expect(catalog.assumptions[0]).toBe('on-demand prices of cn-north-1 are published prices of 2024-11-06, in CNY');
  });

  test("are derived from the family's prices if a region sells a type that the record lacks", () => {
    const catalog = Catalog.load({ region: 'eu-west-1' });
    const [known, derived] = ['m8g.large', 'm9g.large'].map(
      (type) => catalog.onDemandUsdPerHour[catalog.names.indexOf(type)],
    );
    expect(catalog.priceSource('m9g.large', 'on-demand')).toEqual({ kind: 'derived', date: '2025-05-28' });
    expect(derived / known).toBeGreaterThan(1);
    expect(derived / known).toBeLessThan(1.3);
  });
});

describe("prices of types that are newer than Karpenter's table", () => {
  const priceOf = (type: string, region = 'us-east-1') => {
    const catalog = Catalog.load({ region });
    return catalog.onDemandUsdPerHour[catalog.names.indexOf(type)];
  };

  test.each([
    ['r9g.large', 'r8g.large'],
    ['r9gd.48xlarge', 'r8gd.48xlarge'],
    ['r9g.metal-48xl', 'r8g.metal-48xl'],
  ])('%s: derived from %s if all other families make the same step', (type, before) => {
    expect(priceOf('m9g.large') / priceOf('m8g.large')).toBeCloseTo(1.09, 3);
    expect(priceOf(type) / priceOf(before)).toBeCloseTo(1.09, 3);
    expect(Catalog.load().priceSource(type, 'on-demand')).toEqual({ kind: 'derived', date: '2026-07-20' });
  });

  test('are unknown if no family shows the step', () => {
    expect(priceOf('t8i.small')).toBeNaN();
    expect(Catalog.load().isPriceUnrecorded('t8i.small')).toBe(true);
  });

  test('are no gap of the record for capacity blocks, and in regions that do not sell the type', () => {
    expect(
      ['trn2.48xlarge', 'x8aedz.large', 'm5.large', 'q1.huge'].map((type) => Catalog.load().isPriceUnrecorded(type)),
    ).toEqual([false, false, false, false]);
    expect(Catalog.load({ region: 'ap-south-2' }).isPriceUnrecorded('trn2u.48xlarge')).toBe(false);
  });
});

describe('spot prices', () => {
  test.each(spotPercent)('%s: %s costs its recorded share of on-demand', (region, type, percent) => {
    const [onDemand, spot] = offeringsOf(type, { region });
    if (spot.usdPerHour === null) throw new Error(`${type} has no spot price`);
    // Spot prices are a share of what EC2 charges, which is less than what Karpenter compares for some bare metal.
    const { pricePerHour } = Catalog.load({ region }).bill({
      instanceType: type,
      capacityType: 'on-demand',
      usdPerHour: onDemand.usdPerHour!,
    });
    expect(spot.usdPerHour / pricePerHour!).toBeCloseTo(percent / 100, 6);
  });

  test('are the given share of on-demand if a ratio is given', () => {
    const [onDemand, spot] = offeringsOf('m5.large', { region: 'eu-west-1', spotPriceRatio: 0.5 });
    expect(spot.usdPerHour).toBeCloseTo(onDemand.usdPerHour! * 0.5, 10);
  });
});

describe('zones', () => {
  test.each(offered)('%s: %s is offered in the zones %j', (region, type, zoneIds) => {
    const options = allZones(region);
    const zones = new Set(
      offeringsOf(type, options)
        .filter(({ available }) => available)
        .map(({ zone }) => options.zoneIds![zone]),
    );
    const priced =
      prices.length > 0 &&
      Catalog.load({ region }).onDemandUsdPerHour[Catalog.load({ region }).names.indexOf(type)] > 0;
    expect([...zones].sort()).toEqual(priced ? zoneIds : []);
  });

  test('offer every type of the region if only their names are known, and the doubt is named', () => {
    const catalog = Catalog.load({ region: 'us-east-1' });
    expect(offeringsOf('hpc7g.4xlarge', { region: 'us-east-1' }).some(({ available }) => available)).toBe(true);
    expect(catalog.uncertainOffer('hpc7g.4xlarge', 'us-east-1a')).toEqual({ offering: 1, zones: 6 });
    expect(catalog.uncertainOffer('m5.large', 'us-west-2a')).toBeUndefined();
  });

  test("are those of the region's own letters by default", () => {
    expect(Catalog.load({ region: 'ap-northeast-1' }).zones).toEqual([
      'ap-northeast-1a',
      'ap-northeast-1c',
      'ap-northeast-1d',
    ]);
    expect(Catalog.load({ region: 'us-west-1' }).zones).toHaveLength(2);
  });
});

test.each([
  ['us-west-1c', true],
  ['ap-northeast-1b', true],
  ['eu-west-1d', false],
  ['us-east-1f', true],
  ['us-east-1g', false],
])('%s may be a zone of an account: %s', (zone, expected) => {
  expect(unknownZone(zone) === undefined).toBe(expected);
});
