import { Catalog, CatalogOptions, DEFAULT_NODE_CLASS, describeInstanceType, NodeClassFacts } from '../../src/catalog';
import { parseResourceList } from '../../src/model';

describe('options', () => {
  test('zones default to the first three of the region', () => {
    expect(Catalog.load({ region: 'eu-west-1' }).zones).toEqual(['eu-west-1a', 'eu-west-1b', 'eu-west-1c']);
  });

  test('zones come out in code point order, each once', () => {
    expect(Catalog.load({ zones: ['b', 'a', 'B', 'a'] }).zones).toEqual(['B', 'a', 'b']);
  });

  test.each<[string, CatalogOptions, string]>([
    ['33 zones', { zones: Array.from({ length: 33 }, (_, n) => `z${n}`) }, 'zones: more than 32 zones, got 33; name those that the subnets are in'],
    ['no number', { spotPriceRatio: NaN }, 'spotPriceRatio: not a positive number, got NaN; write a share of the on-demand price such as 0.4'],
    ['free spot', { spotPriceRatio: 0 }, 'spotPriceRatio: not a positive number, got 0; write a share of the on-demand price such as 0.4'],
    ['negative overhead', { vmMemoryOverheadPercent: -1 }, 'vmMemoryOverheadPercent: not a number from 0 up, got -1; write a fraction such as 0.075'],
    ['half an interface', { reservedENIs: 0.5 }, 'reservedENIs: not a whole number from 0 up, got 0.5; write a number of network interfaces such as 1'],
  ])('%s is refused', (_, options, message) => {
    expect(() => Catalog.load(options)).toThrow(new Error(message));
  });
});

describe('of the types that EC2 offers', () => {
  const offered = Catalog.load({ instanceTypes: ['m6g.large', 'm5.large', 'q1.huge'] });
  const all = Catalog.load();

  test('others are unknown, and those that nobody has heard of are left out', () => {
    expect(offered.names).toEqual(['m5.large', 'm6g.large']);
  });

  test('figures are the same as among all', () => {
    const [table, whole] = [offered, all].map((catalog) => catalog.resolve(DEFAULT_NODE_CLASS));
    expect(describeInstanceType(table, 1)).toEqual(describeInstanceType(whole, whole.names.indexOf('m6g.large')));
  });

  test('labels have no values that only others have', () => {
    const families = offered.resolve(DEFAULT_NODE_CLASS).labels.find(({ key }) => key === 'karpenter.k8s.aws/instance-family');
    expect([...families!.values].sort()).toEqual(['m5', 'm6g']);
  });
});

describe('assumptions', () => {
  test('name the spot ratio, the zones and the memory overhead', () => {
    expect(Catalog.load({ zones: ['z'], spotPriceRatio: 0.3, vmMemoryOverheadPercent: 0.07 }).assumptions).toEqual([
      'on-demand prices are the published ones of us-east-1',
      'spot prices are taken as 0.3 times on-demand in every zone',
      'every instance type is taken to be offered in every zone (z), on-demand and, where EC2 sells it so, spot',
      "a node's memory is taken as what EC2 reports less 7%, as Karpenter does before it has seen such a node",
    ]);
  });

  test('say so when the prices are of another region', () => {
    expect(Catalog.load({ region: 'eu-west-1' }).assumptions[0])
      .toBe('there are no published prices for eu-west-1 here: on-demand prices are those of us-east-1');
  });
});

describe('resolve', () => {
  const full = (name: string, cpu: string): NodeClassFacts => ({
    name,
    amiFamily: 'Custom',
    kubelet: { kubeReserved: parseResourceList({ cpu }) },
    blockDevices: [{ deviceName: '/dev/xvda', volumeSizeBytes: 5n }],
  });

  test('computes equal node classes once, whatever their names', () => {
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

  test('has a column of every type for every resource', () => {
    const { names, resources, capacity, allocatable, offerings } = Catalog.load().resolve(DEFAULT_NODE_CLASS);
    expect([capacity.length, allocatable.length]).toEqual([resources.length, resources.length]);
    expect(new Set([...capacity, ...allocatable, ...offerings.map(({ usdPerHour }) => usdPerHour)].map((column) => column.length)))
      .toEqual(new Set([names.length]));
  });

  test('gives whole amounts only', () => {
    const { capacity, allocatable } = Catalog.load({ vmMemoryOverheadPercent: 0.0333 })
      .resolve({ ...DEFAULT_NODE_CLASS, instanceStoreRaid0: true, kubelet: { evictionHard: { 'memory.available': '3.3%' } } });
    expect([...capacity, ...allocatable].every((column) => column.every(Number.isSafeInteger))).toBe(true);
  });
});
