import { described, answers, madeCatalog } from './answers';
import { Catalog, CatalogOptions, DEFAULT_NODE_CLASS, describeInstanceType } from '../../../src/catalog';
import {
  describedFacts,
  DescribedType,
  makeAccountCatalog,
  priceListRegion,
  productPrice,
} from '../../../src/catalog/account';

function offeringsOf(type: string, options: CatalogOptions = {}) {
  const table = Catalog.load({ catalogs: [madeCatalog()], ...options }).resolve(DEFAULT_NODE_CLASS);
  const { offerings } = describeInstanceType(table, table.names.indexOf(type));
  return offerings.map(({ zone, capacityType, usdPerHour }) => [zone, capacityType, usdPerHour]);
}

describe('facts of a described type', () => {
  const labelsOf = (type: string, values: DescribedType) => {
    const catalog = madeCatalog({
      types: [describedFacts(described({ ...values, InstanceType: type }))!],
      offerings: [{ InstanceType: type, Location: 'eu-west-1a' }],
      products: [{ instanceType: type, price: 1, currency: 'USD' }],
    });
    return describeInstanceType(Catalog.load({ catalogs: [catalog] }).resolve(DEFAULT_NODE_CLASS), 0);
  };

  test('equal those of the embedded catalogue', () => {
    const [account, embedded] = [
      Catalog.load({ catalogs: [madeCatalog()] }),
      Catalog.load({ region: 'eu-west-1' }),
    ].map((catalog) => {
      const table = catalog.resolve(DEFAULT_NODE_CLASS);
      return describeInstanceType(table, table.names.indexOf('m5.large'));
    });
    expect(account.capacity).toEqual(embedded.capacity);
    expect(account.allocatable).toEqual(embedded.allocatable);
    expect(account.labels).toEqual(embedded.labels);
  });

  test("have no branch interfaces and no network bandwidth if Karpenter's tables lack the type", () => {
    const { labels, capacity } = labelsOf('z9x.large', {});
    expect(capacity['vpc.amazonaws.com/pod-eni']).toBeUndefined();
    expect(labels['karpenter.k8s.aws/instance-network-bandwidth']).toBeUndefined();
    expect(labels['karpenter.k8s.aws/instance-family']).toBe('z9x');
  });

  test('have the devices of GPU types', () => {
    const { labels, capacity } = labelsOf('g5.xlarge', {
      GpuInfo: { Gpus: [{ Name: 'A10G', Manufacturer: 'NVIDIA', Count: 1, MemoryInfo: { SizeInMiB: 22888 } }] },
    });
    expect(capacity['nvidia.com/gpu']).toBe('1');
    expect(labels).toMatchObject({
      'karpenter.k8s.aws/instance-gpu-name': 'a10g',
      'karpenter.k8s.aws/instance-gpu-manufacturer': 'nvidia',
      'karpenter.k8s.aws/instance-gpu-memory': '22888',
    });
  });

  test('have the devices and cores of Neuron types', () => {
    const { labels, capacity } = labelsOf('inf2.48xlarge', {
      NeuronInfo: { NeuronDevices: [{ Name: 'Inferentia2', Count: 12, CoreInfo: { Count: 2 } }] },
    });
    expect(capacity).toMatchObject({ 'aws.amazon.com/neuron': '12', 'aws.amazon.com/neuroncore': '24' });
    expect(labels).toMatchObject({
      'karpenter.k8s.aws/instance-accelerator-name': 'inferentia2',
      'karpenter.k8s.aws/instance-accelerator-manufacturer': 'aws',
    });
  });

  test('have the size of NVMe disks, but not that of older disks, as a label', () => {
    expect(
      labelsOf('m5d.large', { InstanceStorageInfo: { TotalSizeInGB: 75, NvmeSupport: 'required' } }).labels[
        'karpenter.k8s.aws/instance-local-nvme'
      ],
    ).toBe('75');
    expect(
      labelsOf('d2.xlarge', { InstanceStorageInfo: { TotalSizeInGB: 6144, NvmeSupport: 'unsupported' } }).labels[
        'karpenter.k8s.aws/instance-local-nvme'
      ],
    ).toBeUndefined();
  });

  test.each([
    ['of another architecture', { ProcessorInfo: { SupportedArchitectures: ['x86_64_mac'] } }],
    ['without memory', { MemoryInfo: {} }],
    ['without network cards', { NetworkInfo: {} }],
  ])('are undefined for a type %s', (_, values) => {
    expect(describedFacts(described(values))).toBeUndefined();
  });
});

describe("an account's catalogue", () => {
  test('offers types in the zones of the account, at its prices', () => {
    expect(offeringsOf('z9x.large')).toEqual([
      ['eu-west-1a', 'on-demand', null],
      ['eu-west-1a', 'spot', null],
      ['eu-west-1b', 'on-demand', 0.5],
      ['eu-west-1b', 'spot', null],
      ['eu-west-1c', 'on-demand', null],
      ['eu-west-1c', 'spot', null],
    ]);
  });

  test('has the spot price of each zone, and no spot offering in a zone without one', () => {
    expect(offeringsOf('m5.large').filter(([, capacityType]) => capacityType === 'spot')).toEqual([
      ['eu-west-1a', 'spot', 0.04],
      ['eu-west-1b', 'spot', 0.03],
      ['eu-west-1c', 'spot', null],
    ]);
  });

  test('uses a given spot price ratio instead of its spot prices', () => {
    const prices = offeringsOf('m5.large', { spotPriceRatio: 0.5 })
      .filter(([, capacityType]) => capacityType === 'spot')
      .map(([, , price]) => price);
    expect(prices).toEqual([0.055, 0.055, 0.055]);
  });

  test('keeps its prices and zones when the types are reduced', () => {
    expect(offeringsOf('m5.large', { instanceTypes: ['m5.large'] })[1]).toEqual(['eu-west-1a', 'spot', 0.04]);
  });

  test('tells the kind and the date of its prices', () => {
    const catalog = Catalog.load({ catalogs: [madeCatalog()] });
    expect(catalog.priceSource('m5.large', 'on-demand')).toEqual({ kind: 'published', date: '2026-11-20' });
    expect(catalog.priceSource('m5.large', 'spot')).toEqual({ kind: 'recorded', date: '2026-11-20' });
    expect(catalog.assumptions.slice(0, 3)).toEqual([
      'instance types, zones and prices are from the catalogue of your account for eu-west-1, made 2026-11-20',
      'on-demand prices of eu-west-1 are published prices of 2026-11-20',
      'spot prices are those of 2026-11-20, of each zone',
    ]);
  });

  test('lists types by family and size', () => {
    const { types } = answers();
    expect(madeCatalog({ types: [...types].reverse() }).types.names).toEqual(['m5.large', 'm5.xlarge', 'z9x.large']);
  });

  test('leaves out types that no zone offers', () => {
    expect(madeCatalog({ offerings: [{ InstanceType: 'm5.large', Location: 'eu-west-1c' }] }).types.names).toEqual([
      'm5.large',
    ]);
  });

  test('has the zones of more than 6 zones, Local Zones last', () => {
    const zones = ['eu-west-1-dub-1a', ...'hgfedcba']
      .map((suffix) => (suffix.length > 1 ? suffix : `eu-west-1${suffix}`))
      .map((ZoneName, index) => ({
        ZoneName,
        ZoneId: `euw1-az${index + 1}`,
        ZoneType: ZoneName.length > 10 ? 'local-zone' : 'availability-zone',
      }));
    const { figures } = madeCatalog({
      zones,
      offerings: zones.map(({ ZoneName }) => ({ InstanceType: 'm5.large', Location: ZoneName })),
    });
    expect([figures.zoneNames[0], figures.zoneNames[8], figures.offered]).toEqual([
      'eu-west-1a',
      'eu-west-1-dub-1a',
      [511],
    ]);
  });

  test('takes the latest of several spot prices', () => {
    const price = (SpotPrice: string, Timestamp: string) => ({
      InstanceType: 'm5.large',
      AvailabilityZone: 'eu-west-1a',
      SpotPrice,
      Timestamp,
    });
    const { figures } = madeCatalog({
      spotPrices: [price('0.05', '2026-11-20T08:00:00Z'), price('0.04', '2026-11-19T08:00:00Z')],
    });
    expect(figures.spotPrices['euw1-az3'][0]).toBe(0.05);
  });

  test('names types whose offerings differ by zone and by zone id', () => {
    expect(makeAccountCatalog(answers({ offeringsById: answers().offeringsById.slice(1) })).disagreeing).toEqual([
      'm5.large',
    ]);
  });

  test('keeps the embedded prices and their date in a region without a price list', () => {
    const zones = [{ ZoneName: 'us-gov-west-1a', ZoneId: 'usgw1-az1', ZoneType: 'availability-zone' }];
    const { figures } = madeCatalog({
      region: 'us-gov-west-1',
      zones,
      products: undefined,
      offerings: [{ InstanceType: 'm5.large', Location: 'us-gov-west-1a' }],
    });
    expect(figures).toMatchObject({ pricesOf: '2026-08-24', priceKinds: 'p', currency: 'USD', spotOf: '2026-11-20' });
  });

  test.each([
    ['no zone', { zones: [] }, 'eu-west-1 has no zone in this account; enable the region, or name another one'],
    [
      'no type',
      { offerings: [] },
      'eu-west-1 offers no instance type to this account; check the profile and the endpoint, and run the command again',
    ],
    [
      'no price',
      { products: [] },
      'eu-west-1 has no on-demand price; check the profile and the endpoint, and run the command again',
    ],
  ])('is refused with %s', (_, changes, message) => {
    expect(() => madeCatalog(changes)).toThrow(message);
  });

  test('is refused for a region without any price', () => {
    expect(() =>
      madeCatalog({
        region: 'us-iso-east-1',
        products: undefined,
        zones: [{ ZoneName: 'us-iso-east-1a', ZoneId: 'usi1-az1' }],
        offerings: [{ InstanceType: 'm5.large', Location: 'us-iso-east-1a' }],
      }),
    ).toThrow(
      'us-iso-east-1: AWS publishes no price list for this region, and no prices of it are built in; a catalogue of it cannot be made',
    );
  });
});

describe('prices of GetProducts', () => {
  const product = (pricePerUnit: object, instanceType: unknown = 'm5.large') =>
    JSON.stringify({
      product: { attributes: { instanceType } },
      terms: {
        OnDemand: { a: { priceDimensions: { free: { pricePerUnit: { USD: '0.0000000000' } }, b: { pricePerUnit } } } },
      },
    });

  test('are the positive ones in the currency of the region', () => {
    expect(productPrice(product({ USD: '0.1070000000' }), 'USD')).toEqual({
      instanceType: 'm5.large',
      price: 0.107,
      currency: 'USD',
    });
    expect(productPrice(product({ CNY: '0.706' }), 'CNY')).toMatchObject({ price: 0.706, currency: 'CNY' });
  });

  test.each([
    ['in another currency', product({ CNY: '1' })],
    ['of no instance type', product({ USD: '1' }, undefined).replace('"instanceType":"m5.large"', '"location":"x"')],
    ['of broken JSON', '{"product":'],
    ['of null', 'null'],
  ])('are undefined for a product %s', (_, text) => {
    expect(productPrice(text, 'USD')).toBeUndefined();
  });

  test.each([
    ['us-west-2', 'us-east-1'],
    ['eu-west-1', 'eu-central-1'],
    ['ap-northeast-2', 'ap-south-1'],
    ['cn-north-1', 'cn-northwest-1'],
    ['us-gov-west-1', undefined],
    ['us-iso-east-1', undefined],
    ['eusc-de-east-1', undefined],
    ['eu-isoe-west-1', undefined],
  ])('of %s come from %s', (region, endpoint) => {
    expect(priceListRegion(region)).toBe(endpoint);
  });
});
