import { ApiObjectMetadata } from 'cdk8s';
import { AmiAlias, AmiFamily, AmiSelectorTerm } from './ami';
import { BlockDevice } from './block-device';
import { KubeletConfiguration } from './kubelet';
import { MetadataOptions } from './metadata-options';
import { SecurityGroupSelectorTerm, SubnetSelectorTerm } from './selector-term';

/**
 * Properties of an EC2NodeClass.
 */
export interface EC2NodeClassProps {
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
   * Images of your own. They need `amiFamily`.
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

  /**
   * Disks of the nodes.
   *
   * @default - those of the AMI family: an encrypted gp3 volume of 20Gi for AL2 and AL2023
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
   * Joins the local NVMe disks of an instance into one RAID 0 array for pods, the kubelet and the container runtime.
   *
   * @default false
   */
  readonly instanceStoreRaid0?: boolean;

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
}
