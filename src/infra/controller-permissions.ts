import { IKey } from 'aws-cdk-lib/aws-kms';

/**
 * What Karpenter is used for, where permissions depend on it. What is left out is allowed by `ControllerPolicies`, as
 * by upstream's published policies, and looked up in the EC2NodeClasses and Helm values by `Karpenter`.
 */
export interface ControllerPermissions {
  /**
   * Whether Karpenter makes instance profiles, for EC2NodeClasses with `role`.
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
   * Whether Karpenter keeps away from zones that traffic was shifted from: its setting `enableZonalShift`.
   *
   * @default true
   */
  readonly zonalShift?: boolean;

  /**
   * Whether Karpenter reboots nodes in order to repair them: its feature gate `rebootForRepair`.
   *
   * @default true
   */
  readonly nodeReboot?: boolean;

  /**
   * Whether Karpenter calls no service without an endpoint in the VPC, which are IAM and the price list: its setting
   * `isolatedVPC`.
   *
   * @default false
   */
  readonly isolatedVpc?: boolean;

  /**
   * Parameters of the account's own that name images, by names or ARNs, for `ssmParameter` of EC2NodeClasses. Those of
   * AWS below `/aws/service` are allowed anyway.
   *
   * @default - none
   */
  readonly imageParameters?: string[];

  /**
   * Customer managed keys that encrypt volumes of nodes. Keys of this app get the statement in their policy, too, that
   * EBS needs of it; with an imported key, you have to add it.
   *
   * @default - none
   */
  readonly volumeKeys?: IKey[];
}
