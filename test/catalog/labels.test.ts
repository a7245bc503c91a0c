import { describeType } from './tables';
import { Catalog, DEFAULT_NODE_CLASS, NodeClassFacts } from '../../src/catalog';
import { Label, WELL_KNOWN_LABELS } from '../../src/model';

const AWS = 'karpenter.k8s.aws/';

function columnOf(key: string, nodeClass: NodeClassFacts = DEFAULT_NODE_CLASS) {
  return Catalog.load()
    .resolve(nodeClass)
    .labels.find((column) => column.key === key)!;
}

test.each<[string, string, Record<string, string | undefined>]>([
  [
    'a plain type',
    'm5.large',
    {
      [Label.INSTANCE_TYPE]: 'm5.large',
      [Label.ARCH]: 'amd64',
      [Label.OS]: 'linux',
      [Label.REGION]: 'us-east-1',
      [AWS + 'instance-category']: 'm',
      [AWS + 'instance-family']: 'm5',
      [AWS + 'instance-generation']: '5',
      [AWS + 'instance-size']: 'large',
      [AWS + 'instance-cpu']: '2',
      [AWS + 'instance-memory']: '8192',
      [AWS + 'instance-hypervisor']: 'nitro',
      [AWS + 'instance-network-bandwidth']: '750',
      [AWS + 'instance-capability-flex']: 'false',
      [AWS + 'instance-gpu-count']: undefined,
      [AWS + 'instance-local-nvme']: undefined,
    },
  ],
  [
    'a category before terabytes',
    'u-6tb1.112xlarge',
    { [AWS + 'instance-category']: 'u', [AWS + 'instance-generation']: '1', [AWS + 'instance-family']: 'u-6tb1' },
  ],
  [
    'a category before terabytes at the end',
    'u7i-12tb.224xlarge',
    { [AWS + 'instance-category']: 'u', [AWS + 'instance-generation']: '7' },
  ],
  [
    'letters after the generation',
    'x2iedn.xlarge',
    { [AWS + 'instance-category']: 'x', [AWS + 'instance-generation']: '2' },
  ],
  [
    'a category of several letters',
    'inf2.xlarge',
    { [AWS + 'instance-category']: 'inf', [AWS + 'instance-generation']: '2' },
  ],
  [
    'a digit after a hyphen',
    'p6-b200.48xlarge',
    { [AWS + 'instance-category']: 'p', [AWS + 'instance-generation']: '6', [AWS + 'instance-family']: 'p6-b200' },
  ],
  [
    'flex',
    'm7i-flex.large',
    {
      [AWS + 'instance-capability-flex']: 'true',
      [AWS + 'instance-category']: 'm',
      [AWS + 'instance-generation']: '7',
    },
  ],
  [
    'bare metal has an empty hypervisor',
    'm5.metal',
    { [AWS + 'instance-hypervisor']: '', [AWS + 'instance-size']: 'metal' },
  ],
  [
    'a GPU',
    'g5.xlarge',
    {
      [AWS + 'instance-gpu-name']: 'a10g',
      [AWS + 'instance-gpu-manufacturer']: 'nvidia',
      [AWS + 'instance-gpu-count']: '1',
    },
  ],
  [
    'an accelerator',
    'inf2.24xlarge',
    {
      [AWS + 'instance-accelerator-name']: 'inferentia2',
      [AWS + 'instance-accelerator-manufacturer']: 'aws',
      [AWS + 'instance-accelerator-count']: '6',
    },
  ],
  ['EBS bandwidth', 'm5.large', { [AWS + 'instance-ebs-bandwidth']: '4750' }],
  [
    'no EBS bandwidth if EC2 optimizes for EBS only on request',
    'c3.xlarge',
    { [AWS + 'instance-ebs-bandwidth']: undefined },
  ],
  [
    "no network bandwidth for a type that Karpenter's table lacks",
    'r9g.large',
    {
      [AWS + 'instance-network-bandwidth']: undefined,
      [AWS + 'instance-generation']: '9',
      [AWS + 'instance-ebs-bandwidth']: '12000',
    },
  ],
  [
    "network bandwidth for a type that only Karpenter's bandwidth table has",
    'trn2u.48xlarge',
    {
      [AWS + 'instance-network-bandwidth']: '3200000',
      [AWS + 'instance-category']: 'trn',
    },
  ],
  ['local NVMe', 'm5d.large', { [AWS + 'instance-local-nvme']: '75' }],
])('labels: %s (%s)', (_, type, labels) => {
  const { labels: actual } = describeType(type);
  expect(Object.fromEntries(Object.keys(labels).map((key) => [key, actual[key]]))).toEqual(labels);
});

test('every label key is known to Karpenter', () => {
  const { labels } = Catalog.load().resolve(DEFAULT_NODE_CLASS);
  expect(labels.map((column) => column.key).filter((key) => !WELL_KNOWN_LABELS.has(key))).toEqual([]);
});

test('no label has two columns', () => {
  const keys = Catalog.load()
    .resolve(DEFAULT_NODE_CLASS)
    .labels.map((column) => column.key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('every code names a value', () => {
  const { labels } = Catalog.load().resolve(DEFAULT_NODE_CLASS);
  const wrong = labels.filter(({ values, codes }) => codes.some((code) => code < -1 || code >= values.length));
  expect(wrong.map((column) => column.key)).toEqual([]);
});

test('no type has a capacity reservation', () => {
  const keys = [
    Label.CAPACITY_RESERVATION_ID,
    Label.CAPACITY_RESERVATION_TYPE,
    Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
  ];
  const columns = keys.map((key) => columnOf(key));
  expect(columns.every(({ codes }) => codes.every((code) => code === -1))).toBe(true);
});

test('every type has both tenancies', () => {
  const { values, sets } = columnOf(Label.INSTANCE_TENANCY);
  expect(values).toEqual(['dedicated', 'default']);
  expect(new Set(sets)).toEqual(new Set([0b11]));
});

test('a type of the region is in every zone that is known by name only, others are in none', () => {
  const { values, sets } = columnOf(Label.ZONE);
  expect(values).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c']);
  expect(new Set(sets)).toEqual(new Set([0b111, 0]));
});

test('every type is in all of 32 zones', () => {
  const zones = Array.from({ length: 32 }, (_, ordinal) => `z${ordinal}`);
  const column = Catalog.load({ zones })
    .resolve(DEFAULT_NODE_CLASS)
    .labels.find(({ key }) => key === Label.ZONE)!;
  expect(new Set(column.sets)).toEqual(new Set([0xffffffff]));
});

describe('a Windows node class', () => {
  test.each([
    ['Windows2019', '10.0.17763'],
    ['Windows2022', '10.0.20348'],
    ['Windows2025', '10.0.26100'],
  ] as const)('%s has build %s', (amiFamily, build) => {
    expect(describeType('m5.large', { amiFamily }).labels).toMatchObject({
      [Label.OS]: 'windows',
      [Label.WINDOWS_BUILD]: build,
    });
  });

  test('gives arm64 types no operating system label', () => {
    expect(describeType('m6g.large', { amiFamily: 'Windows2022' }).labels).not.toHaveProperty([Label.OS]);
  });

  test('is the only node class with a Windows build', () => {
    expect(describeType('m5.large').labels).not.toHaveProperty([Label.WINDOWS_BUILD]);
  });
});
