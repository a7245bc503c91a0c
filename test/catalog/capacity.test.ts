import { describeType } from './tables';
import { CatalogOptions, KubeletFacts, NodeClassFacts } from '../../src/catalog';
import { KubeletExpression, Quantity } from '../../src/model';

const MEBIBYTE = 2n ** 20n;
const GIBIBYTE = 2n ** 30n;

interface Case {
  readonly what: string;
  readonly type: string;
  readonly nodeClass?: Partial<NodeClassFacts>;
  readonly options?: CatalogOptions;
  readonly capacity: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  {
    what: 'x86 memory less 7.5%, rounded up to whole Mi',
    type: 'm5.large',
    capacity: { cpu: '2', memory: '7577Mi', pods: '29' },
  },
  { what: '64Mi less on arm64', type: 'm6g.large', capacity: { memory: '7518Mi' } },
  {
    what: 'a configured memory overhead',
    type: 'm5.large',
    options: { vmMemoryOverheadPercent: 0 },
    capacity: { memory: '8Gi' },
  },
  { what: 'maxPods', type: 'm5.large', nodeClass: { kubelet: { maxPods: 110 } }, capacity: { pods: '110' } },
  { what: 'maxPods of zero', type: 'm5.large', nodeClass: { kubelet: { maxPods: 0 } }, capacity: { pods: '0' } },
  { what: 'a reserved network interface', type: 'm5.large', options: { reservedENIs: 1 }, capacity: { pods: '20' } },
  {
    what: 'no pods when every interface is reserved',
    type: 'm5.large',
    options: { reservedENIs: 9 },
    capacity: { pods: '0' },
  },
  { what: 'podsPerCore', type: 'm5.large', nodeClass: { kubelet: { podsPerCore: 10 } }, capacity: { pods: '20' } },
  {
    what: 'podsPerCore above the interfaces',
    type: 'm5.large',
    nodeClass: { kubelet: { podsPerCore: 20 } },
    capacity: { pods: '29' },
  },
  {
    what: 'podsPerCore below maxPods',
    type: 'm5.large',
    nodeClass: { kubelet: { podsPerCore: 10, maxPods: 110 } },
    capacity: { pods: '20' },
  },
  {
    what: 'no podsPerCore on Bottlerocket',
    type: 'm5.large',
    nodeClass: { amiFamily: 'Bottlerocket', kubelet: { podsPerCore: 10 } },
    capacity: { pods: '29' },
  },
  { what: '110 pods on Windows', type: 'm5.large', nodeClass: { amiFamily: 'Windows2022' }, capacity: { pods: '110' } },
  {
    what: 'addresses for Windows pods',
    type: 'm5.large',
    nodeClass: { amiFamily: 'Windows2022' },
    capacity: { 'vpc.amazonaws.com/PrivateIPv4Address': '9' },
  },
  { what: 'two interfaces of a type without published limits', type: 'hpc7a.48xlarge', capacity: { pods: '100' } },
  {
    what: "the interfaces that EC2 reports, of a type that Karpenter's tables lack",
    type: 'r9g.large',
    capacity: { pods: '59' },
  },
  { what: 'NVIDIA GPUs', type: 'p4d.24xlarge', capacity: { 'nvidia.com/gpu': '8' } },
  { what: 'AMD GPUs', type: 'g4ad.16xlarge', capacity: { 'amd.com/gpu': '4' } },
  {
    what: 'Neuron devices and cores',
    type: 'inf1.24xlarge',
    capacity: { 'aws.amazon.com/neuron': '16', 'aws.amazon.com/neuroncore': '64' },
  },
  { what: 'EFA interfaces that the type could have', type: 'p4d.24xlarge', capacity: { 'vpc.amazonaws.com/efa': '4' } },
  {
    what: 'EFA interfaces that the node class names, each taking a network interface',
    type: 'c6a.48xlarge',
    nodeClass: {
      networkInterfaces: [
        { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
        { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' },
      ],
    },
    capacity: { 'vpc.amazonaws.com/efa': '1', pods: '688' },
  },
];

describe('maxPods that is an expression', () => {
  const pods = (valueFor: KubeletExpression['valueFor'], kubelet: KubeletFacts = {}) => {
    const expressions = {
      maxPods: { text: String(valueFor), valueFor },
      kubeReserved: new Map(),
      systemReserved: new Map(),
    };
    return describeType('m5.large', { kubelet: { ...kubelet, expressions } }).capacity.pods;
  };

  test('is evaluated with the facts of the type and its default pod count', () => {
    const seen: unknown[] = [];
    expect(
      pods((variables) => {
        seen.push(variables);
        return variables.maxPods - 9;
      }),
    ).toBe('20');
    expect(seen).toContainEqual({
      instanceType: 'm5.large',
      vcpus: 2,
      memoryMiB: 8192,
      defaultEnis: 3,
      ipsPerEni: 10,
      maxPods: 29,
    });
  });

  test('is limited by podsPerCore before and after evaluation', () => {
    expect([pods(() => 50, { podsPerCore: 8 }), pods(({ maxPods }) => maxPods - 1, { podsPerCore: 8 })]).toEqual([
      '16',
      '15',
    ]);
  });
});

test.each(cases)('capacity: $what', ({ type, nodeClass, options, capacity }) => {
  expect(describeType(type, nodeClass, options).capacity).toMatchObject(capacity);
});

test("gives types that Karpenter's table of VPC limits lacks no branch interfaces and no addresses for Windows pods", () => {
  const names = [
    ...Object.keys(describeType('r9g.large').capacity),
    ...Object.keys(describeType('t8i.medium', { amiFamily: 'Windows2022' }).capacity),
  ];
  expect(names.filter((name) => name.startsWith('vpc.amazonaws.com/'))).toEqual([]);
});

test('gives private IPv4 addresses to Windows nodes only', () => {
  expect(describeType('m5.large').capacity).not.toHaveProperty(['vpc.amazonaws.com/PrivateIPv4Address']);
});

test('gives no private IPv4 addresses to arm64 types, on which Windows does not run', () => {
  expect(describeType('m6g.large', { amiFamily: 'Windows2022' }).capacity).not.toHaveProperty([
    'vpc.amazonaws.com/PrivateIPv4Address',
  ]);
});

test('gives no EFA interfaces if the listed network interfaces have none', () => {
  const networkInterfaces = [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }] as const;
  expect(describeType('p4d.24xlarge', { networkInterfaces }).capacity).not.toHaveProperty(['vpc.amazonaws.com/efa']);
});

describe('ephemeral storage', () => {
  const xvda = { deviceName: '/dev/xvda', volumeSizeBytes: 100n * GIBIBYTE };
  const xvdb = { deviceName: '/dev/xvdb', volumeSizeBytes: 200n * GIBIBYTE };
  const unsized = { deviceName: '/dev/xvda' };

  test.each<{ what: string; type?: string; nodeClass: Partial<NodeClassFacts>; storage: string }>([
    { what: 'AL2023 without mappings', nodeClass: {}, storage: '20Gi' },
    {
      what: 'Bottlerocket without mappings: its data volume',
      nodeClass: { amiFamily: 'Bottlerocket' },
      storage: '20Gi',
    },
    { what: 'Windows without mappings', nodeClass: { amiFamily: 'Windows2019' }, storage: '50Gi' },
    { what: 'Custom without mappings', nodeClass: { amiFamily: 'Custom' }, storage: '20Gi' },
    { what: 'AL2023: /dev/xvda', nodeClass: { blockDevices: [xvdb, xvda] }, storage: '100Gi' },
    { what: 'AL2023: another device does not count', nodeClass: { blockDevices: [xvdb] }, storage: '20Gi' },
    {
      what: 'Bottlerocket: /dev/xvdb',
      nodeClass: { amiFamily: 'Bottlerocket', blockDevices: [xvda, xvdb] },
      storage: '200Gi',
    },
    {
      what: 'Bottlerocket: /dev/xvda does not count',
      nodeClass: { amiFamily: 'Bottlerocket', blockDevices: [xvda] },
      storage: '20Gi',
    },
    {
      what: 'Custom: the last mapping',
      nodeClass: { amiFamily: 'Custom', blockDevices: [xvda, xvdb] },
      storage: '200Gi',
    },
    {
      what: 'Custom: the last mapping without a size',
      nodeClass: { amiFamily: 'Custom', blockDevices: [xvdb, unsized] },
      storage: '20Gi',
    },
    {
      what: 'the root volume before the device',
      nodeClass: { blockDevices: [xvda, { ...xvdb, rootVolume: true }] },
      storage: '200Gi',
    },
    {
      what: 'a root volume without a size is skipped',
      nodeClass: { blockDevices: [{ ...unsized, deviceName: '/dev/sda', rootVolume: true }, xvda] },
      storage: '100Gi',
    },
    {
      what: 'only the first mapping of a device counts',
      nodeClass: { blockDevices: [unsized, xvda] },
      storage: '20Gi',
    },
    {
      what: 'RAID0: the instance store, in decimal gigabytes',
      type: 'm5d.large',
      nodeClass: { instanceStoreRaid0: true },
      storage: '75G',
    },
    {
      what: 'RAID0: an instance store that is not NVMe',
      type: 'd2.xlarge',
      nodeClass: { instanceStoreRaid0: true },
      storage: '6144G',
    },
    {
      what: 'RAID0 without an instance store',
      nodeClass: { instanceStoreRaid0: true, blockDevices: [xvda] },
      storage: '100Gi',
    },
  ])('$what', ({ type = 'm5.large', nodeClass, storage }) => {
    const bytes = storage.endsWith('Gi')
      ? BigInt(storage.slice(0, -2)) * GIBIBYTE
      : BigInt(storage.slice(0, -1)) * 10n ** 9n;
    const { capacity } = describeType(type, nodeClass);
    expect(Quantity.parse(capacity['ephemeral-storage']).value()).toBe(bytes);
  });

  test('keeps a size that is not a whole number of GiB', () => {
    const blockDevices = [{ deviceName: '/dev/xvda', volumeSizeBytes: 1536n * MEBIBYTE }];
    expect(describeType('m5.large', { blockDevices }).capacity).toMatchObject({ 'ephemeral-storage': '1536Mi' });
  });
});
