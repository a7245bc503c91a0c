import { ApiObjectMetadata } from 'cdk8s';
import { AmiFamily, AmiSelectorTerm } from './node-class-settings/ami';
import { BlockDevice, InstanceStorePolicy } from './node-class-settings/block-device';
import { CapacityReservationSelectorTerm } from './node-class-settings/capacity-reservation';
import { KubeletConfiguration } from './node-class-settings/kubelet';
import { MetadataOptions } from './node-class-settings/metadata-options';
import { ConnectionTracking, NetworkInterface } from './node-class-settings/network-interface';
import { NodeIdentity } from './node-class-settings/node-identity';
import {
  PlacementGroupSelector,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from './node-class-settings/selector-term';
import { UserData } from './node-class-settings/user-data';

/**
 * Settings of an EC2NodeClass that do not depend on the cluster: everything except role, subnets and security groups.
 */
export interface EC2NodeClassOptions {
  /**
   * Name, labels and annotations of the EC2NodeClass itself.
   *
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Machine images of the nodes: one image that AWS builds for EKS, such as `AmiSelectorTerm.al2023('v20250915')`, or
   * your own images by id, name, tags or SSM parameter. Your own images require `amiFamily`.
   */
  readonly amiSelectorTerms: AmiSelectorTerm[];

  /**
   * How the first boot of a node is set up.
   *
   * @default - the family of the image, if AWS builds it for EKS
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
   * Bottlerocket, 50Gi for Windows. For Custom, the disks of the image, unchanged.
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
   * Whether instances send metrics to CloudWatch every minute instead of every five minutes. This costs extra.
   *
   * @default false
   */
  readonly detailedMonitoring?: boolean;

  /**
   * Whether instances get public IPv4 addresses.
   *
   * @default - the setting of the subnet
   */
  readonly associatePublicIpAddress?: boolean;

  /**
   * Number of IPv4 prefixes of the primary network interface, for pods.
   *
   * @default - no prefixes
   */
  readonly ipPrefixCount?: number;

  /**
   * Network interfaces of the nodes, including device 0 of network card 0.
   *
   * @default - one interface, and the Elastic Fabric Adapter interfaces that pods request
   */
  readonly networkInterfaces?: NetworkInterface[];

  /**
   * Idle timeouts of connections that security groups track.
   *
   * @default - the timeouts of EC2
   */
  readonly connectionTracking?: ConnectionTracking;

  /**
   * How the instance store disks of an instance are used.
   *
   * @default - pods do not use them
   */
  readonly instanceStorePolicy?: InstanceStorePolicy;

  /**
   * Whether virtual machines can run on the nodes. If true, only instance types that support nested virtualization are
   * launched.
   *
   * @default false
   */
  readonly nestedVirtualization?: boolean;

  /**
   * Whether Nitro Enclaves can run on the nodes. If true, only instance types that support them are launched.
   *
   * @default false
   * @see https://docs.aws.amazon.com/enclaves/latest/user/nitro-enclave.html
   */
  readonly nitroEnclaves?: boolean;

  /**
   * Settings of the kubelet.
   *
   * @default - those of the machine image
   */
  readonly kubelet?: KubeletConfiguration;

  /**
   * User data, in a format of the AMI family. Karpenter merges its own user data into it.
   *
   * @default - only Karpenter's own user data
   */
  readonly userData?: UserData;

  /**
   * Value of the field `Context` of EC2's CreateFleet request, which AWS reserves. It is passed on unchanged.
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
   * How the nodes get their IAM role.
   */
  readonly identity: NodeIdentity;

  /**
   * Subnets in which nodes are launched.
   */
  readonly subnetSelectorTerms: SubnetSelectorTerm[];

  /**
   * Security groups of the nodes.
   */
  readonly securityGroupSelectorTerms: SecurityGroupSelectorTerm[];
}
