/**
 * Requirements on labels with enum-like values. Each kind of value has its own class, because jsii has no generics.
 */
import { InstanceCategory } from './instance-category';
import { InstanceFamily } from './instance-family';
import { InstanceSize } from './instance-size';
import { LabelRequirement } from './label-requirement';
import { Architecture, CapacityReservationType, CapacityType, CpuManufacturer, InstanceHypervisor, OperatingSystem, Tenancy } from './label-values';
import { INodePool } from '../node-pool-ref';
import { NodeRequirement } from './node-requirement';
import { Zone, ZoneId } from './zone';

/**
 * The capacity type of the node.
 */
export class CapacityTypeRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: CapacityType[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: CapacityType[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The kind of reservation that the node runs in.
 */
export class CapacityReservationTypeRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: CapacityReservationType[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: CapacityReservationType[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * Whether the node shares its hardware with other accounts.
 */
export class TenancyRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: Tenancy[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: Tenancy[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The availability zone of the node, by its name in the account.
 */
export class ZoneRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: Zone[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: Zone[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The availability zone of the node, by its id.
 */
export class ZoneIdRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: ZoneId[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: ZoneId[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The processor architecture of the node.
 */
export class ArchitectureRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: Architecture[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: Architecture[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The operating system of the node.
 */
export class OperatingSystemRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: OperatingSystem[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: OperatingSystem[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The category of the instance type of the node.
 */
export class InstanceCategoryRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: InstanceCategory[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: InstanceCategory[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The family of the instance type of the node.
 */
export class InstanceFamilyRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: InstanceFamily[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: InstanceFamily[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The size of the instance type of the node.
 */
export class InstanceSizeRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: InstanceSize[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: InstanceSize[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The hypervisor of the node.
 */
export class InstanceHypervisorRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: InstanceHypervisor[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: InstanceHypervisor[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The manufacturer of the processor of the node.
 */
export class CpuManufacturerRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...values: CpuManufacturer[]): NodeRequirement { return oneOf(this.key, values); }

  /** The node must have none of these values. */
  public notIn(...values: CpuManufacturer[]): NodeRequirement { return noneOf(this.key, values); }
}

/**
 * The NodePool of the node, which a NodeOverlay can require.
 */
export class NodePoolRequirement extends LabelRequirement {
  /** The node must have one of these values. */
  public in(...nodePools: INodePool[]): NodeRequirement { return NodeRequirement._from(this.key, 'In', nodePools.map(({ name }) => name)); }

  /** The node must have none of these values. */
  public notIn(...nodePools: INodePool[]): NodeRequirement { return NodeRequirement._from(this.key, 'NotIn', nodePools.map(({ name }) => name)); }
}

interface LabelValue {
  readonly value: string;
}

function oneOf(key: string, values: readonly LabelValue[]): NodeRequirement {
  return NodeRequirement._from(key, 'In', values.map(({ value }) => value));
}

function noneOf(key: string, values: readonly LabelValue[]): NodeRequirement {
  return NodeRequirement._from(key, 'NotIn', values.map(({ value }) => value));
}
