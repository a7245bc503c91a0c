import { ApiObjectMetadata } from 'cdk8s';
import { AmiAlias, AmiFamily, AmiSelectorTerm } from './node-class-settings/ami';
import { BlockDevice, InstanceStorePolicy } from './node-class-settings/block-device';
import { CapacityReservationSelectorTerm } from './node-class-settings/capacity-reservation';
import { KubeletConfiguration } from './node-class-settings/kubelet';
import { MetadataOptions } from './node-class-settings/metadata-options';
import { ConnectionTracking, NetworkInterface } from './node-class-settings/network-interface';
import { PlacementGroupSelector } from './node-class-settings/placement-group';
import { SecurityGroupSelectorTerm, SubnetSelectorTerm } from './node-class-settings/selector-term';

/**
 * What an EC2NodeClass says of its nodes, wherever they run.
 */
export interface EC2NodeClassOptions {
  /**
   * Name, labels and annotations of the EC2NodeClass itself.
   *
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Image that AWS builds for EKS. Exactly one of `amiAlias` and `amiSelectorTerms` must be given.
   *
   * @default - `amiSelectorTerms` select the image
   */
  readonly amiAlias?: AmiAlias;

  /**
   * Images by other means than an alias, such as those of your own. They need `amiFamily`.
   *
   * @default - `amiAlias` names the image
   */
  readonly amiSelectorTerms?: AmiSelectorTerm[];

  /**
   * How the first boot of a node is set up.
   *
   * @default - the family of `amiAlias`
   */
  readonly amiFamily?: AmiFamily;

  /**
   * Capacity reservations that nodes of the capacity type `reserved` run in.
   *
   * @default - no reservations
   */
  readonly capacityReservationSelectorTerms?: CapacityReservationSelectorTerm[];

  /**
   * Placement group of the nodes.
   *
   * @default - no placement group
   */
  readonly placementGroupSelector?: PlacementGroupSelector;

  /**
   * Disks of the nodes.
   *
   * @default - those of the AMI family, encrypted and of type gp3: 20Gi for AL2 and AL2023, 6Gi and 20Gi for
   * Bottlerocket, 50Gi for Windows. For Custom, those of the image, as it has them.
   */
  readonly blockDeviceMappings?: BlockDevice[];

  /**
   * Who can read the instance's metadata.
   *
   * @default - the node itself, with a session token
   */
  readonly metadataOptions?: MetadataOptions;

  /**
   * Tags of the instances, volumes, network interfaces and launch templates.
   *
   * @default - those that Karpenter sets
   */
  readonly tags?: { [key: string]: string };

  /**
   * Whether CloudWatch gets the instances' metrics each minute, at a price, and not each five minutes.
   *
   * @default false
   */
  readonly detailedMonitoring?: boolean;

  /**
   * Whether instances get public IPv4 addresses.
   *
   * @default - as the subnet says
   */
  readonly associatePublicIpAddress?: boolean;

  /**
   * Number of IPv4 prefixes of the primary network interface, for pods.
   *
   * @default - no prefixes
   */
  readonly ipPrefixCount?: number;

  /**
   * Network interfaces of the nodes, among them device 0 of card 0.
   *
   * @default - one interface, and those for Elastic Fabric Adapter that pods ask for
   */
  readonly networkInterfaces?: NetworkInterface[];

  /**
   * When security groups forget idle connections of the nodes.
   *
   * @default - as EC2 does
   */
  readonly connectionTracking?: ConnectionTracking;

  /**
   * What is done with the local disks of an instance.
   *
   * @default - nothing: pods do not use them
   */
  readonly instanceStorePolicy?: InstanceStorePolicy;

  /**
   * Whether virtual machines can run on the nodes. Only instance types that can do so are then launched.
   *
   * @default false
   */
  readonly nestedVirtualization?: boolean;

  /**
   * Whether Nitro Enclaves can run on the nodes. Only instance types that support them are then launched.
   *
   * @default false
   * @see https://docs.aws.amazon.com/enclaves/latest/user/nitro-enclave.html
   */
  readonly enclaveEnabled?: boolean;

  /**
   * Settings of the kubelet.
   *
   * @default - those of the machine image
   */
  readonly kubelet?: KubeletConfiguration;

  /**
   * User data, in the format of the AMI family. Karpenter merges its own into it.
   *
   * @default - Karpenter's own alone
   */
  readonly userData?: string;

  /**
   * Passed to EC2 as it is, in the field that its API reserves under this name.
   *
   * @default - nothing
   * @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateFleet.html
   */
  readonly context?: string;
}

/**
 * Properties of an EC2NodeClass.
 */
export interface EC2NodeClassProps extends EC2NodeClassOptions {
  /**
   * Name of the IAM role of the nodes, from which Karpenter makes the instance profile. Exactly one of `role` and
   * `instanceProfile` must be given.
   *
   * @default - `instanceProfile` is used
   */
  readonly role?: string;

  /**
   * Name of an instance profile that exists already.
   *
   * @default - Karpenter makes one for `role`
   */
  readonly instanceProfile?: string;

  /**
   * Subnets in which nodes are launched.
   */
  readonly subnetSelectorTerms: SubnetSelectorTerm[];

  /**
   * Security groups of the nodes.
   */
  readonly securityGroupSelectorTerms: SecurityGroupSelectorTerm[];
}
