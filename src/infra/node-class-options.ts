import { IInstanceProfile, IRole } from 'aws-cdk-lib/aws-iam';
import { EC2NodeClassOptions, SecurityGroupSelectorTerm, SubnetSelectorTerm } from '../nodes';

/**
 * Properties of an EC2NodeClass that `Karpenter` deploys. Role, subnets and security groups are optional, because they
 * default to those of the cluster.
 */
export interface KarpenterNodeClassOptions extends EC2NodeClassOptions {
  /**
   * Role of the nodes.
   *
   * @default - the role of `instanceProfile` if it is known, otherwise the node role of `Karpenter`
   */
  readonly nodeRole?: IRole;

  /**
   * Instance profile of the nodes, instead of one that Karpenter creates for the role.
   *
   * @default - the instance profile of the construct's node role if it has one, as in an isolated VPC; otherwise
   * Karpenter creates one for the role
   */
  readonly instanceProfile?: IInstanceProfile;

  /**
   * Subnets in which nodes are launched.
   *
   * @default - the private subnets of the cluster's VPC, or subnets with the tag `karpenter.sh/discovery` if the VPC's
   * subnets are unknown
   */
  readonly subnetSelectorTerms?: SubnetSelectorTerm[];

  /**
   * Security groups of the nodes.
   *
   * @default - the cluster's security group, or groups with the tag `karpenter.sh/discovery` if it is unknown
   */
  readonly securityGroupSelectorTerms?: SecurityGroupSelectorTerm[];
}
