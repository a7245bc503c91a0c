/** Values of well-known node labels. AWS and Karpenter may add values at any time, so each class has a method `of`. */

/**
 * Capacity type of a node: spot, on-demand or reserved.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
 */
export class CapacityType {
  /** Spare capacity, which EC2 can interrupt with two minutes' notice. */
  public static readonly SPOT = new CapacityType('spot');
  /** Capacity at the list price, which EC2 does not interrupt. */
  public static readonly ON_DEMAND = new CapacityType('on-demand');
  /** Capacity of an EC2 reservation that the node class selects. */
  public static readonly RESERVED = new CapacityType('reserved');

  /** A capacity type that has no constant here yet. */
  public static of(value: string): CapacityType {
    return new CapacityType(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Processor architecture: a value of the label `kubernetes.io/arch`.
 */
export class Architecture {
  /** 64-bit x86, which EC2 calls x86_64. */
  public static readonly AMD64 = new Architecture('amd64');
  /** 64-bit Arm: AWS Graviton. */
  public static readonly ARM64 = new Architecture('arm64');

  /** An architecture that has no constant here yet. */
  public static of(value: string): Architecture {
    return new Architecture(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Operating system of the node: a value of the label `kubernetes.io/os`.
 */
export class OperatingSystem {
  /** All AMI families except those of Windows. */
  public static readonly LINUX = new OperatingSystem('linux');
  /** The AMI families Windows2019, Windows2022 and Windows2025. */
  public static readonly WINDOWS = new OperatingSystem('windows');

  /** An operating system that has no constant here yet. */
  public static of(value: string): OperatingSystem {
    return new OperatingSystem(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Hypervisor under the instance. Bare metal has none.
 */
export class InstanceHypervisor {
  /** The hypervisor of all newer instance types. */
  public static readonly NITRO = new InstanceHypervisor('nitro');
  /** The hypervisor of older generations, such as t2 and m4. */
  public static readonly XEN = new InstanceHypervisor('xen');

  /** A hypervisor that has no constant here yet. */
  public static of(value: string): InstanceHypervisor {
    return new InstanceHypervisor(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Manufacturer of the processor.
 */
export class CpuManufacturer {
  /** AMD. */
  public static readonly AMD = new CpuManufacturer('amd');
  /** AWS: the Graviton processors. */
  public static readonly AWS = new CpuManufacturer('aws');
  /** Intel. */
  public static readonly INTEL = new CpuManufacturer('intel');

  /** A manufacturer that has no constant here yet. */
  public static of(value: string): CpuManufacturer {
    return new CpuManufacturer(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Whether instances of other AWS accounts may run on the same hardware.
 */
export class Tenancy {
  /** Shared hardware. */
  public static readonly DEFAULT = new Tenancy('default');
  /** Hardware that only this account uses, at a higher price. */
  public static readonly DEDICATED = new Tenancy('dedicated');

  /** A tenancy that has no constant here yet. */
  public static of(value: string): Tenancy {
    return new Tenancy(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Kind of EC2 capacity reservation.
 */
export class CapacityReservationType {
  /** On-demand capacity that is kept until the reservation is cancelled. */
  public static readonly DEFAULT = new CapacityReservationType('default');
  /** Accelerated instances that were bought in advance for a fixed period. */
  public static readonly CAPACITY_BLOCK = new CapacityReservationType('capacity-block');

  /** A kind of reservation that has no constant here yet. */
  public static of(value: string): CapacityReservationType {
    return new CapacityReservationType(value);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}
