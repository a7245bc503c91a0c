import { IResource, Size, Token } from 'aws-cdk-lib';
import { ILaunchTemplate, InstanceType, LaunchTemplate, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ClusterReference } from './cluster-reference';
import { errorWithoutStack, requireProps, shownNumber } from '../model';
import { Taint, TaintEffect } from '../nodes';
import { acknowledgeNagFindings } from './private/cdk-nag';
import { viewCluster } from './private/cluster-view';
import { isEksV1Cluster } from './private/kubectl';

/** One node for each of the controller's two pods. */
const MIN_NODES = 2;
const DEFAULT_INSTANCE_TYPE = new InstanceType('m6i.large');

/** Spelling of the EKS API by that of Kubernetes. */
const EKS_EFFECTS: Readonly<Record<TaintEffect, eksv2.TaintEffect>> = {
  [TaintEffect.NO_SCHEDULE]: eksv2.TaintEffect.NO_SCHEDULE,
  [TaintEffect.PREFER_NO_SCHEDULE]: eksv2.TaintEffect.PREFER_NO_SCHEDULE,
  [TaintEffect.NO_EXECUTE]: eksv2.TaintEffect.NO_EXECUTE,
};

/**
 * Kind of AMI of a SystemNodeGroup. The processor follows the instance types.
 *
 * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_Nodegroup.html#AmazonEKS-Type-Nodegroup-amiType
 */
export class SystemNodeAmi {
  /** Amazon Linux 2023. */
  public static readonly AL2023 = new SystemNodeAmi('AL2023_x86_64_STANDARD', 'AL2023_ARM_64_STANDARD');

  /** Bottlerocket. */
  public static readonly BOTTLEROCKET = new SystemNodeAmi('BOTTLEROCKET_x86_64', 'BOTTLEROCKET_ARM_64');

  /** Bottlerocket with FIPS modules. */
  public static readonly BOTTLEROCKET_FIPS = new SystemNodeAmi('BOTTLEROCKET_x86_64_FIPS', 'BOTTLEROCKET_ARM_64_FIPS');

  /**
   * Another AMI type of EKS.
   *
   * @param amiType AMI type, such as `AL2023_x86_64_NVIDIA`. It must be for the processor of the instance types.
   */
  public static of(amiType: string): SystemNodeAmi {
    return new SystemNodeAmi(amiType, amiType);
  }

  private constructor(
    /** AMI type for instance types with an amd64 processor. */
    public readonly amd64: string,
    /** AMI type for instance types with an arm64 processor. */
    public readonly arm64: string,
  ) {}
}

/**
 * Properties of a SystemNodeGroup.
 */
export interface SystemNodeGroupProps {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not.
   */
  readonly cluster: IResource;

  /**
   * Instance types of the nodes, all with an amd64 or all with an arm64 processor.
   *
   * @default - m6i.large: 2 vCPUs and 8 GiB of memory. None if `launchTemplate` has one or is imported.
   */
  readonly instanceTypes?: InstanceType[];

  /**
   * Kind of AMI.
   *
   * @default SystemNodeAmi.AL2023, except if `launchTemplate` has an AMI or is imported
   */
  readonly ami?: SystemNodeAmi;

  /**
   * Number of nodes, at least 2: the controller's two pods never share a node.
   *
   * @default 2
   */
  readonly nodes?: number;

  /**
   * Subnets of the nodes.
   *
   * @default - the private subnets of the cluster's VPC
   */
  readonly subnets?: SubnetSelection;

  /**
   * Size of the root volume, in whole GiB. It must not be given together with `launchTemplate`, which has the volumes.
   *
   * @default - 20 GiB, the default of EKS
   */
  readonly diskSize?: Size;

  /**
   * Labels of the nodes.
   *
   * @default - only those of EKS
   */
  readonly labels?: { [key: string]: string };

  /**
   * Whether the nodes have the taint `CriticalAddonsOnly=true:NoSchedule`, so that no other pods take their room.
   * Karpenter and CoreDNS tolerate it.
   *
   * @default true
   */
  readonly onlyCriticalAddons?: boolean;

  /**
   * Further taints of the nodes. Karpenter and CoreDNS do not tolerate them unless you add tolerations to both, for
   * Karpenter in the Helm value `tolerations`.
   *
   * @default - none
   */
  readonly taints?: Taint[];

  /**
   * Launch template of the nodes, for example with an encrypted volume or your own AMI.
   *
   * @default - the launch template of EKS
   * @see https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html
   */
  readonly launchTemplate?: ILaunchTemplate;
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
   * @throws Error if the cluster is a ClusterReference, `nodes` is below 2, the instance types have different
   * processors, or EKS rejects a property together with the launch template
   */
  constructor(scope: Construct, id: string, props: SystemNodeGroupProps) {
    super(scope, id);
    requireProps(this, props, { cluster: "new Cluster(this, 'Cluster', { version: KubernetesVersion.V1_34 })" });
    const { cluster, nodes = MIN_NODES } = props;
    if (cluster instanceof ClusterReference) {
      this.fail(
        'cluster',
        'must be a cluster of aws-eks or aws-eks-v2, because a node group needs its subnets, got a ClusterReference; ' +
          'import the cluster with its VPC, or create the node group where the cluster is created',
      );
    }
    if (!Number.isSafeInteger(nodes) || nodes < MIN_NODES) {
      const got = Token.isUnresolved(nodes) ? 'a number that is known only at deployment' : shownNumber(nodes);
      this.fail(
        'nodes',
        `must be a whole number of at least ${MIN_NODES}, because the controller's pods never share a node, got ${got}; write ${MIN_NODES}`,
      );
    }
    viewCluster(this, cluster); // throws for a resource that is no cluster
    const options = {
      ...this.templateOptions(props),
      // An update of the group launches a new node before it removes an old one.
      minSize: nodes,
      desiredSize: nodes,
      maxSize: nodes + 1,
      labels: props.labels,
      taints: taintsOf(props),
      subnets: props.subnets,
      diskSize: props.diskSize?.toGibibytes(),
    };
    // The enumerations of both libraries have the same values.
    const group = isEksV1Cluster(cluster)
      ? new eks.Nodegroup(this, 'Nodes', { ...(options as unknown as eks.NodegroupOptions), cluster })
      : new eksv2.Nodegroup(this, 'Nodes', { ...options, cluster: cluster as eksv2.ICluster });
    this.role = group.role;
  }

  /**
   * Acknowledges what cdk-nag reports on the role of the nodes, with a reason for each finding.
   *
   * @see https://github.com/cdklabs/cdk-nag
   */
  public acknowledgeCdkNag(): void {
    acknowledgeNagFindings([this]);
  }

  /** Launch template, instance types and AMI: EKS accepts each of them only once, in the group or in the template. */
  private templateOptions(props: SystemNodeGroupProps): Partial<eksv2.NodegroupOptions> {
    const { launchTemplate, ami } = props;
    const own = launchTemplate instanceof LaunchTemplate ? launchTemplate : undefined;
    if (launchTemplate && props.diskSize) this.rejectWithTemplate('diskSize', 'has the volumes');
    if (own?.instanceType && props.instanceTypes) this.rejectWithTemplate('instanceTypes', 'has an instance type');
    if (own?.imageId && ami) this.rejectWithTemplate('ami', 'has an AMI');
    const types = props.instanceTypes ?? (launchTemplate ? [] : [DEFAULT_INSTANCE_TYPE]);
    const architecture = this.architectureOf(own?.instanceType ? [own.instanceType] : types);
    const isImported = launchTemplate !== undefined && own === undefined;
    const chosenAmi = ami ?? (isImported || own?.imageId ? undefined : SystemNodeAmi.AL2023);
    return {
      instanceTypes: types.length === 0 ? undefined : types,
      amiType: chosenAmi?.[architecture] as eksv2.NodegroupAmiType | undefined,
      launchTemplateSpec: launchTemplate && {
        id: launchTemplate.launchTemplateId!,
        version: launchTemplate.versionNumber,
      },
    };
  }

  private architectureOf(types: readonly InstanceType[]): 'amd64' | 'arm64' {
    const architectures = new Set(types.map((type) => (type.architecture === 'arm64' ? 'arm64' : 'amd64')));
    if (architectures.size > 1) {
      this.fail(
        'instanceTypes',
        `must all have one processor architecture, because the nodes share an AMI, got ${types.map(String).join(', ')}; create one SystemNodeGroup for each`,
      );
    }
    return [...architectures][0] ?? 'amd64';
  }

  private rejectWithTemplate(property: string, reason: string): void {
    this.fail(
      property,
      `must not be set together with launchTemplate, which ${reason}; leave out ${property}, or set it in the launch template`,
    );
  }

  private fail(property: string, problem: string): never {
    throw errorWithoutStack(`${this.node.path}/${property}: ${problem}`);
  }
}

function taintsOf({ onlyCriticalAddons = true, taints = [] }: SystemNodeGroupProps): eksv2.TaintSpec[] {
  const critical = { key: 'CriticalAddonsOnly', value: 'true', effect: TaintEffect.NO_SCHEDULE };
  return [...(onlyCriticalAddons ? [critical] : []), ...taints].map(({ key, value, effect }) => ({
    key,
    value,
    effect: EKS_EFFECTS[effect],
  }));
}
