import { IResource } from 'aws-cdk-lib';
import { IManagedPolicy, IRole } from 'aws-cdk-lib/aws-iam';
import { ControllerPermissions } from './controller-permissions';
import { ControllerIdentity } from './controller-role';
import { InterruptionHandling } from './interruption-handling';
import { KarpenterChartOptions } from './karpenter-chart';
import { NodeAccess } from './node-access';
import { NodeRole } from './node-role';

/**
 * Properties of Karpenter.
 */
export interface KarpenterProps extends KarpenterChartOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference if only its name is known.
   */
  readonly cluster: IResource;

  /**
   * How the controller's pods get their role.
   *
   * @default ControllerIdentity.podIdentity()
   */
  readonly identity?: ControllerIdentity;

  /**
   * Namespace of the controller. The API server gives requests from kube-system priority over other namespaces.
   *
   * @default kube-system
   */
  readonly namespace?: string;

  /**
   * Name of the controller's service account.
   *
   * @default karpenter
   */
  readonly serviceAccountName?: string;

  /**
   * Existing role of the controller, created by this app or imported. It gets the controller's policies. The trust
   * policy of an imported role cannot be changed here, so a warning at synth has the statement that it needs.
   *
   * It must not be given together with `controllerRoleName`, which is for a new role.
   *
   * @default - a new role
   */
  readonly existingControllerRole?: IRole;

  /**
   * Name of the controller's role, at most 64 characters.
   *
   * @default - CloudFormation generates the name
   */
  readonly controllerRoleName?: string;

  /**
   * Prefix of the names of the controller's policies, such as `KarpenterController`.
   *
   * @default - CloudFormation generates the names
   */
  readonly policyNamePrefix?: string;

  /**
   * Role of the nodes. It must not be given together with `nodeRoleName` or `nodeManagedPolicies`, which are for a new
   * role.
   *
   * @default - a new role with the policies that every node needs
   */
  readonly nodeRole?: NodeRole;

  /**
   * Existing role of the nodes, created by this app or imported. A role of this app gets the policies and the trust
   * policy that nodes need. For an imported role, a warning at synth says what it needs. If the role already has access
   * to the cluster, also write `nodeAccess: NodeAccess.none()`, because EKS rejects a second access entry.
   *
   * It must not be given together with `nodeRole`, or with `nodeRoleName` or `nodeManagedPolicies`, which are for a new
   * role.
   *
   * @default - a new role, unless `nodeRole` is set
   */
  readonly existingNodeRole?: IRole;

  /**
   * Name of the new node role, at most 64 characters.
   *
   * @default - CloudFormation generates the name
   */
  readonly nodeRoleName?: string;

  /**
   * Policies of the new node role, in addition to the policies that every node needs.
   *
   * @default - none
   */
  readonly nodeManagedPolicies?: IManagedPolicy[];

  /**
   * Additional roles that nodes may have, for EC2NodeClasses that are created outside this app. You must give these
   * roles access to the cluster, for example with `NodeAdmission`.
   *
   * @default - none
   */
  readonly additionalNodeRoles?: IRole[];

  /**
   * How nodes get access to the cluster.
   *
   * @default - an access entry, or a mapping in aws-auth if the cluster's authentication mode is CONFIG_MAP
   */
  readonly nodeAccess?: NodeAccess;

  /**
   * How Karpenter learns of interruptions, so that it drains nodes before their instances are interrupted.
   *
   * @default InterruptionHandling.newQueue()
   */
  readonly interruptionHandling?: InterruptionHandling;

  /**
   * Karpenter features that are used. Each property that is set replaces the looked-up value.
   *
   * @default - looked up in the EC2NodeClasses of `addNodeClass` and in the Helm values; what upstream's published
   * policies allow if this app has no EC2NodeClass, or does not install the chart. An isolated VPC is always looked up.
   */
  readonly permissions?: ControllerPermissions;

  /**
   * IAM path of new roles and policies.
   *
   * @default /
   */
  readonly path?: string;

  /**
   * Permissions boundary of the new roles.
   *
   * @default - no boundary
   */
  readonly permissionsBoundary?: IManagedPolicy;

  /**
   * Whether this stack installs the charts. If false, install them by other means, such as GitOps, with `helmValues`
   * and `crdHelmValues`.
   *
   * @default - true, except for a ClusterReference
   */
  readonly installChart?: boolean;

  /**
   * Value of the tag `karpenter.sh/discovery` on private subnets of this app.
   *
   * @default - the cluster's name; no tags if the name is known only at deployment, since EC2NodeClasses of
   * `addNodeClass` do not need the tags
   */
  readonly discoveryTag?: string;

  /**
   * Whether the service-linked role of EC2 Spot is created. An account can have it only once: if it exists, the
   * deployment fails.
   *
   * @default false
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/service-linked-roles-spot-instance-requests.html
   */
  readonly spotServiceLinkedRole?: boolean;
}
