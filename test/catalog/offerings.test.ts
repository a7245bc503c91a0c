import { availableTypes, describeType } from './tables';
import { Catalog, DEFAULT_NODE_CLASS, NetworkInterfaceFacts } from '../../src/catalog';

const nic = (
  networkCardIndex: number,
  deviceIndex: number,
  interfaceType: NetworkInterfaceFacts['interfaceType'] = 'interface',
) => ({ networkCardIndex, deviceIndex, interfaceType });

describe('prices', () => {
  test('uses the published on-demand price and the spot ratio in every zone', () => {
    const { offerings } = describeType('m5.large', {}, { zones: ['b', 'a'], spotPriceRatio: 0.5 });
    expect(offerings).toEqual([
      { zone: 'a', capacityType: 'on-demand', usdPerHour: 0.096, available: true },
      { zone: 'a', capacityType: 'spot', usdPerHour: 0.048, available: true },
      { zone: 'b', capacityType: 'on-demand', usdPerHour: 0.096, available: true },
      { zone: 'b', capacityType: 'spot', usdPerHour: 0.048, available: true },
    ]);
  });

  test('spot is the recorded share of the on-demand price by default', () => {
    expect(describeType('m5.large').offerings[1]).toMatchObject({ capacityType: 'spot', usdPerHour: 0.33 * 0.096 });
  });

  test('spot is 0.4 × on-demand in a region without recorded spot prices', () => {
    expect(describeType('m5.large', {}, { region: 'us-gov-west-1' }).offerings[1]).toMatchObject({
      capacityType: 'spot',
      usdPerHour: 0.4 * 0.121,
    });
  });

  test('spot of a type without a record is the median share of its family', () => {
    const shareOf = (type: string) => {
      const [onDemand, spot] = describeType(type).offerings;
      return Math.round((spot.usdPerHour! / onDemand.usdPerHour!) * 100);
    };
    const catalog = Catalog.load();
    expect(catalog.priceSource('r8i.large', 'spot').kind).toBe('derived');
    expect(shareOf('r8i.large')).toBe(shareOf('r8i.xlarge'));
  });

  test('offers Graviton 4 in us-gov-east-1, for the price of its own region', () => {
    expect(describeType('c8g.large', {}, { region: 'us-gov-east-1' }).offerings[0]).toMatchObject({
      usdPerHour: 0.09538,
      available: true,
    });
  });

  test('a region with prices uses its own', () => {
    const catalog = Catalog.load({ region: 'us-gov-west-1' });
    expect(catalog.priceRegion).toBe('us-gov-west-1');
    expect(describeType('m5.large', {}, { region: 'us-gov-west-1' }).offerings[0]).toMatchObject({
      zone: 'us-gov-west-1a',
      usdPerHour: 0.121,
    });
  });

  test('a region without prices uses those of us-east-1', () => {
    const catalog = Catalog.load({ region: 'ap-east-2' });
    expect(catalog.priceRegion).toBe('us-east-1');
    expect(describeType('m5.large', {}, { region: 'ap-east-2' }).offerings[0]).toMatchObject({
      zone: 'ap-east-2a',
      usdPerHour: 0.096,
    });
  });

  test.each(['constructor', '__proto__', ''])('a region called %p uses those of us-east-1', (region) => {
    expect(Catalog.load({ region, zones: ['z'] }).priceRegion).toBe('us-east-1');
  });

  test('a type without a price in the price region has no available offering', () => {
    expect(describeType('p5e.48xlarge').offerings).toEqual(
      ['a', 'b', 'c'].flatMap((letter) => [
        { zone: `us-east-1${letter}`, capacityType: 'on-demand', usdPerHour: null, available: false },
        { zone: `us-east-1${letter}`, capacityType: 'spot', usdPerHour: null, available: false },
      ]),
    );
  });

  test('us-east-1 has prices for 1,367 types of 1,391', () => {
    const { names, onDemandUsdPerHour } = Catalog.load();
    expect([names.length, onDemandUsdPerHour.filter((price) => price > 0).length]).toEqual([1391, 1367]);
  });

  test('offers no spot for high-memory, HPC and the smallest T2 types', () => {
    const spot = new Set(availableTypes({ amiFamily: 'AL2' }, {}, 'spot'));
    const families = availableTypes({ amiFamily: 'AL2' })
      .filter((name) => !spot.has(name))
      .map((name) => name.split('.')[0]);
    expect([...new Set(families)].sort()).toEqual([
      'hpc7g',
      't2',
      'u-3tb1',
      'u-6tb1',
      'u7i-12tb',
      'u7i-6tb',
      'u7i-8tb',
      'u7in-16tb',
      'u7in-24tb',
      'u7in-32tb',
    ]);
  });
});

describe('a node class that some types cannot run', () => {
  const everything = availableTypes({ amiFamily: 'AL2' });
  const families = (names: readonly string[]) => [...new Set(names.map((name) => name.split('.')[0]))].sort();

  test('keeps these types with unavailable offerings', () => {
    const { names, offerings } = Catalog.load().resolve(DEFAULT_NODE_CLASS);
    expect(names).toHaveLength(1391);
    expect(offerings.map(({ usdPerHour }) => usdPerHour[names.indexOf('a1.large')])).toEqual(Array(6).fill(NaN));
  });

  test('AL2023 runs on all types except a1', () => {
    const available = new Set(availableTypes());
    expect(families(everything.filter((name) => !available.has(name)))).toEqual(['a1']);
  });

  test('connection tracking needs the Nitro hypervisor, which bare metal does not have', () => {
    const available = availableTypes({ connectionTracking: true });
    expect(available).toContain('m5.large');
    expect(available.filter((name) => /\.metal|^(c1|c3|c4|m4|t2)\./.test(name))).toEqual([]);
  });

  test('nested virtualization needs virtual machines of certain Intel families', () => {
    const available = availableTypes({ nestedVirtualization: true });
    expect(families(available)).toEqual([
      'c7i',
      'c7i-flex',
      'c8i',
      'c8i-flex',
      'c8id',
      'i7i',
      'i7ie',
      'm7i',
      'm7i-flex',
      'm8i',
      'm8i-flex',
      'm8id',
      'r7i',
      'r7iz',
      'r8i',
      'r8i-flex',
      'r8id',
      'x8i',
    ]);
    expect(available.filter((name) => name.includes('metal'))).toEqual([]);
  });

  test.each([
    ['m5.xlarge', true],
    ['m5.large', false],
    ['c6g.large', true],
    ['c6g.medium', false],
    ['t3.xlarge', false],
    ['m5.metal', false],
    ['m7i-flex.xlarge', false],
  ])('Nitro Enclaves need a virtual machine with two cores of its own, of most families: %s %s', (type, expected) => {
    expect(availableTypes({ nitroEnclaves: true }).includes(type)).toBe(expected);
  });

  test('interfaces on a second card need a type with two', () => {
    const available = availableTypes({ networkInterfaces: [nic(0, 0), nic(1, 1)] });
    expect(available).toContain('p4d.24xlarge');
    expect(available).not.toContain('m5.24xlarge');
  });

  test('a device index must be below the interfaces of a card', () => {
    const available = availableTypes({ networkInterfaces: [nic(0, 0), nic(0, 3)] });
    expect(available).toContain('m5.xlarge');
    expect(available).not.toContain('m5.large');
  });

  test('a type needs as many EFA interfaces as are listed', () => {
    const available = availableTypes({ networkInterfaces: [nic(0, 0), nic(0, 1, 'efa-only')] });
    expect(available).toContain('c6a.48xlarge');
    expect(available).not.toContain('c6a.24xlarge');
    expect(
      availableTypes({ networkInterfaces: [nic(0, 0), nic(0, 1, 'efa-only'), nic(0, 2, 'efa-only')] }),
    ).not.toContain('c6a.48xlarge');
  });

  test('network interfaces need a type with ENA, even if the list is empty', () => {
    const available = new Set(availableTypes({ amiFamily: 'AL2', networkInterfaces: [] }));
    expect(families(everything.filter((name) => !available.has(name)))).toEqual([
      'c1',
      'c3',
      'c4',
      'd2',
      'i2',
      'm1',
      'm2',
      'm3',
      'm4',
      'r3',
      't1',
      't2',
    ]);
    expect(available).toContain('m4.16xlarge');
  });
});
