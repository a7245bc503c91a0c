import { describeType } from './tables';
import { CatalogOptions, KubeletFacts, NodeClassFacts } from '../../src/catalog';
import { KubeletExpression, parseResourceList, Quantity } from '../../src/model';

interface Case {
  readonly what: string;
  readonly type?: string;
  readonly nodeClass?: Partial<NodeClassFacts>;
  readonly options?: CatalogOptions;
  readonly allocatable: Readonly<Record<string, string>>;
}

const reserved = (kubeReserved: Record<string, string>): KubeletFacts => ({
  kubeReserved: parseResourceList(kubeReserved),
});

const cases: readonly Case[] = [
  { what: 'the defaults', allocatable: { cpu: '1930m', memory: '6903Mi', 'ephemeral-storage': '17Gi', pods: '29' } },
  { what: 'CPU bands at 1 vCPU', type: 'c6g.medium', allocatable: { cpu: '940m' } },
  { what: 'CPU bands at 4 vCPUs', type: 'm5.xlarge', allocatable: { cpu: '3920m' } },
  { what: 'CPU bands at 96 vCPUs', type: 'm5.24xlarge', allocatable: { cpu: '95690m' } },
  {
    what: 'AL2023 reserves memory by interfaces whatever maxPods',
    nodeClass: { kubelet: { maxPods: 110 } },
    allocatable: { pods: '110', memory: '6903Mi' },
  },
  {
    what: 'so does AL2',
    nodeClass: { amiFamily: 'AL2', kubelet: { maxPods: 110 } },
    allocatable: { memory: '6903Mi' },
  },
  {
    what: 'so does Custom',
    nodeClass: { amiFamily: 'Custom', kubelet: { maxPods: 110 } },
    allocatable: { memory: '6903Mi' },
  },
  {
    what: 'Bottlerocket reserves memory by maxPods',
    nodeClass: { amiFamily: 'Bottlerocket', kubelet: { maxPods: 110 } },
    allocatable: { memory: '6012Mi' },
  },
  {
    what: 'Windows reserves memory for its 110 pods',
    nodeClass: { amiFamily: 'Windows2022' },
    allocatable: { memory: '6012Mi' },
  },
  {
    what: 'a reserved interface leaves AL2023 memory as it is',
    options: { reservedENIs: 1 },
    allocatable: { pods: '20', memory: '6903Mi' },
  },
  {
    what: 'a reserved interface lowers what Bottlerocket reserves',
    nodeClass: { amiFamily: 'Bottlerocket' },
    options: { reservedENIs: 1 },
    allocatable: { pods: '20', memory: '7002Mi' },
  },
  {
    what: 'podsPerCore leaves AL2023 memory as it is',
    nodeClass: { kubelet: { podsPerCore: 10 } },
    allocatable: { pods: '20', memory: '6903Mi' },
  },
  {
    what: 'kubeReserved replaces one key and keeps the others',
    nodeClass: { kubelet: reserved({ cpu: '200m' }) },
    allocatable: { cpu: '1800m', memory: '6903Mi', 'ephemeral-storage': '17Gi' },
  },
  {
    what: 'kubeReserved memory',
    nodeClass: { kubelet: reserved({ memory: '1Gi' }) },
    allocatable: { cpu: '1930m', memory: '6453Mi' },
  },
  {
    what: 'kubeReserved storage',
    nodeClass: { kubelet: reserved({ 'ephemeral-storage': '3Gi' }) },
    allocatable: { 'ephemeral-storage': '15Gi' },
  },
  {
    what: 'kubeReserved pid touches nothing',
    nodeClass: { kubelet: reserved({ pid: '1000' }) },
    allocatable: { pods: '29', cpu: '1930m' },
  },
  {
    what: 'systemReserved adds to the defaults',
    nodeClass: {
      kubelet: { systemReserved: parseResourceList({ cpu: '100m', memory: '100Mi', 'ephemeral-storage': '1Gi' }) },
    },
    allocatable: { cpu: '1830m', memory: '6803Mi', 'ephemeral-storage': '16Gi' },
  },
  {
    what: 'RAID0: a tenth of decimal gigabytes',
    type: 'm5d.large',
    nodeClass: { instanceStoreRaid0: true },
    allocatable: { 'ephemeral-storage': '66426258176' },
  },
];

test.each(cases)('allocatable: $what', ({ type = 'm5.large', nodeClass, options, allocatable }) => {
  expect(describeType(type, nodeClass, options).allocatable).toMatchObject(allocatable);
});

describe('reservations that are expressions', () => {
  const allocatable = (
    field: 'kubeReserved' | 'systemReserved',
    resource: string,
    valueFor: KubeletExpression['valueFor'],
    kubelet: KubeletFacts = {},
  ) => {
    const none = { kubeReserved: new Map(), systemReserved: new Map() };
    const expressions = { ...none, [field]: new Map([[resource, { text: String(valueFor), valueFor }]]) };
    return describeType('m5.large', { kubelet: { ...kubelet, expressions } }).allocatable[resource];
  };

  test.each<[string, string, number, string]>([
    ['millicores of cpu, up to the next ten', 'cpu', 61, '1930m'],
    ['Mi of memory, up to the next sixteen', 'memory', 100, '7365Mi'],
    ['Gi of storage', 'ephemeral-storage', 3, '15Gi'],
  ])('are %s', (_, resource, value, left) => {
    expect(allocatable('kubeReserved', resource, () => value)).toBe(left);
  });

  test('see the resolved number of pods', () => {
    expect(allocatable('kubeReserved', 'cpu', ({ maxPods }) => maxPods * 10, { maxPods: 50 })).toBe('1500m');
  });

  test('for the system are added to the default of the kubelet', () => {
    expect(allocatable('systemReserved', 'cpu', ({ vcpus }) => vcpus * 50)).toBe('1830m');
  });

  test('keep the default if they have no value', () => {
    expect([
      allocatable('kubeReserved', 'cpu', () => undefined),
      allocatable('kubeReserved', 'cpu', () => -1),
      allocatable('systemReserved', 'cpu', () => undefined),
    ]).toEqual(['1930m', '1930m', '1930m']);
  });
});

describe('evictionHard', () => {
  const MEMORY_BEFORE_EVICTION = (7577n - 574n) * 2n ** 20n;
  const memoryKept = (threshold: string) => {
    const { allocatable } = describeType('m5.large', { kubelet: { evictionHard: { 'memory.available': threshold } } });
    return MEMORY_BEFORE_EVICTION - Quantity.parse(allocatable.memory).value();
  };

  test.each([
    ['1Gi', 2n ** 30n],
    ['5%', 397253018n],
    ['2.5%', 198626509n],
    ['100%', 0n],
    ['0%', 0n],
    ['200Mi', 200n * 2n ** 20n],
  ])('memory.available %s keeps %s bytes', (threshold, bytes) => {
    expect(memoryKept(threshold)).toBe(bytes);
  });

  test.each(['', '%', 'lots', '0x10%', 'NaN%', 'Infinity%'])(
    'an invalid threshold (%p) keeps the default of 100Mi',
    (threshold) => {
      expect(memoryKept(threshold)).toBe(100n * 2n ** 20n);
    },
  );

  test('nodefs.available replaces the default of 10 % of the storage', () => {
    const { allocatable } = describeType('m5.large', { kubelet: { evictionHard: { 'nodefs.available': '20%' } } });
    expect(allocatable['ephemeral-storage']).toBe('15Gi');
  });

  test('ignores other signals', () => {
    const evictionHard = { 'imagefs.available': '50%', 'nodefs.inodesFree': '50%', 'pid.available': '50%' };
    expect(describeType('m5.large', { kubelet: { evictionHard } }).allocatable).toEqual(
      describeType('m5.large').allocatable,
    );
  });
});

test('returns a negative amount if the pods reserve more than the memory', () => {
  expect(describeType('t3.nano', { amiFamily: 'Bottlerocket', kubelet: { maxPods: 1000 } }).allocatable.memory).toBe(
    '-10882Mi',
  );
});
