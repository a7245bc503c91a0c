import { Catalog, CatalogOptions, DEFAULT_NODE_CLASS, describeInstanceType, NodeClassFacts } from '../../src/catalog';
import { parseResourceList } from '../../src/model';

describe('options', () => {
  test('default to three zones of the region', () => {
    expect(Catalog.load({ region: 'eu-west-1' }).zones).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('sorts zones in code point order and removes duplicates', () => {
    expect(Catalog.load({ zones: ['b', 'a', 'B', 'a'] }).zones).toEqual(['B', 'a', 'b']);
  });

  test.each<[string, CatalogOptions, string]>([
    [
      '33 zones',
      { zones: Array.from({ length: 33 }, (_, n) => `z${n}`) },
      'zones: more than 32 zones, got 33; list only the zones of the subnets',
    ],
    [
      'no number',
      { spotPriceRatio: NaN },
      'spotPriceRatio: not a positive number, got NaN; write a share of the on-demand price such as 0.4',
    ],
    [
      'free spot',
      { spotPriceRatio: 0 },
      'spotPriceRatio: not a positive number, got 0; write a share of the on-demand price such as 0.4',
    ],
    [
      'negative overhead',
      { vmMemoryOverheadPercent: -1 },
      'vmMemoryOverheadPercent: not a number from 0 up, got -1; write a fraction such as 0.075',
    ],
    [
      'half an interface',
      { reservedENIs: 0.5 },
      'reservedENIs: not a whole number from 0 up, got 0.5; write a number of network interfaces such as 1',
    ],
  ])('%s is refused', (_, options, message) => {
    expect(() => Catalog.load(options)).toThrow(new Error(message));
  });
});

describe('a catalogue limited to some instance types', () => {
  const offered = Catalog.load({ instanceTypes: ['m6g.large', 'm5.large', 'q1.huge'] });
  const all = Catalog.load();

  test('has neither other types nor unknown names', () => {
    expect(offered.names).toEqual(['m5.large', 'm6g.large']);
  });

  test('has the same figures as the whole catalogue', () => {
    const [table, whole] = [offered, all].map((catalog) => catalog.resolve(DEFAULT_NODE_CLASS));
    expect(describeInstanceType(table, 1)).toEqual(describeInstanceType(whole, whole.names.indexOf('m6g.large')));
  });

  test('has no label values that only other types have', () => {
    const families = offered
      .resolve(DEFAULT_NODE_CLASS)
      .labels.find(({ key }) => key === 'karpenter.k8s.aws/instance-family');
    expect([...families!.values].sort()).toEqual(['m5', 'm6g']);
  });
});

describe('assumptions', () => {
  test('name the spot ratio, the zones and the memory overhead', () => {
    expect(Catalog.load({ zones: ['z'], spotPriceRatio: 0.3, vmMemoryOverheadPercent: 0.07 }).assumptions).toEqual([
      'on-demand prices of us-east-1 are published prices of 2026-07-20',
      'spot prices are assumed to be 0.3 × on-demand in every zone',
      'every instance type is assumed to be offered in every zone (z)',
      'node memory is assumed to be 7% below what EC2 reports, as Karpenter assumes before it has seen such a node',
    ]);
  });

  test('say that the cost is not evaluated without prices of the region', () => {
    const { assumptions, unknownPrices } = Catalog.load({ region: 'ap-east-2' });
    expect(unknownPrices).toBe('no prices are known for ap-east-2');
    expect(assumptions[0]).toMatch(
      /^no prices are known for ap-east-2, so the cost is not evaluated; the order of prices is that of us-east-1/,
    );
  });

  test('name the region whose prices are used on request', () => {
    const { assumptions, unknownPrices, priceRegion } = Catalog.load({ region: 'ap-east-2', pricesFrom: 'ap-east-1' });
    expect([unknownPrices, priceRegion]).toEqual([undefined, 'ap-east-1']);
    expect(assumptions.slice(0, 2)).toEqual([
      'no prices are known for ap-east-2: those of ap-east-1 of 2025-05-28 are assumed',
      'spot prices are assumed to be the averages of ap-east-1 of the 30 days before 2025-05-28, the same in every zone',
    ]);
    expect(() => Catalog.load({ region: 'ap-east-2', pricesFrom: 'ap-southeast-6' })).toThrow(
      'pricesFrom: a region without known prices, got ap-southeast-6',
    );
  });
});

describe('load', () => {
  test('returns one catalogue for equal options, with one table for a node class', () => {
    const [first, second] = [1, 2].map(() => Catalog.load({ region: 'eu-west-1', spotPriceRatio: 0.31 }));
    expect(second).toBe(first);
    expect(second.resolve({ ...DEFAULT_NODE_CLASS })).toBe(first.resolve(DEFAULT_NODE_CLASS));
    expect(Catalog.load({ region: 'eu-west-1', spotPriceRatio: 0.32 })).not.toBe(first);
  });

  test('drops the catalogue that was not used for the longest time', () => {
    const load = (ratio: number) => Catalog.load({ spotPriceRatio: ratio });
    const first = load(0.101);
    for (let ratio = 0.2; ratio < 0.26; ratio += 0.01) load(ratio);
    expect(load(0.101)).toBe(first);
    for (let ratio = 0.3; ratio < 0.41; ratio += 0.01) load(ratio);
    expect(load(0.101)).not.toBe(first);
  });
});

describe('resolve', () => {
  const full = (name: string, cpu: string): NodeClassFacts => ({
    name,
    amiFamily: 'Custom',
    kubelet: { kubeReserved: parseResourceList({ cpu }) },
    blockDevices: [{ deviceName: '/dev/xvda', volumeSizeBytes: 5n }],
  });

  test('shares one table between node classes that differ only in their names', () => {
    const catalog = Catalog.load();
    expect(catalog.resolve(full('a', '1'))).toBe(catalog.resolve(full('b', '1')));
  });

  test.each<[string, NodeClassFacts]>([
    ['reserved amounts', full('a', '2')],
    ['volume sizes', { ...full('a', '1'), blockDevices: [{ deviceName: '/dev/xvda', volumeSizeBytes: 6n }] }],
    ['AMI families', { ...full('a', '1'), amiFamily: 'AL2' }],
  ])('keeps node classes with other %s apart', (_, other) => {
    const catalog = Catalog.load();
    expect(catalog.resolve(other)).not.toBe(catalog.resolve(full('a', '1')));
  });

  test('has one column for every resource, with all types', () => {
    const { names, resources, capacity, allocatable, offerings } = Catalog.load().resolve(DEFAULT_NODE_CLASS);
    expect([capacity.length, allocatable.length]).toEqual([resources.length, resources.length]);
    expect(
      new Set(
        [...capacity, ...allocatable, ...offerings.map(({ usdPerHour }) => usdPerHour)].map((column) => column.length),
      ),
    ).toEqual(new Set([names.length]));
  });

  test('returns whole amounts only', () => {
    const { capacity, allocatable } = Catalog.load({ vmMemoryOverheadPercent: 0.0333 }).resolve({
      ...DEFAULT_NODE_CLASS,
      instanceStoreRaid0: true,
      kubelet: { evictionHard: { 'memory.available': '3.3%' } },
    });
    expect([...capacity, ...allocatable].every((column) => column.every(Number.isSafeInteger))).toBe(true);
  });
});
