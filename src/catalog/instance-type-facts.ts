import { CatalogFacts, CatalogFile, CatalogLabel } from './catalog-file';

/** The facts of an instance type, as DescribeInstanceTypes and Karpenter's own tables have them. */
export interface InstanceTypeFacts {
  readonly instanceType: string;
  readonly arch: 'amd64' | 'arm64';
  readonly cpuManufacturer: string;
  readonly sustainedClockSpeedMhz: number;
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly hypervisor: string;
  readonly encryptionInTransitSupported: boolean;
  readonly bareMetal: boolean;
  readonly networkCards?: number;
  readonly defaultCardNetworkInterfaces?: number;
  readonly ipv4PerInterface?: number;
  readonly branchInterfaces?: number;
  /** Whether the VPC resource controller's table knows the type. @default - it does if `eniLimitedPods` is absent */
  readonly vpcLimits?: boolean;
  readonly eniLimitedPods?: number;
  readonly networkBandwidthMbps?: number;
  readonly ebsBandwidthMbps?: number;
  /** Bandwidth of old types that have EBS optimization only on request. Karpenter does not request it. */
  readonly optionalEbsBandwidthMbps?: number;
  /** How many EBS volumes can be attached, the root volume included. Instance store is already subtracted. */
  readonly ebsAttachments?: number;
  /** Whether each further network interface reduces `ebsAttachments` by one. @default false */
  readonly ebsAttachmentsShared?: boolean;
  readonly localNvmeGB?: number;
  /** Disks that are not NVMe. */
  readonly otherInstanceStoreGB?: number;
  readonly efaInterfaces?: number;
  readonly gpu?: {
    readonly name: string;
    readonly manufacturer: string;
    readonly count: number;
    readonly memoryMiB: number;
  };
  readonly nvidiaGpus?: number;
  readonly amdGpus?: number;
  readonly accelerator?: { readonly name: string; readonly manufacturer: string; readonly count: number };
  readonly onDemandOnly?: boolean;
  /** Whether EC2 also sells the type as capacity blocks. @default false */
  readonly capacityBlock?: boolean;
  readonly nestedVirtualization?: boolean;
  readonly nitroEnclaves?: boolean;
  readonly enaUnsupported?: boolean;
  readonly neuron?: { readonly devices: number; readonly cores: number };
  readonly onDemandUsdPerHour?: Readonly<Record<string, number>>;
}

/** Types without published VPC limits. Their pod counts (51 and 100) match one and two interfaces with 50 addresses. */
const ADDRESSES_WHERE_UNPUBLISHED = 50;
const SCHEME = /(^[a-z]+)(-[0-9]+tb)?([0-9]+).*\./;

function networkInterfaces(type: InstanceTypeFacts): number {
  if (type.eniLimitedPods === undefined) {
    return type.defaultCardNetworkInterfaces ?? 0;
  }
  const count = (type.eniLimitedPods - 2) / (ADDRESSES_WHERE_UNPUBLISHED - 1);
  if (!Number.isInteger(count)) {
    throw new Error(`${type.instanceType}: no whole number of interfaces gives ${type.eniLimitedPods} pods`);
  }
  return count;
}

const FACTS: { readonly [K in keyof CatalogFacts]: (type: InstanceTypeFacts) => number | boolean } = {
  vcpus: (t) => t.vcpus,
  memoryMiB: (t) => t.memoryMiB,
  arm64: (t) => t.arch === 'arm64',
  nitro: (t) => t.hypervisor === 'nitro',
  nestedVirtualization: (t) => t.nestedVirtualization ?? false,
  nitroEnclaves: (t) => t.nitroEnclaves ?? false,
  ena: (t) => !t.enaUnsupported,
  spot: (t) => !t.onDemandOnly,
  capacityBlock: (t) => t.capacityBlock ?? false,
  vpcLimits: (t) => t.vpcLimits ?? t.eniLimitedPods === undefined,
  // Every EFA interface has its own network card.
  networkCards: (t) => t.networkCards ?? Math.max(t.efaInterfaces ?? 0, 1),
  networkInterfaces,
  ipv4PerInterface: (t) => t.ipv4PerInterface ?? ADDRESSES_WHERE_UNPUBLISHED,
  branchInterfaces: (t) => t.branchInterfaces ?? 0,
  efaInterfaces: (t) => t.efaInterfaces ?? 0,
  ebsAttachments: (t) => t.ebsAttachments ?? 0,
  ebsAttachmentsShared: (t) => t.ebsAttachmentsShared ?? false,
  instanceStoreGB: (t) => t.localNvmeGB ?? t.otherInstanceStoreGB ?? 0,
  nvidiaGpus: (t) => t.nvidiaGpus ?? 0,
  amdGpus: (t) => t.amdGpus ?? 0,
  neuronDevices: (t) => t.neuron?.devices ?? 0,
  neuronCores: (t) => t.neuron?.cores ?? 0,
};

const LABELS: Readonly<Record<string, (type: InstanceTypeFacts) => string | number | boolean | undefined>> = {
  'kubernetes.io/arch': (t) => t.arch,
  'karpenter.k8s.aws/instance-category': (t) => SCHEME.exec(t.instanceType)?.[1],
  'karpenter.k8s.aws/instance-family': (t) => t.instanceType.split('.')[0],
  'karpenter.k8s.aws/instance-generation': (t) => SCHEME.exec(t.instanceType)?.[3],
  'karpenter.k8s.aws/instance-size': (t) => t.instanceType.split('.')[1],
  'karpenter.k8s.aws/instance-capability-flex': (t) => t.instanceType.split('.')[0].includes('-flex'),
  'karpenter.k8s.aws/instance-hypervisor': (t) => t.hypervisor,
  'karpenter.k8s.aws/instance-encryption-in-transit-supported': (t) => t.encryptionInTransitSupported,
  'karpenter.k8s.aws/instance-cpu': (t) => t.vcpus,
  'karpenter.k8s.aws/instance-cpu-manufacturer': (t) => t.cpuManufacturer,
  'karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz': (t) => t.sustainedClockSpeedMhz,
  'karpenter.k8s.aws/instance-memory': (t) => t.memoryMiB,
  'karpenter.k8s.aws/instance-ebs-bandwidth': (t) => t.ebsBandwidthMbps,
  'karpenter.k8s.aws/instance-network-bandwidth': (t) => t.networkBandwidthMbps,
  'karpenter.k8s.aws/instance-local-nvme': (t) => t.localNvmeGB,
  'karpenter.k8s.aws/instance-gpu-name': (t) => t.gpu?.name,
  'karpenter.k8s.aws/instance-gpu-manufacturer': (t) => t.gpu?.manufacturer,
  'karpenter.k8s.aws/instance-gpu-count': (t) => t.gpu?.count,
  'karpenter.k8s.aws/instance-gpu-memory': (t) => t.gpu?.memoryMiB,
  'karpenter.k8s.aws/instance-accelerator-name': (t) => t.accelerator?.name,
  'karpenter.k8s.aws/instance-accelerator-manufacturer': (t) => t.accelerator?.manufacturer,
  'karpenter.k8s.aws/instance-accelerator-count': (t) => t.accelerator?.count,
};

function labelColumn(key: string, types: readonly InstanceTypeFacts[]): CatalogLabel {
  const byType = types.map(LABELS[key]).map((value) => (value === undefined ? undefined : String(value)));
  const values = [...new Set(byType.filter((value) => value !== undefined))].sort();
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return { key, values, codes: byType.map((value) => (value === undefined ? -1 : codeOf.get(value)!)) };
}

/** The columns of the catalogue, from one row for each instance type. */
export function catalogColumns(types: readonly InstanceTypeFacts[]): CatalogFile {
  return {
    names: types.map((type) => type.instanceType),
    facts: Object.fromEntries(
      Object.entries(FACTS).map(([name, fact]) => [name, types.map((type) => Number(fact(type)))]),
    ) as unknown as CatalogFacts,
    labels: Object.keys(LABELS).map((key) => labelColumn(key, types)),
  };
}

/** Names of the columns of `CatalogFile.facts`. */
export const FACT_NAMES: readonly string[] = Object.keys(FACTS);

/** Keys of `CatalogFile.labels`. */
export const LABEL_KEYS: readonly string[] = Object.keys(LABELS);
