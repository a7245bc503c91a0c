import { IResource } from 'aws-cdk-lib';
import { IManagedPolicy, IRole } from 'aws-cdk-lib/aws-iam';
import { ControllerIdentity } from './controller-identity';
import { ControllerPermissions } from './controller-permissions';
import { ChartOptions } from './karpenter-chart';
import { NodeAccess } from './node-access';
import { NodeRole } from './node-role';
import { InterruptionQueue } from '../interruption';

/**
 * Properties of Karpenter.
 */
export interface KarpenterProps extends ChartOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference where nothing but its name is
   * known.
   */
  readonly cluster: IResource;

  /**
   * How the controller's pods come by their role.
   *
   * @default ControllerIdentity.podIdentity()
   */
  readonly identity?: ControllerIdentity;

  /**
   * Namespace of the controller. In kube-system, its requests to the API server come before those of other namespaces.
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
   * Name of the controller's role, at most 64 characters.
   *
   * @default - CloudFormation makes one up
   */
  readonly controllerRoleName?: string;

  /**
   * Begin of the names of the controller's policies, such as `KarpenterController`.
   *
   * @default - CloudFormation makes names up
   */
  readonly policyNamePrefix?: string;

  /**
   * Role of the nodes.
   *
   * @default - one with the policies that every node needs
   */
  readonly nodeRole?: NodeRole;

  /**
   * Name of the node role that is made, at most 64 characters.
   *
   * @default - CloudFormation makes one up
   */
  readonly nodeRoleName?: string;

  /**
   * Policies of the created node role, in addition to the policies that every node needs.
   *
   * @default - none
   */
  readonly nodePolicies?: IManagedPolicy[];

  /**
   * Further roles that nodes may have, for EC2NodeClasses that something else makes. Their nodes have to be let in
   * there.
   *
   * @default - none
   */
  readonly additionalNodeRoles?: IRole[];

  /**
   * What lets nodes join.
   *
   * @default - an access entry, or a mapping in aws-auth where the cluster knows nothing else
   */
  readonly nodeAccess?: NodeAccess;

  /**
   * Whether Karpenter hears of interruptions, and drains nodes before they are gone.
   *
   * @default true
   */
  readonly interruptionHandling?: boolean;

  /**
   * Where Karpenter hears of interruptions.
   *
   * @default - a queue with the rules that send events there
   */
  readonly interruptionQueue?: InterruptionQueue;

  /**
   * What Karpenter is used for, where that is not to be looked up.
   *
   * @default - looked up in the EC2NodeClasses of `addNodeClass` and in the Helm values; where this app has no
   * EC2NodeClass, or does not install the chart, what upstream's published policies allow
   */
  readonly permissions?: ControllerPermissions;

  /**
   * Path of roles and policies.
   *
   * @default /
   */
  readonly path?: string;

  /**
   * The most that the roles may ever do.
   *
   * @default - no boundary
   */
  readonly permissionsBoundary?: IManagedPolicy;

  /**
   * Whether the charts are installed. Without, `helmValues` says with what GitOps installs them.
   *
   * @default - true, except for a ClusterReference
   */
  readonly installChart?: boolean;

  /**
   * Value of the tag `karpenter.sh/discovery` on private subnets of this app.
   *
   * @default - the cluster's name where it is known before deployment, and otherwise no tags: classes of `addNodeClass`
   * need none
   */
  readonly discoveryTag?: string;

  /**
   * Whether the service-linked role of EC2 Spot is made. An account has it once: where it is already, making it fails.
   *
   * @default false
   * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/service-linked-roles-spot-instance-requests.html
   */
  readonly spotServiceLinkedRole?: boolean;

  /**
   * Whether the add-on eks-pod-identity-agent is installed by this stack.
   *
   * @default - true for a cluster of this app, false for any other, which is taken to have it
   */
  readonly installPodIdentityAgent?: boolean;
}
