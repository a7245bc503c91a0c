import { IResource, Token } from 'aws-cdk-lib';
import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ClusterReference } from './cluster-reference';
import { errorWithoutStack, requireProps } from '../model';
import { viewCluster } from './private/cluster-view';
import { isEksV1Cluster } from './private/kubectl';

/** One node for each of the controller's two pods. */
const MIN_NODES = 2;
const DEFAULT_INSTANCE_TYPE = new InstanceType('m6i.large');

/**
 * Properties of a SystemNodeGroup.
 */
export interface SystemNodeGroupProps {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not.
   */
  readonly cluster: IResource;

  /**
   * Instance type of the nodes, with an amd64 or arm64 processor.
   *
   * @default - m6i.large: 2 vCPUs and 8 GiB of memory
   */
  readonly instanceType?: InstanceType;

  /**
   * Number of nodes, at least 2: the controller's two pods never share a node.
   *
   * @default 2
   */
  readonly nodes?: number;

  /**
   * Whether the nodes have the taint `CriticalAddonsOnly=true:NoSchedule`, so that no other pods take their room.
   * Karpenter and CoreDNS tolerate it.
   *
   * @default true
   */
  readonly onlyCriticalAddons?: boolean;
}

/**
 * A managed node group for the controller and the cluster's DNS: Karpenter must not run on nodes that it launches
 * itself. The nodes have their own role.
 *
 * @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/
 */
export class SystemNodeGroup extends Construct {
  /**
   * Role of the nodes.
   */
  public readonly role: IRole;

  /**
   * @throws Error if the cluster is a ClusterReference, or `nodes` is below 2
   */
  constructor(scope: Construct, id: string, props: SystemNodeGroupProps) {
    super(scope, id);
    requireProps(this, props, { cluster: "new Cluster(this, 'Cluster', { version: KubernetesVersion.V1_34 })" });
    const { cluster, instanceType = DEFAULT_INSTANCE_TYPE, nodes = MIN_NODES, onlyCriticalAddons = true } = props;
    if (cluster instanceof ClusterReference) {
      throw errorWithoutStack(
        `${this.node.path}/cluster: must be a cluster of aws-eks or aws-eks-v2, because a node group needs its subnets, got a ClusterReference; ` +
          'import the cluster with its VPC, or create the node group where the cluster is created',
      );
    }
    if (!Number.isSafeInteger(nodes) || nodes < MIN_NODES) {
      const got = Token.isUnresolved(nodes) ? 'a number that is known only at deployment' : nodes;
      throw errorWithoutStack(
        `${this.node.path}/nodes: must be a whole number of at least ${MIN_NODES}, because the controller's pods never share a node, got ${got}; write ${MIN_NODES}`,
      );
    }
    viewCluster(this, cluster); // throws for a resource that is no cluster
    const isArm = instanceType.architecture === 'arm64';
    // An update of the group launches a new node before it removes an old one.
    const size = { instanceTypes: [instanceType], minSize: nodes, desiredSize: nodes, maxSize: nodes + 1 };
    const taint = { key: 'CriticalAddonsOnly', value: 'true' };
    const group = isEksV1Cluster(cluster)
      ? new eks.Nodegroup(this, 'Nodes', {
          ...size,
          cluster,
          amiType: isArm ? eks.NodegroupAmiType.AL2023_ARM_64_STANDARD : eks.NodegroupAmiType.AL2023_X86_64_STANDARD,
          taints: onlyCriticalAddons ? [{ ...taint, effect: eks.TaintEffect.NO_SCHEDULE }] : [],
        })
      : new eksv2.Nodegroup(this, 'Nodes', {
          ...size,
          cluster: cluster as eksv2.ICluster,
          amiType: isArm
            ? eksv2.NodegroupAmiType.AL2023_ARM_64_STANDARD
            : eksv2.NodegroupAmiType.AL2023_X86_64_STANDARD,
          taints: onlyCriticalAddons ? [{ ...taint, effect: eksv2.TaintEffect.NO_SCHEDULE }] : [],
        });
    this.role = group.role;
  }
}
