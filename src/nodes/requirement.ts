import { Label, Operator } from '../model';
import { InstanceCategory } from './instance-category';
import { Architecture, CapacityType, CpuManufacturer, InstanceHypervisor, OperatingSystem } from './label-values';

/**
 * Narrows what a NodePool may launch, by a label of the node: `Requirement.instanceCategory().in(InstanceCategory.C)`.
 *
 * All requirements of a NodePool hold together, and those of its pods besides.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
 */
export class Requirement {
  /** Price model: spot, on demand or reserved. */
  public static capacityType(): CapacityTypeRequirement { return new CapacityTypeRequirement(Label.CAPACITY_TYPE); }

  /** Processor architecture. */
  public static architecture(): ArchitectureRequirement { return new ArchitectureRequirement(Label.ARCH); }

  /** Operating system of the node. */
  public static operatingSystem(): OperatingSystemRequirement { return new OperatingSystemRequirement(Label.OS); }

  /** Name of the availability zone, such as `us-east-1a`. The same name is another place in another account. */
  public static zone(): TextRequirement { return new TextRequirement(Label.ZONE); }

  /** Id of the availability zone, such as `use1-az1`: the same place in every account. */
  public static zoneId(): TextRequirement { return new TextRequirement(Label.ZONE_ID); }

  /** Instance type, such as `m7g.large`. Naming few of them leaves EC2 little choice where capacity is scarce. */
  public static instanceType(): TextRequirement { return new TextRequirement(Label.INSTANCE_TYPE); }

  /** The letters that instance types begin with, such as `m`. */
  public static instanceCategory(): InstanceCategoryRequirement { return new InstanceCategoryRequirement(Label.INSTANCE_CATEGORY); }

  /** The part of the instance type before the dot, such as `m7g`. */
  public static instanceFamily(): TextRequirement { return new TextRequirement(Label.INSTANCE_FAMILY); }

  /** The number in the family's name: 7 for `m7g`. */
  public static instanceGeneration(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_GENERATION); }

  /** The part of the instance type after the dot, such as `2xlarge`. */
  public static instanceSize(): TextRequirement { return new TextRequirement(Label.INSTANCE_SIZE); }

  /** Hypervisor under the instance; bare metal has none. */
  public static instanceHypervisor(): InstanceHypervisorRequirement { return new InstanceHypervisorRequirement(Label.INSTANCE_HYPERVISOR); }

  /** Number of vCPUs. */
  public static instanceCpu(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_CPU); }

  /** Maker of the processor. */
  public static instanceCpuManufacturer(): CpuManufacturerRequirement { return new CpuManufacturerRequirement(Label.INSTANCE_CPU_MANUFACTURER); }

  /** Memory in MiB. */
  public static instanceMemory(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_MEMORY); }

  /** Baseline network bandwidth in Mbit/s. */
  public static instanceNetworkBandwidth(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_NETWORK_BANDWIDTH); }

  /** Bandwidth to EBS in Mbit/s. */
  public static instanceEbsBandwidth(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_EBS_BANDWIDTH); }

  /** Local NVMe storage in GB; instance types without any do not have the label. */
  public static instanceLocalNvme(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_LOCAL_NVME); }

  /** Name of the graphics processor, such as `l4`. */
  public static instanceGpuName(): TextRequirement { return new TextRequirement(Label.INSTANCE_GPU_NAME); }

  /** Number of graphics processors. */
  public static instanceGpuCount(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_GPU_COUNT); }

  /**
   * Any other label: one of your own, or a well-known one that has no method here.
   *
   * @param key such as `example.com/team`
   */
  public static of(key: string): CustomRequirement { return new CustomRequirement(key); }

  /** @internal */
  public static _from(key: string, operator: Operator, values?: readonly string[]): Requirement {
    return new Requirement(key, operator, values);
  }

  private constructor(
    /** The label that is asked for. */
    public readonly key: string,
    private readonly comparison: Operator,
    private readonly operands?: readonly string[],
    private readonly minValues?: number,
  ) {}

  /**
   * The same requirement, which also asks that this many different values stay to choose from.
   *
   * @param count from 1 to 50, and not above the number of values where they are listed
   * @see https://karpenter.sh/docs/concepts/nodepools/#min-values
   */
  public withMinValues(count: number): Requirement {
    return new Requirement(this.key, this.comparison, this.operands, count);
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { key, comparison: operator, operands, minValues } = this;
    return { key, operator, values: operands && [...operands], minValues };
  }
}

/**
 * A label of which something is asked: the first half of a requirement.
 */
export abstract class LabelRequirement {
  public constructor(
    /** The label. */
    public readonly key: string,
  ) {}

  /** The node must have the label, whatever its value. */
  public exists(): Requirement { return Requirement._from(this.key, 'Exists'); }

  /** The node must not have the label. */
  public doesNotExist(): Requirement { return Requirement._from(this.key, 'DoesNotExist'); }
}

/**
 * A label with texts for values.
 */
export class TextRequirement extends LabelRequirement {
  /** The label must have one of these values. */
  public in(...values: string[]): Requirement { return Requirement._from(this.key, 'In', values); }

  /** The label must have none of these values. A node without the label fits too. */
  public notIn(...values: string[]): Requirement { return Requirement._from(this.key, 'NotIn', values); }
}

/**
 * A label with whole numbers for values.
 */
export class IntegerRequirement extends LabelRequirement {
  /** The label must have one of these values. */
  public in(...values: number[]): Requirement { return Requirement._from(this.key, 'In', this.toTexts(values)); }

  /** The label must have none of these values. */
  public notIn(...values: number[]): Requirement { return Requirement._from(this.key, 'NotIn', this.toTexts(values)); }

  /** The value must be above this one: `Gt`. */
  public greaterThan(value: number): Requirement { return Requirement._from(this.key, 'Gt', [String(value)]); }

  /** The value must be this one or above: `Gte`. */
  public greaterThanOrEqual(value: number): Requirement { return Requirement._from(this.key, 'Gte', [String(value)]); }

  /** The value must be below this one: `Lt`. */
  public lessThan(value: number): Requirement { return Requirement._from(this.key, 'Lt', [String(value)]); }

  /** The value must be this one or below: `Lte`. */
  public lessThanOrEqual(value: number): Requirement { return Requirement._from(this.key, 'Lte', [String(value)]); }

  /** `4.5` would be a well-formed label value, which no node has. */
  private toTexts(values: readonly number[]): string[] {
    const fraction = values.find((value) => !Number.isSafeInteger(value));
    if (fraction !== undefined) throw new Error(`${this.key}: must be compared with whole numbers, got ${fraction}; write for example 4`);
    return values.map(String);
  }
}

/**
 * A label that this package knows nothing about.
 */
export class CustomRequirement extends TextRequirement {
  /** The value must be a whole number above this one: `Gt`. */
  public greaterThan(value: number): Requirement { return Requirement._from(this.key, 'Gt', [String(value)]); }

  /** The value must be a whole number, this one or above: `Gte`. */
  public greaterThanOrEqual(value: number): Requirement { return Requirement._from(this.key, 'Gte', [String(value)]); }

  /** The value must be a whole number below this one: `Lt`. */
  public lessThan(value: number): Requirement { return Requirement._from(this.key, 'Lt', [String(value)]); }

  /** The value must be a whole number, this one or below: `Lte`. */
  public lessThanOrEqual(value: number): Requirement { return Requirement._from(this.key, 'Lte', [String(value)]); }
}

/**
 * The capacity type of the node.
 */
export class CapacityTypeRequirement extends LabelRequirement {
  /** It must be one of these. */
  public in(...values: CapacityType[]): Requirement { return Requirement._from(this.key, 'In', values.map((v) => v.value)); }

  /** It must be none of these. */
  public notIn(...values: CapacityType[]): Requirement { return Requirement._from(this.key, 'NotIn', values.map((v) => v.value)); }
}

/**
 * The processor architecture of the node.
 */
export class ArchitectureRequirement extends LabelRequirement {
  /** It must be one of these. */
  public in(...values: Architecture[]): Requirement { return Requirement._from(this.key, 'In', values.map((v) => v.value)); }

  /** It must be none of these. */
  public notIn(...values: Architecture[]): Requirement { return Requirement._from(this.key, 'NotIn', values.map((v) => v.value)); }
}

/**
 * The operating system of the node.
 */
export class OperatingSystemRequirement extends LabelRequirement {
  /** It must be one of these. */
  public in(...values: OperatingSystem[]): Requirement { return Requirement._from(this.key, 'In', values.map((v) => v.value)); }

  /** It must be none of these. */
  public notIn(...values: OperatingSystem[]): Requirement { return Requirement._from(this.key, 'NotIn', values.map((v) => v.value)); }
}

/**
 * The category of the instance type of the node.
 */
export class InstanceCategoryRequirement extends LabelRequirement {
  /** It must be one of these. */
  public in(...values: InstanceCategory[]): Requirement { return Requirement._from(this.key, 'In', values.map((v) => v.value)); }

  /** It must be none of these. */
  public notIn(...values: InstanceCategory[]): Requirement { return Requirement._from(this.key, 'NotIn', values.map((v) => v.value)); }
}

/**
 * The hypervisor of the node.
 */
export class InstanceHypervisorRequirement extends LabelRequirement {
  /** It must be one of these. */
  public in(...values: InstanceHypervisor[]): Requirement { return Requirement._from(this.key, 'In', values.map((v) => v.value)); }

  /** It must be none of these. */
  public notIn(...values: InstanceHypervisor[]): Requirement { return Requirement._from(this.key, 'NotIn', values.map((v) => v.value)); }
}

/**
 * The maker of the processor of the node.
 */
export class CpuManufacturerRequirement extends LabelRequirement {
  /** It must be one of these. */
  public in(...values: CpuManufacturer[]): Requirement { return Requirement._from(this.key, 'In', values.map((v) => v.value)); }

  /** It must be none of these. */
  public notIn(...values: CpuManufacturer[]): Requirement { return Requirement._from(this.key, 'NotIn', values.map((v) => v.value)); }
}
