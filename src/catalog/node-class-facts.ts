import { KubeletExpression, ResourceList } from '../model';

/** The kubelet settings of a node class that determine the allocatable resources. */
export interface KubeletFacts {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  /** Replaces Karpenter's default for each given key. */
  readonly kubeReserved?: ResourceList;
  readonly systemReserved?: ResourceList;
  /** Settings that are expressions over the instance type. */
  readonly expressions?: KubeletExpressionFacts;
  /** Percentages or quantities as written. Only `memory.available` and `nodefs.available` matter. */
  readonly evictionHard?: Readonly<Record<string, string>>;
}

/** `maxPods` is evaluated first, because the others may refer to it. */
export interface KubeletExpressionFacts {
  readonly maxPods?: KubeletExpression;
  readonly kubeReserved: ReadonlyMap<string, KubeletExpression>;
  readonly systemReserved: ReadonlyMap<string, KubeletExpression>;
}

export interface BlockDeviceFacts {
  readonly deviceName: string;
  readonly rootVolume?: boolean;
  /** Absent if the mapping only names a snapshot. */
  readonly volumeSizeBytes?: bigint;
}

/** The AMI family of an EC2NodeClass. An unknown name behaves as AL2. */
export type AmiFamily = 'AL2' | 'AL2023' | 'Bottlerocket' | 'Custom' | 'Windows2019' | 'Windows2022' | 'Windows2025';

export interface NetworkInterfaceFacts {
  readonly networkCardIndex: number;
  readonly deviceIndex: number;
  readonly interfaceType: 'interface' | 'efa-only';
}

/** An EC2 capacity reservation that the selectors of an EC2NodeClass match. */
export interface ReservationFacts {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
  /** Whether the reservation is about to expire. Karpenter then launches nothing into it. */
  readonly expiring: boolean;
  /** Whether the feature gate ReservedCapacity is off: Karpenter then knows only the labels. @default false */
  readonly gated?: boolean;
  /** Instances that can still be launched into the reservation. @default - unknown; enough for every node */
  readonly free?: number;
}

/** The EC2 placement group that the selector of an EC2NodeClass matches. */
export interface PlacementGroupFacts {
  readonly id: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  /** Number of partitions for the strategy `partition`; 0 for other strategies. */
  readonly partitions: number;
}

/** An instance type as EC2 sells it. */
export interface OfferingKey {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
}

/** The fields of an EC2NodeClass that change how its instance types are resolved. */
export interface NodeClassFacts {
  readonly name: string;
  readonly amiFamily: AmiFamily;
  readonly kubelet?: KubeletFacts;
  readonly blockDevices?: readonly BlockDeviceFacts[];
  readonly instanceStoreRaid0?: boolean;
  readonly networkInterfaces?: readonly NetworkInterfaceFacts[];
  /** True if `cpuOptions.nestedVirtualization` is `enabled`. */
  readonly nestedVirtualization?: boolean;
  /** True if `enclaveOptions.enabled` is true. */
  readonly nitroEnclaves?: boolean;
  /** True if `connectionTracking` is present, with any value. */
  readonly connectionTracking?: boolean;
  /** The zones of its subnets. @default - all zones of the catalogue */
  readonly zones?: readonly string[];
  /** @default - none */
  readonly reservations?: readonly ReservationFacts[];
  /** @default - none */
  readonly placementGroup?: PlacementGroupFacts;
  /** Offerings that Karpenter currently treats as unavailable. @default - none */
  readonly unavailable?: readonly OfferingKey[];
}

/** AL2023 without further configuration, as in Karpenter's published instance type reference. */
export const DEFAULT_NODE_CLASS: NodeClassFacts = { name: 'default', amiFamily: 'AL2023' };
