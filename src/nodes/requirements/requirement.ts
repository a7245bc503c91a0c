import { BooleanRequirement, CustomRequirement, IntegerRequirement, TextRequirement } from './label-requirement';
import {
  ArchitectureRequirement, CapacityReservationTypeRequirement, CapacityTypeRequirement, CpuManufacturerRequirement, InstanceCategoryRequirement,
  InstanceFamilyRequirement, InstanceHypervisorRequirement, InstanceSizeRequirement, NodePoolRequirement,
  OperatingSystemRequirement, TenancyRequirement, ZoneIdRequirement, ZoneRequirement,
} from './value-requirement';
import { Label } from '../../model';

/**
 * Limits which nodes a NodePool may launch, or which instance types a NodeOverlay applies to, by a label of the node:
 * `Requirement.instanceCategory().in(InstanceCategory.C)`.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#well-known-labels
 */
export class Requirement {
  /** Capacity type: spot, on-demand or reserved. */
  public static capacityType(): CapacityTypeRequirement { return new CapacityTypeRequirement(Label.CAPACITY_TYPE); }

  /** Processor architecture. */
  public static architecture(): ArchitectureRequirement { return new ArchitectureRequirement(Label.ARCH); }

  /** Operating system of the node. */
  public static operatingSystem(): OperatingSystemRequirement { return new OperatingSystemRequirement(Label.OS); }

  /** Build of Windows Server, such as `10.0.20348`. */
  public static windowsBuild(): TextRequirement { return new TextRequirement(Label.WINDOWS_BUILD); }

  /** AWS region, such as `us-east-1`. */
  public static region(): TextRequirement { return new TextRequirement(Label.REGION); }

  /** Availability zone by its name, such as `us-east-1a`. */
  public static zone(): ZoneRequirement { return new ZoneRequirement(Label.ZONE); }

  /** Availability zone by its id, such as `use1-az1`. */
  public static zoneId(): ZoneIdRequirement { return new ZoneIdRequirement(Label.ZONE_ID); }

  /** Whether the hardware is shared with other accounts. */
  public static tenancy(): TenancyRequirement { return new TenancyRequirement(Label.INSTANCE_TENANCY); }

  /** Id of the capacity reservation, such as `cr-0123456789abcdef0`. */
  public static capacityReservationId(): TextRequirement { return new TextRequirement(Label.CAPACITY_RESERVATION_ID); }

  /** Kind of the capacity reservation. */
  public static capacityReservationType(): CapacityReservationTypeRequirement {
    return new CapacityReservationTypeRequirement(Label.CAPACITY_RESERVATION_TYPE);
  }

  /** Whether the owner of the capacity reservation can reclaim the capacity. */
  public static capacityReservationInterruptible(): BooleanRequirement { return new BooleanRequirement(Label.CAPACITY_RESERVATION_INTERRUPTIBLE); }

  /** Id of the placement group, such as `pg-0123456789abcdef0`. */
  public static placementGroupId(): TextRequirement { return new TextRequirement(Label.PLACEMENT_GROUP_ID); }

  /** Number of the partition within the placement group. */
  public static placementGroupPartition(): IntegerRequirement { return new IntegerRequirement(Label.PLACEMENT_GROUP_PARTITION); }

  /** Instance type, such as `m7g.large`. With few types, launches fail more often when capacity is scarce. */
  public static instanceType(): TextRequirement { return new TextRequirement(Label.INSTANCE_TYPE); }

  /** The letters that instance types begin with, such as `m`. */
  public static instanceCategory(): InstanceCategoryRequirement { return new InstanceCategoryRequirement(Label.INSTANCE_CATEGORY); }

  /** The part of the instance type before the dot, such as `m7g`. */
  public static instanceFamily(): InstanceFamilyRequirement { return new InstanceFamilyRequirement(Label.INSTANCE_FAMILY); }

  /** The number in the family's name: 7 for `m7g`. */
  public static instanceGeneration(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_GENERATION); }

  /** The part of the instance type after the dot, such as `2xlarge`. */
  public static instanceSize(): InstanceSizeRequirement { return new InstanceSizeRequirement(Label.INSTANCE_SIZE); }

  /**
   * Whether the family is a flex one, such as `m7i-flex`, which at times provides less than its full CPU performance.
   */
  public static instanceCapabilityFlex(): BooleanRequirement { return new BooleanRequirement(Label.INSTANCE_CAPABILITY_FLEX); }

  /** Hypervisor under the instance. Bare metal has none. */
  public static instanceHypervisor(): InstanceHypervisorRequirement { return new InstanceHypervisorRequirement(Label.INSTANCE_HYPERVISOR); }

  /** Whether network traffic between such instances is encrypted. */
  public static instanceEncryptionInTransitSupported(): BooleanRequirement {
    return new BooleanRequirement(Label.INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED);
  }

  /** Number of vCPUs. */
  public static instanceCpu(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_CPU); }

  /** Manufacturer of the processor. */
  public static instanceCpuManufacturer(): CpuManufacturerRequirement { return new CpuManufacturerRequirement(Label.INSTANCE_CPU_MANUFACTURER); }

  /** Sustained clock speed of the processor in MHz. */
  public static instanceCpuSustainedClockSpeedMhz(): IntegerRequirement {
    return new IntegerRequirement(Label.INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ);
  }

  /** Memory in MiB. */
  public static instanceMemory(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_MEMORY); }

  /** Baseline network bandwidth in Mbit/s. */
  public static instanceNetworkBandwidth(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_NETWORK_BANDWIDTH); }

  /** Bandwidth to EBS in Mbit/s. */
  public static instanceEbsBandwidth(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_EBS_BANDWIDTH); }

  /** Local NVMe storage in GB. Instance types without such storage do not have the label. */
  public static instanceLocalNvme(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_LOCAL_NVME); }

  /** Name of the graphics processor, such as `l4`. */
  public static instanceGpuName(): TextRequirement { return new TextRequirement(Label.INSTANCE_GPU_NAME); }

  /** Manufacturer of the graphics processor, such as `nvidia`. */
  public static instanceGpuManufacturer(): TextRequirement { return new TextRequirement(Label.INSTANCE_GPU_MANUFACTURER); }

  /** Number of graphics processors. */
  public static instanceGpuCount(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_GPU_COUNT); }

  /** Memory of one graphics processor in MiB. */
  public static instanceGpuMemory(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_GPU_MEMORY); }

  /** Name of the accelerator, such as `inferentia`. */
  public static instanceAcceleratorName(): TextRequirement { return new TextRequirement(Label.INSTANCE_ACCELERATOR_NAME); }

  /** Manufacturer of the accelerator, such as `aws`. */
  public static instanceAcceleratorManufacturer(): TextRequirement { return new TextRequirement(Label.INSTANCE_ACCELERATOR_MANUFACTURER); }

  /** Number of accelerators. */
  public static instanceAcceleratorCount(): IntegerRequirement { return new IntegerRequirement(Label.INSTANCE_ACCELERATOR_COUNT); }

  /** NodePool of the node. For NodeOverlays only: a NodePool cannot require itself. */
  public static nodePool(): NodePoolRequirement { return new NodePoolRequirement(Label.NODE_POOL); }

  /**
   * Any other label: one of your own, or a well-known one that has no method here.
   *
   * @param key such as `example.com/team`
   */
  public static of(key: string): CustomRequirement { return new CustomRequirement(key); }

  private constructor() {}
}
