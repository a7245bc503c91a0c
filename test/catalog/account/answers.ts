import {
  AccountAnswers,
  AccountCatalog,
  describedFacts,
  DescribedType,
  makeAccountCatalog,
} from '../../../src/catalog/account';

const M5_LARGE: DescribedType = {
  InstanceType: 'm5.large',
  BareMetal: false,
  Hypervisor: 'nitro',
  SupportedUsageClasses: ['on-demand', 'spot'],
  NitroEnclavesSupport: 'unsupported',
  VCpuInfo: { DefaultVCpus: 2 },
  MemoryInfo: { SizeInMiB: 8192 },
  ProcessorInfo: { Manufacturer: 'Intel', SupportedArchitectures: ['x86_64'], SustainedClockSpeedInGhz: 3.1 },
  NetworkInfo: {
    DefaultNetworkCardIndex: 0,
    EnaSupport: 'required',
    EncryptionInTransitSupported: false,
    Ipv4AddressesPerInterface: 10,
    NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3 }],
  },
  EbsInfo: { EbsOptimizedSupport: 'default', EbsOptimizedInfo: { MaximumBandwidthInMbps: 4750 } },
};

/** As DescribeInstanceTypes has m5.large, with other values. */
export function described(values: DescribedType = {}): DescribedType {
  return { ...M5_LARGE, ...values };
}

const TYPES = [
  described(),
  described({ InstanceType: 'm5.xlarge', VCpuInfo: { DefaultVCpus: 4 }, MemoryInfo: { SizeInMiB: 16384 } }),
  described({ InstanceType: 'z9x.large', SupportedUsageClasses: ['on-demand'] }),
];

/** Three types and three zones of eu-west-1; z9x.large is new, on-demand only, and in one zone. */
export function answers(changes: Partial<AccountAnswers> = {}): AccountAnswers {
  const zones = [
    ['eu-west-1a', 'euw1-az3'],
    ['eu-west-1b', 'euw1-az1'],
    ['eu-west-1c', 'euw1-az2'],
  ] as const;
  const inZones = zones.flatMap(([name, id]) =>
    ['m5.large', 'm5.xlarge', ...(name === 'eu-west-1b' ? ['z9x.large'] : [])].map((type) => ({ type, name, id })),
  );
  return {
    region: 'eu-west-1',
    made: '2026-11-20',
    zones: zones.map(([ZoneName, ZoneId]) => ({ ZoneName, ZoneId, ZoneType: 'availability-zone' })),
    types: TYPES.map((type) => describedFacts(type)!),
    offerings: inZones.map(({ type, name }) => ({ InstanceType: type, Location: name })),
    offeringsById: inZones.map(({ type, id }) => ({ InstanceType: type, Location: id })),
    spotPrices: [
      {
        InstanceType: 'm5.large',
        AvailabilityZone: 'eu-west-1a',
        SpotPrice: '0.0400',
        Timestamp: '2026-11-20T08:00:00Z',
      },
      {
        InstanceType: 'm5.large',
        AvailabilityZone: 'eu-west-1b',
        SpotPrice: '0.0300',
        Timestamp: '2026-11-20T08:00:00Z',
      },
    ],
    products: [
      { instanceType: 'm5.large', price: 0.11, currency: 'USD' },
      { instanceType: 'm5.xlarge', price: 0.214, currency: 'USD' },
      { instanceType: 'z9x.large', price: 0.5, currency: 'USD' },
    ],
    ...changes,
  };
}

export function madeCatalog(changes: Partial<AccountAnswers> = {}): AccountCatalog {
  return makeAccountCatalog(answers(changes)).catalog;
}
