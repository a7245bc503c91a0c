import { IInstanceProfile, IRole } from 'aws-cdk-lib/aws-iam';
import { EC2NodeClassOptions, SecurityGroupSelectorTerm, SubnetSelectorTerm } from '../nodes';

/**
 * Properties of an EC2NodeClass that `Karpenter` deploys: everything that can be known from the cluster is.
 */
export interface NodeClassOptions extends EC2NodeClassOptions {
  /**
   * Role of the nodes.
   *
   * @default - that of `instanceProfile`, where it is known, and otherwise the node role of `Karpenter`
   */
  readonly nodeRole?: IRole;

  /**
   * Instance profile of the nodes, instead of one that Karpenter makes for the role.
   *
   * @default - that of `Karpenter`, if it is in an isolated VPC or was given one, and otherwise one that Karpenter
   * makes for the role
   */
  readonly instanceProfile?: IInstanceProfile;

  /**
   * Subnets in which nodes are launched.
   *
   * @default - the private subnets of the cluster's VPC, or, where they are not known, subnets with the tag
   * `karpenter.sh/discovery`
   */
  readonly subnetSelectorTerms?: SubnetSelectorTerm[];

  /**
   * Security groups of the nodes.
   *
   * @default - the cluster's security group, or, where it is not known, groups with the tag `karpenter.sh/discovery`
   */
  readonly securityGroupSelectorTerms?: SecurityGroupSelectorTerm[];
}
