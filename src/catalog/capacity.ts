import { amiFamilyTraits } from './ami-family';
import { CatalogFacts, CatalogFile } from './catalog-file';
import { column } from './columns';
import { expressionColumn } from './kubelet-expressions';
import { BlockDeviceFacts, NodeClassFacts } from './node-class-facts';

const MIB = 2 ** 20;

/** Memory that the kernel of a Graviton instance keeps, in MiB. */
const ARM64_RESERVED_MIB = 64;

/** Amounts by resource, then by instance type, in the canonical integer unit of the resource. */
export type ResourceColumns = ReadonlyMap<string, Float64Array>;

export interface CapacitySettings {
  readonly vmMemoryOverheadPercent: number;
  readonly reservedENIs: number;
}

/** Memory in bytes. Keep the order of the divisions: it is Karpenter's and decides how the overhead is rounded. */
function memory(facts: CatalogFacts, vmMemoryOverheadPercent: number): Float64Array {
  return column(facts.memoryMiB.length, (type) => {
    const mib = facts.memoryMiB[type] - ARM64_RESERVED_MIB * facts.arm64[type];
    return (mib - Math.ceil((mib * MIB * vmMemoryOverheadPercent) / 1024 / 1024)) * MIB;
  });
}

/** EFA interfaces. Interfaces that the node class lists replace the interfaces of the type. */
function efa(facts: CatalogFacts, nodeClass: NodeClassFacts): Float64Array {
  const named = nodeClass.networkInterfaces?.filter((i) => i.interfaceType === 'efa-only').length;
  return named === undefined
    ? new Float64Array(facts.efaInterfaces)
    : new Float64Array(facts.efaInterfaces.length).fill(named);
}

function privateIpv4Addresses(facts: CatalogFacts): Float64Array {
  // Windows nodes exist on amd64 only. Zero stands for an absent resource.
  return column(facts.vcpus.length, (type) =>
    facts.vpcLimits[type] && !facts.arm64[type] ? facts.ipv4PerInterface[type] - 1 : 0,
  );
}

/** The capacity of every instance type, as Karpenter computes it before it has seen a node of the type. */
export function capacityColumns(
  file: CatalogFile,
  nodeClass: NodeClassFacts,
  settings: CapacitySettings,
): ResourceColumns {
  const { facts } = file;
  const columns = new Map<string, Float64Array>([
    ['cpu', column(facts.vcpus.length, (type) => facts.vcpus[type] * 1000)],
    ['memory', memory(facts, settings.vmMemoryOverheadPercent)],
    ['ephemeral-storage', ephemeralStorageCapacity(facts, nodeClass)],
    ['pods', podCapacity(file, settings.reservedENIs, nodeClass)],
    ['vpc.amazonaws.com/pod-eni', new Float64Array(facts.branchInterfaces)],
    ['nvidia.com/gpu', new Float64Array(facts.nvidiaGpus)],
    ['amd.com/gpu', new Float64Array(facts.amdGpus)],
    ['aws.amazon.com/neuron', new Float64Array(facts.neuronDevices)],
    ['aws.amazon.com/neuroncore', new Float64Array(facts.neuronCores)],
    ['habana.ai/gaudi', new Float64Array(facts.vcpus.length)],
    ['vpc.amazonaws.com/efa', efa(facts, nodeClass)],
  ]);
  if (amiFamilyTraits(nodeClass.amiFamily).windowsBuild !== undefined) {
    columns.set('vpc.amazonaws.com/PrivateIPv4Address', privateIpv4Addresses(facts));
  }
  return columns;
}
const DEFAULT_MAX_PODS = 110;

/**
 * The number of pods that the default network card allows. Every interface keeps one address for itself, and two more
 * pods use the host network.
 */
export function interfaceLimitedPods(
  facts: CatalogFacts,
  reservedENIs: number,
  nodeClass: NodeClassFacts,
): Float64Array {
  const efaOnly =
    nodeClass.networkInterfaces?.filter((i) => i.networkCardIndex === 0 && i.interfaceType === 'efa-only').length ?? 0;
  return column(facts.vcpus.length, (type) => {
    const usable = Math.max(facts.networkInterfaces[type] - reservedENIs - efaOnly, 0);
    return usable === 0 ? 0 : usable * (facts.ipv4PerInterface[type] - 1) + 2;
  });
}

/** The `pods` capacity by type. */
export function podCapacity(file: CatalogFile, reservedENIs: number, nodeClass: NodeClassFacts): Float64Array {
  const { facts } = file;
  const traits = amiFamilyTraits(nodeClass.amiFamily);
  const { maxPods, expressions } = nodeClass.kubelet ?? {};
  const pods =
    maxPods === undefined && traits.podsByInterfaces
      ? interfaceLimitedPods(facts, reservedENIs, nodeClass)
      : new Float64Array(facts.vcpus.length).fill(maxPods ?? DEFAULT_MAX_PODS);
  const byDefault = perCore(facts, pods, nodeClass);
  if (expressions?.maxPods === undefined) return byDefault;
  const stated = expressionColumn(file, expressions.maxPods, byDefault);
  return perCore(
    facts,
    stated.map((value, type) => (value >= 0 ? value : byDefault[type])),
    nodeClass,
  );
}

function perCore(
  facts: CatalogFacts,
  pods: Float64Array,
  { amiFamily, kubelet: { podsPerCore = 0 } = {} }: NodeClassFacts,
): Float64Array {
  return podsPerCore > 0 && amiFamilyTraits(amiFamily).podsPerCore
    ? column(pods.length, (type) => Math.min(podsPerCore * facts.vcpus[type], pods[type]))
    : pods;
}
const GB = 1e9;
const DEFAULT_VOLUME_BYTES = 20 * 2 ** 30;

/** Only the first matching mapping counts. If it has no size, a later one does not replace it. */
function sizeOf(
  devices: readonly BlockDeviceFacts[],
  matches: (device: BlockDeviceFacts) => boolean,
): bigint | undefined {
  return devices.find(matches)?.volumeSizeBytes;
}

/** Bytes of the EBS volume that holds the pods' ephemeral storage. */
export function volumeBytes(nodeClass: NodeClassFacts): number {
  const traits = amiFamilyTraits(nodeClass.amiFamily);
  const devices = nodeClass.blockDevices ?? [];
  if (devices.length === 0) {
    return traits.defaultVolumeBytes;
  }
  const root = sizeOf(devices, (device) => device.rootVolume === true);
  if (root !== undefined) {
    return Number(root);
  }
  if (traits.ephemeralDevice === undefined) {
    return Number(devices[devices.length - 1].volumeSizeBytes ?? DEFAULT_VOLUME_BYTES);
  }
  return Number(sizeOf(devices, (device) => device.deviceName === traits.ephemeralDevice) ?? traits.defaultVolumeBytes);
}

/** The `ephemeral-storage` capacity by type, in bytes. Instance store sizes are decimal gigabytes. */
export function ephemeralStorageCapacity(facts: CatalogFacts, nodeClass: NodeClassFacts): Float64Array {
  const volume = volumeBytes(nodeClass);
  return nodeClass.instanceStoreRaid0
    ? column(facts.instanceStoreGB.length, (type) =>
        facts.instanceStoreGB[type] > 0 ? facts.instanceStoreGB[type] * GB : volume,
      )
    : new Float64Array(facts.instanceStoreGB.length).fill(volume);
}
