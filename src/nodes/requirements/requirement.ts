// biome-ignore-all format: a table of labels, one a line
import { InstanceCategory } from './instance-category';
import { InstanceFamily } from './instance-family';
import { InstanceSize } from './instance-size';
import { Architecture, CapacityReservationType, CapacityType, CpuManufacturer, InstanceHypervisor, OperatingSystem, Tenancy } from './label-values';
import { Label, Operator, shownNumber } from '../../model';
import { INodePool } from '../node-pool-ref';
import { Zone, ZoneId } from './zone';
import { requireWhole } from '../private/call-checks';
import { toText } from '../private/lowering';

/**
 * A requirement on a label of a node: it limits which nodes a NodePool may launch, or which instance types a
 * NodeOverlay applies to. The method names the label, and a method of the label adds the operator and the values:
 * `Requirement.instanceCategory().in(InstanceCategory.C)`.
 *
 * A node must satisfy all requirements of its NodePool and of its pods.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
 */
export class Requirement {
  /** Capacity type: spot, on-demand or reserved. */
  public static capacityType(): CapacityTypeLabel { return new CapacityTypeLabel(Label.CAPACITY_TYPE); }

  /** Processor architecture. */
  public static architecture(): ArchitectureLabel { return new ArchitectureLabel(Label.ARCH); }

  /** Operating system of the node. */
  public static operatingSystem(): OperatingSystemLabel { return new OperatingSystemLabel(Label.OS); }

  /** Build of Windows Server, such as `10.0.20348`. */
  public static windowsBuild(): TextLabel { return new TextLabel(Label.WINDOWS_BUILD); }

  /** AWS region, such as `us-east-1`. */
  public static region(): TextLabel { return new TextLabel(Label.REGION); }

  /** Availability zone by its name, such as `us-east-1a`. */
  public static zone(): ZoneLabel { return new ZoneLabel(Label.ZONE); }

  /** Availability zone by its id, such as `use1-az1`. */
  public static zoneId(): ZoneIdLabel { return new ZoneIdLabel(Label.ZONE_ID); }

  /** Whether the hardware is shared with other accounts. */
  public static tenancy(): TenancyLabel { return new TenancyLabel(Label.INSTANCE_TENANCY); }

  /** Id of the capacity reservation, such as `cr-0123456789abcdef0`. */
  public static capacityReservationId(): TextLabel { return new TextLabel(Label.CAPACITY_RESERVATION_ID); }

  /** Kind of the capacity reservation. */
  public static capacityReservationType(): CapacityReservationTypeLabel {
    return new CapacityReservationTypeLabel(Label.CAPACITY_RESERVATION_TYPE);
  }

  /** Whether the owner of the capacity reservation can reclaim the capacity. */
  public static capacityReservationInterruptible(): BooleanLabel { return new BooleanLabel(Label.CAPACITY_RESERVATION_INTERRUPTIBLE); }

  /** Id of the placement group, such as `pg-0123456789abcdef0`. */
  public static placementGroupId(): TextLabel { return new TextLabel(Label.PLACEMENT_GROUP_ID); }

  /** Number of the partition within the placement group. */
  public static placementGroupPartition(): IntegerLabel { return new IntegerLabel(Label.PLACEMENT_GROUP_PARTITION); }

  /** Instance type, such as `m7g.large`. With few types, launches fail more often when capacity is scarce. */
  public static instanceType(): TextLabel { return new TextLabel(Label.INSTANCE_TYPE); }

  /** The letters that instance types begin with, such as `m`. */
  public static instanceCategory(): InstanceCategoryLabel { return new InstanceCategoryLabel(Label.INSTANCE_CATEGORY); }

  /** The part of the instance type before the dot, such as `m7g`. */
  public static instanceFamily(): InstanceFamilyLabel { return new InstanceFamilyLabel(Label.INSTANCE_FAMILY); }

  /** The number in the family's name: 7 for `m7g`. */
  public static instanceGeneration(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_GENERATION); }

  /** The part of the instance type after the dot, such as `2xlarge`. */
  public static instanceSize(): InstanceSizeLabel { return new InstanceSizeLabel(Label.INSTANCE_SIZE); }

  /**
   * Whether the family is a flex one, such as `m7i-flex`, which at times provides less than its full CPU performance.
   */
  public static instanceCapabilityFlex(): BooleanLabel { return new BooleanLabel(Label.INSTANCE_CAPABILITY_FLEX); }

  /** Hypervisor under the instance. Bare metal has none. */
  public static instanceHypervisor(): InstanceHypervisorLabel { return new InstanceHypervisorLabel(Label.INSTANCE_HYPERVISOR); }

  /** Whether network traffic between such instances is encrypted. */
  public static instanceEncryptionInTransitSupported(): BooleanLabel {
    return new BooleanLabel(Label.INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED);
  }

  /** Number of vCPUs. */
  public static instanceCpu(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_CPU); }

  /** Manufacturer of the processor. */
  public static instanceCpuManufacturer(): CpuManufacturerLabel { return new CpuManufacturerLabel(Label.INSTANCE_CPU_MANUFACTURER); }

  /** Sustained clock speed of the processor in MHz. */
  public static instanceCpuSustainedClockSpeedMhz(): IntegerLabel {
    return new IntegerLabel(Label.INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ);
  }

  /** Memory in MiB. */
  public static instanceMemory(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_MEMORY); }

  /** Baseline network bandwidth in Mbit/s. */
  public static instanceNetworkBandwidth(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_NETWORK_BANDWIDTH); }

  /** Bandwidth to EBS in Mbit/s. */
  public static instanceEbsBandwidth(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_EBS_BANDWIDTH); }

  /** Local NVMe storage in GB. Instance types without such storage do not have the label. */
  public static instanceLocalNvme(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_LOCAL_NVME); }

  /** Name of the graphics processor, such as `l4`. */
  public static instanceGpuName(): TextLabel { return new TextLabel(Label.INSTANCE_GPU_NAME); }

  /** Manufacturer of the graphics processor, such as `nvidia`. */
  public static instanceGpuManufacturer(): TextLabel { return new TextLabel(Label.INSTANCE_GPU_MANUFACTURER); }

  /** Number of graphics processors. */
  public static instanceGpuCount(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_GPU_COUNT); }

  /** Memory of one graphics processor in MiB. */
  public static instanceGpuMemory(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_GPU_MEMORY); }

  /** Name of the accelerator, such as `inferentia`. */
  public static instanceAcceleratorName(): TextLabel { return new TextLabel(Label.INSTANCE_ACCELERATOR_NAME); }

  /** Manufacturer of the accelerator, such as `aws`. */
  public static instanceAcceleratorManufacturer(): TextLabel { return new TextLabel(Label.INSTANCE_ACCELERATOR_MANUFACTURER); }

  /** Number of accelerators. */
  public static instanceAcceleratorCount(): IntegerLabel { return new IntegerLabel(Label.INSTANCE_ACCELERATOR_COUNT); }

  /** NodePool of the node. For NodeOverlays only: a NodePool cannot require itself. */
  public static nodePool(): NodePoolLabel { return new NodePoolLabel(Label.NODE_POOL); }

  /**
   * Any other label: one of your own, or a well-known one that has no method here.
   *
   * @param key such as `example.com/team`
   */
  public static of(key: string): CustomLabel { return new CustomLabel(key); }

  /** @internal */
  public static _from(key: string, operator: Operator, values?: readonly string[]): Requirement {
    return new Requirement(key, operator, values);
  }

  private constructor(
    /** Key of the label. */
    public readonly key: string,
    private readonly comparison: Operator,
    private readonly operands?: readonly string[],
    private readonly minValues?: number,
  ) {}

  /**
   * The same requirement with `minValues`: at least this many different values must stay available for the launch. Only
   * for NodePools.
   *
   * @param count from 1 to 50, and at most the number of listed values
   * @throws Error if it is out of range
   * @see https://karpenter.sh/docs/concepts/nodepools/#min-values
   */
  public withMinValues(count: number): Requirement {
    requireWhole('Requirement.withMinValues', count, 1, 50);
    return new Requirement(this.key, this.comparison, this.operands, count);
  }

  /**
   * The allowed values of `key`. Undefined if the requirement does not list values of `key`.
   *
   * @internal
   */
  public _valuesIn(key: string): readonly string[] | undefined {
    return this.key === key && this.comparison === 'In' ? this.operands ?? [] : undefined;
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { key, comparison: operator, operands, minValues } = this;
    return { key, operator, values: operands && [...operands], minValues };
  }
}

// The labels are in the file of Requirement, because each needs the other.

/** A label of a node. Its methods add the operator and the values of a requirement. */
export abstract class NodeLabel {
  public constructor(
    /** The label. */
    public readonly key: string,
  ) {}

  /** The node must have the label, with any value. */
  public exists(): Requirement { return Requirement._from(this.key, 'Exists'); }

  /** The node must not have the label. */
  public doesNotExist(): Requirement { return Requirement._from(this.key, 'DoesNotExist'); }
}

/** A label with strings as values. */
export class TextLabel extends NodeLabel {
  /** The label must have one of these values. */
  public in(...values: string[]): Requirement { return Requirement._from(this.key, 'In', values); }

  /** The label must have none of these values. A node without the label fits too. */
  public notIn(...values: string[]): Requirement { return Requirement._from(this.key, 'NotIn', values); }
}

/** A label that is `true` or `false`. */
export class BooleanLabel extends NodeLabel {
  /** The label must be `true`. */
  public isTrue(): Requirement { return Requirement._from(this.key, 'In', ['true']); }

  /** The label must be `false`. */
  public isFalse(): Requirement { return Requirement._from(this.key, 'In', ['false']); }
}

/** A label with whole numbers as values. */
export class IntegerLabel extends NodeLabel {
  /** The label must have one of these values. */
  public in(...values: number[]): Requirement { return Requirement._from(this.key, 'In', this.toTexts(values)); }

  /** The label must have none of these values. A node without the label fits too. */
  public notIn(...values: number[]): Requirement { return Requirement._from(this.key, 'NotIn', this.toTexts(values)); }

  /** The value must be greater than `value`: `Gt`. */
  public greaterThan(value: number): Requirement { return compare(this.key, 'Gt', value); }

  /** The value must be `value` or greater: `Gte`. */
  public greaterThanOrEqual(value: number): Requirement { return compare(this.key, 'Gte', value); }

  /** The value must be less than `value`: `Lt`. */
  public lessThan(value: number): Requirement { return compare(this.key, 'Lt', value); }

  /** The value must be `value` or less: `Lte`. */
  public lessThanOrEqual(value: number): Requirement { return compare(this.key, 'Lte', value); }

  /** Rejects fractions: `4.5` is a valid label value, but no node has it. */
  private toTexts(values: readonly number[]): string[] {
    const texts = values.map((value) => toText(this.key, value));
    const fraction = values.find((value) => !Number.isSafeInteger(value));
    if (fraction !== undefined) throw new Error(`${this.key}: must be compared with whole numbers, got ${shownNumber(fraction)}; write for example 4`);
    return texts;
  }
}

/** A label without a method in `Requirement`. */
export class CustomLabel extends TextLabel {
  /** The value must be a whole number greater than `value`: `Gt`. */
  public greaterThan(value: number): Requirement { return compare(this.key, 'Gt', value); }

  /** The value must be a whole number, `value` or greater: `Gte`. */
  public greaterThanOrEqual(value: number): Requirement { return compare(this.key, 'Gte', value); }

  /** The value must be a whole number less than `value`: `Lt`. */
  public lessThan(value: number): Requirement { return compare(this.key, 'Lt', value); }

  /** The value must be a whole number, `value` or less: `Lte`. */
  public lessThanOrEqual(value: number): Requirement { return compare(this.key, 'Lte', value); }
}

/** The capacity type of the node. */
export class CapacityTypeLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: CapacityType[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: CapacityType[]): Requirement { return noneOf(this.key, values); }
}

/** The kind of reservation that the node runs in. */
export class CapacityReservationTypeLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: CapacityReservationType[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: CapacityReservationType[]): Requirement { return noneOf(this.key, values); }
}

/** Whether the node shares its hardware with other accounts. */
export class TenancyLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: Tenancy[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: Tenancy[]): Requirement { return noneOf(this.key, values); }
}

/** The availability zone of the node, by its name in the account. */
export class ZoneLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: Zone[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: Zone[]): Requirement { return noneOf(this.key, values); }
}

/** The availability zone of the node, by its id. */
export class ZoneIdLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: ZoneId[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: ZoneId[]): Requirement { return noneOf(this.key, values); }
}

/** The processor architecture of the node. */
export class ArchitectureLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: Architecture[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: Architecture[]): Requirement { return noneOf(this.key, values); }
}

/** The operating system of the node. */
export class OperatingSystemLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: OperatingSystem[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: OperatingSystem[]): Requirement { return noneOf(this.key, values); }
}

/** The category of the instance type of the node. */
export class InstanceCategoryLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: InstanceCategory[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: InstanceCategory[]): Requirement { return noneOf(this.key, values); }
}

/** The family of the instance type of the node. */
export class InstanceFamilyLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: InstanceFamily[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: InstanceFamily[]): Requirement { return noneOf(this.key, values); }
}

/** The size of the instance type of the node. */
export class InstanceSizeLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: InstanceSize[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: InstanceSize[]): Requirement { return noneOf(this.key, values); }
}

/** The hypervisor of the node. */
export class InstanceHypervisorLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: InstanceHypervisor[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: InstanceHypervisor[]): Requirement { return noneOf(this.key, values); }
}

/** The manufacturer of the processor of the node. */
export class CpuManufacturerLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...values: CpuManufacturer[]): Requirement { return oneOf(this.key, values); }
  /** The node must have none of these values. */
  public notIn(...values: CpuManufacturer[]): Requirement { return noneOf(this.key, values); }
}

/** The NodePool of the node, which a NodeOverlay can require. */
export class NodePoolLabel extends NodeLabel {
  /** The node must have one of these values. */
  public in(...nodePools: INodePool[]): Requirement { return Requirement._from(this.key, 'In', nodePools.map(({ name }) => name)); }
  /** The node must have none of these values. */
  public notIn(...nodePools: INodePool[]): Requirement { return Requirement._from(this.key, 'NotIn', nodePools.map(({ name }) => name)); }
}

interface LabelValue {
  readonly value: string;
}

function oneOf(key: string, values: readonly LabelValue[]): Requirement {
  return Requirement._from(key, 'In', values.map(({ value }) => value));
}

function noneOf(key: string, values: readonly LabelValue[]): Requirement {
  return Requirement._from(key, 'NotIn', values.map(({ value }) => value));
}

function compare(key: string, operator: Operator, value: number): Requirement {
  return Requirement._from(key, operator, [toText(key, value)]);
}
