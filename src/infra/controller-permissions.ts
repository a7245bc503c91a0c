import { IKey } from 'aws-cdk-lib/aws-kms';

/**
 * Karpenter features that decide which permissions the controller gets. For a property that is left out,
 * `ControllerPolicies` allows what upstream's published policies allow, and `Karpenter` looks it up in the
 * EC2NodeClasses and Helm values.
 */
export interface ControllerPermissions {
  /**
   * Whether Karpenter creates instance profiles, which it does for EC2NodeClasses with `role`.
   *
   * @default true
   */
  readonly instanceProfiles?: boolean;

  /**
   * Whether nodes are launched into capacity reservations.
   *
   * @default true
   */
  readonly capacityReservations?: boolean;

  /**
   * Whether nodes are launched into placement groups.
   *
   * @default true
   */
  readonly placementGroups?: boolean;

  /**
   * Whether Karpenter avoids zones that ARC zonal shift moved traffic away from (its setting `enableZonalShift`).
   *
   * @default true
   */
  readonly zonalShift?: boolean;

  /**
   * Whether Karpenter repairs nodes by rebooting them (its feature gate `rebootForRepair`).
   *
   * @default true
   */
  readonly nodeReboot?: boolean;

  /**
   * Whether Karpenter runs in a VPC without internet access (its setting `isolatedVPC`). It then calls neither IAM nor
   * the price list API, which have no VPC endpoint.
   *
   * @default false
   */
  readonly isolatedVpc?: boolean;

  /**
   * Names or ARNs of your account's SSM parameters that contain AMI ids, as in `ssmParameter` of EC2NodeClasses. Public
   * parameters of AWS below `/aws/service` are always allowed.
   *
   * @default - none
   */
  readonly imageParameters?: string[];

  /**
   * Customer managed keys that encrypt the nodes' volumes. The policy of a key in this app also gets the statement that
   * EBS needs. For an imported key, you must add that statement.
   *
   * @default - none
   */
  readonly volumeKeys?: IKey[];
}
