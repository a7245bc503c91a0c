import { amiFamilyTraits } from './ami-family';
import { CatalogFacts, CatalogFile } from './catalog-file';
import { column } from './columns';
import { ephemeralStorageCapacity } from './ephemeral-storage';
import { NodeClassFacts } from './node-class-facts';
import { podCapacity } from './pod-density';

const MIB = 2 ** 20;
/** What the kernel of a Graviton keeps to itself. */
const ARM64_RESERVED_MIB = 64;

/** One amount by type, in the resource's canonical integer unit. */
export type ResourceColumns = ReadonlyMap<string, Float64Array>;

export interface CapacitySettings {
  readonly vmMemoryOverheadPercent: number;
  readonly reservedENIs: number;
}

/** In bytes. The order of the divisions is Karpenter's: it decides how the overhead rounds. */
function memory(facts: CatalogFacts, vmMemoryOverheadPercent: number): Float64Array {
  return column(facts.memoryMiB.length, (type) => {
    const mib = facts.memoryMiB[type] - ARM64_RESERVED_MIB * facts.arm64[type];
    return (mib - Math.ceil(mib * MIB * vmMemoryOverheadPercent / 1024 / 1024)) * MIB;
  });
}

/** Interfaces that the node class names replace what the type could have. */
function efa(facts: CatalogFacts, nodeClass: NodeClassFacts): Float64Array {
  const named = nodeClass.networkInterfaces?.filter((i) => i.interfaceType === 'efa-only').length;
  return named === undefined ? new Float64Array(facts.efaInterfaces) : new Float64Array(facts.efaInterfaces.length).fill(named);
}

function privateIpv4Addresses(facts: CatalogFacts): Float64Array {
  // Windows nodes exist on amd64 only. Zero stands for an absent resource.
  return column(facts.vcpus.length, (type) => facts.vpcLimits[type] && !facts.arm64[type] ? facts.ipv4PerInterface[type] - 1 : 0);
}

/** Every resource that a node of each type reports, as Karpenter computes it before it has seen one. */
export function capacityColumns(file: CatalogFile, nodeClass: NodeClassFacts, settings: CapacitySettings): ResourceColumns {
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
