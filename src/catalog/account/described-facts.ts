import { DescribedDevice, DescribedType } from './responses';
import { CatalogFile } from '../catalog-file';
import { InstanceTypeFacts } from '../instance-type-facts';

/** EC2's names of the architectures that Karpenter supports. */
const ARCHITECTURES: Readonly<Record<string, 'amd64' | 'arm64'>> = { x86_64: 'amd64', arm64: 'arm64' };
const NETWORK_BANDWIDTH = 'karpenter.k8s.aws/instance-network-bandwidth';

/**
 * The facts of a type as Karpenter reads them from DescribeInstanceTypes. Undefined for a type that Karpenter does not
 * use, or whose description lacks vCPUs, memory or network cards.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/types.go
 */
export function describedFacts(type: DescribedType): InstanceTypeFacts | undefined {
  const { InstanceType: instanceType, ProcessorInfo: processor, NetworkInfo: network } = type;
  const arch = (processor?.SupportedArchitectures ?? [])
    .map((name) => ARCHITECTURES[name])
    .find((known) => known !== undefined);
  const vcpus = type.VCpuInfo?.DefaultVCpus;
  const memoryMiB = type.MemoryInfo?.SizeInMiB;
  const cards = network?.NetworkCards ?? [];
  const defaultCard = cards[network?.DefaultNetworkCardIndex ?? 0];
  if (instanceType === undefined || arch === undefined || !vcpus || !memoryMiB || defaultCard === undefined)
    return undefined;
  return {
    instanceType,
    arch,
    cpuManufacturer: kebabCase(processor?.Manufacturer ?? ''),
    sustainedClockSpeedMhz: Math.round((processor?.SustainedClockSpeedInGhz ?? 0) * 1000),
    vcpus,
    memoryMiB,
    hypervisor: type.Hypervisor ?? '',
    encryptionInTransitSupported: network?.EncryptionInTransitSupported ?? false,
    bareMetal: type.BareMetal ?? false,
    networkCards: cards.length,
    defaultCardNetworkInterfaces: defaultCard.MaximumNetworkInterfaces ?? 0,
    ipv4PerInterface: network?.Ipv4AddressesPerInterface ?? 0,
    ...ebsFacts(type),
    ...storageFacts(type),
    ...(network?.EfaInfo?.MaximumEfaInterfaces === undefined
      ? {}
      : { efaInterfaces: network.EfaInfo.MaximumEfaInterfaces }),
    ...deviceFacts(type),
    ...(type.SupportedUsageClasses?.includes('spot') ? {} : { onDemandOnly: true }),
    ...(type.SupportedUsageClasses?.includes('capacity-block') ? { capacityBlock: true } : {}),
    ...(processor?.SupportedFeatures?.includes('nested-virtualization') ? { nestedVirtualization: true } : {}),
    ...(type.NitroEnclavesSupport === 'supported' ? { nitroEnclaves: true } : {}),
    ...(network?.EnaSupport === 'unsupported' ? { enaUnsupported: true } : {}),
  };
}

type EbsFacts = Pick<
  InstanceTypeFacts,
  'ebsBandwidthMbps' | 'optionalEbsBandwidthMbps' | 'ebsAttachments' | 'ebsAttachmentsShared'
>;

/** Karpenter writes the bandwidth into a label only if EBS optimization is on by default. */
function ebsFacts({ EbsInfo: ebs }: DescribedType): EbsFacts {
  const bandwidth = ebs?.EbsOptimizedInfo?.MaximumBandwidthInMbps;
  const isDefault = ebs?.EbsOptimizedSupport === 'default';
  return {
    ...(bandwidth === undefined
      ? {}
      : isDefault
        ? { ebsBandwidthMbps: bandwidth }
        : { optionalEbsBandwidthMbps: bandwidth }),
    ...(ebs?.MaximumEbsAttachments === undefined ? {} : { ebsAttachments: ebs.MaximumEbsAttachments }),
    ...(ebs?.AttachmentLimitType === 'shared' ? { ebsAttachmentsShared: true } : {}),
  };
}

function storageFacts({
  InstanceStorageInfo: storage,
}: DescribedType): Pick<InstanceTypeFacts, 'localNvmeGB' | 'otherInstanceStoreGB'> {
  const size = storage?.TotalSizeInGB;
  if (size === undefined) return {};
  return storage?.NvmeSupport === 'unsupported' ? { otherInstanceStoreGB: size } : { localNvmeGB: size };
}

function deviceFacts(type: DescribedType): Partial<InstanceTypeFacts> {
  const gpus = type.GpuInfo?.Gpus ?? [];
  const neuron = type.NeuronInfo?.NeuronDevices;
  const accelerators = neuron === undefined ? (type.InferenceAcceleratorInfo?.Accelerators ?? []) : [];
  const count = (devices: readonly DescribedDevice[]) => devices.reduce((sum, device) => sum + (device.Count ?? 0), 0);
  const madeBy = (manufacturer: string) => count(gpus.filter(({ Manufacturer }) => Manufacturer === manufacturer));
  const named = ({ Name = '', Manufacturer = '', Count = 0 }: DescribedDevice) => ({
    name: kebabCase(Name),
    manufacturer: kebabCase(Manufacturer),
    count: Count,
  });
  return {
    // Karpenter has no labels for types with several kinds of GPUs or accelerators.
    ...(gpus.length === 1 ? { gpu: { ...named(gpus[0]), memoryMiB: gpus[0].MemoryInfo?.SizeInMiB ?? 0 } } : {}),
    ...(madeBy('NVIDIA') > 0 ? { nvidiaGpus: madeBy('NVIDIA') } : {}),
    ...(madeBy('AMD') > 0 ? { amdGpus: madeBy('AMD') } : {}),
    ...(accelerators.length === 1 ? { accelerator: named(accelerators[0]) } : {}),
    ...(neuron?.length === 1 ? { accelerator: { ...named(neuron[0]), manufacturer: 'aws' } } : {}),
    ...(neuron === undefined || neuron.length === 0
      ? {}
      : { neuron: { devices: count(neuron), cores: (neuron[0].Count ?? 0) * (neuron[0].CoreInfo?.Count ?? 0) } }),
  };
}

/**
 * Adds what Karpenter takes from its own tables instead of EC2: branch interfaces and network bandwidth. A type that is
 * missing there has neither.
 */
export function withKarpenterTables(
  types: readonly InstanceTypeFacts[],
  { names, facts, labels }: CatalogFile,
): InstanceTypeFacts[] {
  const rows = new Map(names.map((name, row) => [name, row]));
  const bandwidth = labels.find(({ key }) => key === NETWORK_BANDWIDTH);
  return types.map((type) => {
    const row = rows.get(type.instanceType);
    if (row === undefined) return { ...type, branchInterfaces: 0, vpcLimits: false };
    const mbps = bandwidth?.values[bandwidth.codes[row]];
    return {
      ...type,
      branchInterfaces: facts.branchInterfaces[row],
      vpcLimits: facts.vpcLimits[row] === 1,
      ...(mbps === undefined ? {} : { networkBandwidthMbps: Number(mbps) }),
    };
  });
}

/** As Karpenter writes names of devices into labels. */
function kebabCase(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
