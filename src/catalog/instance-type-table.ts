/** A label of every instance type, dictionary-coded. */
export interface LabelColumn {
  readonly key: string;
  /** The distinct values; a code is an index into them. */
  readonly values: readonly string[];
  /** Per type: the code of its one value, or -1 where the type has none (DoesNotExist). Used where `sets` is absent. */
  readonly codes: Int16Array;
  /**
   * Only for labels with several values a type (zone, capacity type, tenancy, capacity reservation …): per type a bit set of codes, of as many
   * words as all values take; none is DoesNotExist. `carrierOf` reads it.
   */
  readonly sets?: Uint32Array;
}

/** What an offering of reserved capacity is launched into. */
export interface Reservation {
  readonly id: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
  /** Instances that can still be launched into it. */
  readonly free: number;
}

/** One zone and capacity type, over all instance types. */
export interface OfferingPlane {
  readonly zone: string;
  /** Which zone has which id differs by account. @default - not known */
  readonly zoneId?: string;
  readonly capacityType: string;
  /** Of a placement group that has any. */
  readonly partition?: string;
  /** USD per hour by type, NaN where the offering is not available. */
  readonly usdPerHour: Float64Array;
  /** Present where the capacity type is `reserved`: then only one instance type is offered. */
  readonly reservation?: Reservation;
}

/**
 * Every instance type as Karpenter resolves it for one node class: columns, not objects, so that 1,363 types load in
 * milliseconds and go to the kernel as they are.
 */
export interface InstanceTypeTable {
  readonly names: readonly string[];
  /** Names of the resource columns below. */
  readonly resources: readonly string[];
  /** `[resource][type]`, in canonical integer units: cpu in millicores, memory and ephemeral-storage in bytes, the rest counts. */
  readonly capacity: readonly Float64Array[];
  /** As `capacity`; a value may be negative, and such a type fits no pod. */
  readonly allocatable: readonly Float64Array[];
  readonly labels: readonly LabelColumn[];
  readonly offerings: readonly OfferingPlane[];
  /** Whether the node class names the network interfaces that each node has. @default false */
  readonly namesInterfaces?: boolean;
  /** 1 for each type that a NodeOverlay sets a price of. @default - none has */
  readonly priceOverlaid?: Uint8Array;
}
