/** A label of every instance type, dictionary-coded. */
export interface LabelColumn {
  readonly key: string;
  /** The distinct values; a code is an index into them. */
  readonly values: readonly string[];
  /** By type: the code of its only value, or -1 if the type has none (DoesNotExist). Used if `sets` is absent. */
  readonly codes: Int16Array;
  /**
   * Only for labels with several values for a type (zone, capacity type, tenancy, capacity reservation …). By type: a
   * bit set of codes, with as many words as all values need. An empty set means DoesNotExist. Read it with `carrierOf`.
   */
  readonly sets?: Uint32Array;
}

/** The capacity reservation of an offering. */
export interface Reservation {
  readonly id: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
  /** Instances that can still be launched into the reservation. */
  readonly free: number;
}

/** The offerings of one zone and capacity type, for all instance types. */
export interface OfferingPlane {
  readonly zone: string;
  /** The mapping of zones to ids differs between accounts. @default - unknown */
  readonly zoneId?: string;
  readonly capacityType: string;
  /** Partition of the placement group, if it has partitions. */
  readonly partition?: string;
  /** USD per hour by type, NaN if the offering is unavailable. */
  readonly usdPerHour: Float64Array;
  /** Present if the capacity type is `reserved`. Exactly one instance type is then offered. */
  readonly reservation?: Reservation;
}

/**
 * Every instance type as Karpenter resolves it for one node class. Columns instead of objects: 1,391 types load in
 * milliseconds and are passed to the kernel unchanged.
 */
export interface InstanceTypeTable {
  readonly names: readonly string[];
  /** Names of the resource columns below. */
  readonly resources: readonly string[];
  /**
   * `[resource][type]` in canonical integer units: CPU in millicores, memory and ephemeral storage in bytes, others as
   * counts.
   */
  readonly capacity: readonly Float64Array[];
  /** In the units of `capacity`. A type with a negative value fits no pod. */
  readonly allocatable: readonly Float64Array[];
  readonly labels: readonly LabelColumn[];
  readonly offerings: readonly OfferingPlane[];
  /** Whether the node class lists the network interfaces of its nodes. @default false */
  readonly namesInterfaces?: boolean;
  /** 1 for each type whose price a NodeOverlay sets. @default - none */
  readonly priceOverlaid?: Uint8Array;
}
