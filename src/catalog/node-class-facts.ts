import { KubeletExpression, ResourceList } from '../model';

/** The kubelet settings of a node class that decide what a node can allocate. */
export interface KubeletFacts {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  /** Replaces Karpenter's default key by key. */
  readonly kubeReserved?: ResourceList;
  readonly systemReserved?: ResourceList;
  /** What of these follows from the instance type. */
  readonly expressions?: KubeletExpressionFacts;
  /** Only `memory.available` and `nodefs.available` matter: a percentage or a quantity, as written. */
  readonly evictionHard?: Readonly<Record<string, string>>;
}

/** `maxPods` first: the others may name what comes of it. */
export interface KubeletExpressionFacts {
  readonly maxPods?: KubeletExpression;
  readonly kubeReserved: ReadonlyMap<string, KubeletExpression>;
  readonly systemReserved: ReadonlyMap<string, KubeletExpression>;
}

export interface BlockDeviceFacts {
  readonly deviceName: string;
  readonly rootVolume?: boolean;
  /** Absent where the mapping only names a snapshot. */
  readonly volumeSizeBytes?: bigint;
}

/** An EC2NodeClass's AMI family. A name that Karpenter does not know behaves as AL2. */
export type AmiFamily = 'AL2' | 'AL2023' | 'Bottlerocket' | 'Custom' | 'Windows2019' | 'Windows2022' | 'Windows2025';

export interface NetworkInterfaceFacts {
  readonly networkCardIndex: number;
  readonly deviceIndex: number;
  readonly interfaceType: 'interface' | 'efa-only';
}

/** An EC2 capacity reservation that an EC2NodeClass has found by its selectors. */
export interface ReservationFacts {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
  /** Whether EC2 is about to take it back: then nothing is launched into it. */
  readonly expiring: boolean;
  /** Whether Karpenter knows of it as of a label only: its gate for reserved capacity is closed. @default false */
  readonly gated?: boolean;
  /** Instances that can still be launched into it. @default - nobody has counted them: enough for every node */
  readonly free?: number;
}

/** The EC2 placement group that an EC2NodeClass has found by its selector. */
export interface PlacementGroupFacts {
  readonly id: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  /** Of the strategy `partition`; 0 for the others. */
  readonly partitions: number;
}

/** An instance type as EC2 sells it. */
export interface OfferingKey {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
}

/** What of an EC2NodeClass decides what its instance types look like. */
export interface NodeClassFacts {
  readonly name: string;
  readonly amiFamily: AmiFamily;
  readonly kubelet?: KubeletFacts;
  readonly blockDevices?: readonly BlockDeviceFacts[];
  readonly instanceStoreRaid0?: boolean;
  readonly networkInterfaces?: readonly NetworkInterfaceFacts[];
  /** True where `cpuOptions.nestedVirtualization` is `enabled`. */
  readonly nestedVirtualization?: boolean;
  /** True where `enclaveOptions.enabled` is. */
  readonly nitroEnclaves?: boolean;
  /** True where `connectionTracking` is present, whatever it holds. */
  readonly connectionTracking?: boolean;
  /** Those that its subnets are in. @default - all zones of the catalogue */
  readonly zones?: readonly string[];
  /** @default - none */
  readonly reservations?: readonly ReservationFacts[];
  /** @default - none */
  readonly placementGroup?: PlacementGroupFacts;
  /** What Karpenter does not try for the time being. @default - none */
  readonly unavailable?: readonly OfferingKey[];
}

/** AL2023 with nothing configured: what the published reference describes. */
export const DEFAULT_NODE_CLASS: NodeClassFacts = { name: 'default', amiFamily: 'AL2023' };
