import { Annotations, IResource, Names, Token } from 'aws-cdk-lib';
import { CfnServiceLinkedRole, IRole } from 'aws-cdk-lib/aws-iam';
import { Chart } from 'cdk8s';
import { Construct, DependencyGroup } from 'constructs';
import { ClusterReference } from './cluster-reference';
import { ControllerIdentity } from './controller-identity';
import { ControllerPolicies } from './controller-policies';
import { ControllerRole } from './controller-role';
import { KarpenterChart } from './karpenter-chart';
import { KarpenterProps } from './karpenter-props';
import { NodeAdmission } from './node-admission';
import { NodeClassOptions } from './node-class-options';
import { NodeRole } from './node-role';
import { amiFamilyOfClass, findIncompatibility, NeededEndpoint, NEWEST_KARPENTER_VERSION } from '../contract';
import { InterruptionConsumer, InterruptionQueue } from '../interruption';
import { parseGoBool, withLongStackTrace } from '../model';
import { EC2NodeClass, NodePool, NodePoolProps } from '../nodes';
import { ClusterView, viewCluster } from './private/cluster-view';
import { deployChart, deployObject } from './private/deployment';
import { tagForDiscovery } from './private/discovery-tags';
import { decideFrom } from './private/features';
import { Kubectl } from './private/kubectl';
import { newObjectChart } from './private/manifests';
import { valueAt } from './private/merge-values';
import { Surroundings, toNodeClassProps } from './private/node-class-wiring';
import { areForOneCluster } from './private/one-cluster';
import { warnOfMissingEndpoints } from './private/vpc-endpoints';

/**
 * Karpenter in a cluster, with everything that it needs of the account: roles and policies, the queue that it hears of
 * interruptions from, the access of nodes, the charts. A cluster is all that it asks for.
 *
 * What it deploys is removed in the order that leaves no instance behind: NodePools first, then EC2NodeClasses, which
 * stay until their last node is drained and gone, then the charts, and then the rest.
 */
export class Karpenter extends Construct {
  /**
   * The controller's role.
   */
  public readonly controllerRole: ControllerRole;

  /**
   * The controller's policies.
   */
  public readonly controllerPolicies: ControllerPolicies;

  /**
   * Role of the nodes, except for EC2NodeClasses that have their own.
   */
  public readonly nodeRole: NodeRole;

  /**
   * Where Karpenter hears of interruptions.
   */
  public readonly interruptionQueue?: InterruptionQueue;

  /**
   * Version of Karpenter.
   */
  public readonly karpenterVersion: string;

  /**
   * Values of the chart `karpenter`, for GitOps, too.
   */
  public readonly helmValues: { [key: string]: any };

  /**
   * Values of the chart `karpenter-crd`, for GitOps, too.
   */
  public readonly crdHelmValues: { [key: string]: any };

  private readonly cluster: ClusterView;
  private readonly chart: KarpenterChart;
  private readonly classes: EC2NodeClass[] = [];
  private readonly charts: Chart[] = [];
  private readonly manifests = new Map<EC2NodeClass, Construct>();
  /** By the ARN of the role. */
  private readonly admissions = new Map<string, NodeAdmission>();
  private readonly nodeRoles: IRole[];
  /** What there must be as long as there is a node. */
  private readonly foundation = new DependencyGroup();

  /**
   * @throws Error if the setup could not work, with the reason and what to write instead
   */
  constructor(scope: Construct, id: string, private readonly props: KarpenterProps) {
    super(scope, id);
    this.cluster = viewCluster(this, props.cluster);
    this.karpenterVersion = props.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
    this.assertCompatible();
    const { path, permissionsBoundary, installPodIdentityAgent, cluster } = props;
    this.controllerRole = new ControllerRole(this, 'Controller', {
      ...props, roleName: props.controllerRoleName, path, permissionsBoundary, installPodIdentityAgent,
    });
    this.nodeRole = props.nodeRole ?? this.newNodeRole(props);
    this.nodeRoles = [this.nodeRole.role, ...props.additionalNodeRoles ?? []];
    this.interruptionQueue = withLongStackTrace(() => this.findQueue(props));
    this.chart = withLongStackTrace(() => new KarpenterChart(this, 'Charts', {
      ...props, controllerRole: this.controllerRole, interruptionQueue: this.interruptionQueue, install: this.installsChart(),
    }));
    this.helmValues = this.chart.values;
    this.crdHelmValues = this.chart.crdValues;
    this.controllerPolicies = this.newPolicies(cluster);
    this.foundation.add(this.controllerRole, this.controllerPolicies, this.nodeRole, this.admit(this.nodeRole.role));
    if (this.interruptionQueue) this.foundation.add(this.interruptionQueue);
    this.chart.node.addDependency(this.foundation);
    if (props.spotServiceLinkedRole) this.foundation.add(new CfnServiceLinkedRole(this, 'SpotServiceLinkedRole', { awsServiceName: 'spot.amazonaws.com' }));
    this.tagSubnets(props.discoveryTag);
    this.node.addValidation({ validate: () => this.findRivals() });
    if (props.isolatedVpc) warnOfMissingEndpoints(this, this.cluster.vpc(), this.endpointNeeds());
  }

  /**
   * Deploys an EC2NodeClass, with what is known of role, profile, subnets and security groups.
   *
   * @param id name among its siblings, and in the cluster unless `metadata` names it
   * @param options what it is to say of nodes
   * @throws Error if Karpenter, the API server or EC2 would not accept the class, or if nothing of the app can deploy
   * to the cluster
   */
  public addNodeClass(id: string, options: NodeClassOptions): EC2NodeClass {
    const chart = newObjectChart(this);
    const nodeClass = new EC2NodeClass(chart, id, toNodeClassProps(options, this.surroundings()));
    this.classes.push(nodeClass);
    const role = this.roleOfNodes(id, options);
    if (!this.nodeRoles.includes(role)) this.nodeRoles.push(role);
    this.admit(role).admitFamily(amiFamilyOfClass(nodeClass._toSpec()) ?? 'Custom', `${this.node.path}/${id}`);
    this.manifests.set(nodeClass, this.deploy(`Class${id}`, (kubectl) => deployObject(this, 'Class', id, chart, kubectl)));
    return nodeClass;
  }

  /**
   * Deploys a NodePool. It goes before its EC2NodeClass does.
   *
   * @param id name among its siblings, and in the cluster unless `metadata` names it
   * @param props what may be launched
   * @throws Error if Karpenter or the API server would not accept the NodePool, or if nothing of the app can deploy to
   * the cluster
   */
  public addNodePool(id: string, props: NodePoolProps): NodePool {
    const chart = newObjectChart(this);
    const nodePool = new NodePool(chart, id, props);
    const manifest = this.deploy(`Pool${id}`, (kubectl) => deployObject(this, 'Pool', id, chart, kubectl));
    const ofClass = this.manifests.get(props.nodeClass as EC2NodeClass);
    if (ofClass) manifest.node.addDependency(ofClass);
    return nodePool;
  }

  /**
   * Deploys a cdk8s chart, such as one with NodeOverlays, or with NodePools and their EC2NodeClasses. What is taken out
   * of it later, or renamed, is deleted.
   *
   * @param id name among its siblings
   * @param chart the chart with all of its objects, which need not be part of a cdk8s app that is synthesised
   * @returns what others may depend on
   * @throws Error if nothing of the app can deploy to the cluster
   */
  public addChart(id: string, chart: Chart): Construct {
    this.charts.push(chart);
    return this.deploy(`Chart${id}`, (kubectl) => deployChart(this, `Chart${id}`, chart, kubectl));
  }

  /** Karpenter gives instances a profile only if it may pass the role of the profile, too. */
  private roleOfNodes(id: string, { nodeRole, instanceProfile }: NodeClassOptions): IRole {
    const role = nodeRole ?? instanceProfile?.role;
    if (!role && instanceProfile) {
      Annotations.of(this).addWarningV2('karpenter-constructs:instanceProfileRole', `${id}: the role of the instance profile ${instanceProfile.instanceProfileName} `
        + 'is not known here, so that Karpenter may not pass it, and launches no node; write it as nodeRole, too');
    }
    return role ?? this.nodeRole.role;
  }

  private deploy(id: string, apply: (kubectl: Kubectl) => Construct): Construct {
    const { kubectl } = this.cluster;
    if (!kubectl) {
      throw new Error(`${this.node.path}/${id}: must be for a cluster that something of the app can deploy to, got ${this.cluster.resource.node.path}; `
        + 'give it a kubectl provider, or write the manifest with cdk8s and deploy that');
    }
    const deployed = withLongStackTrace(() => apply(kubectl));
    deployed.node.addDependency(this.foundation, this.chart);
    return deployed;
  }

  /**
   * One admission for each role, and what is launched with it stays until the last node is gone. It is called after the
   * role: with a number, it would change its role when another goes, and EKS refuses a second access entry for a role.
   */
  private admit(role: IRole): NodeAdmission {
    const known = this.admissions.get(role.roleArn);
    if (known) return known;
    const id = this.admissions.size === 0 ? 'NodeAdmission' : `NodeAdmission${Names.nodeUniqueId(role.node)}`;
    const admission = new NodeAdmission(this, id, { cluster: this.props.cluster, role, access: this.props.nodeAccess });
    this.admissions.set(role.roleArn, admission);
    this.foundation.add(admission);
    return admission;
  }

  private newNodeRole({ nodeRoleName, nodePolicies, path, permissionsBoundary, isolatedVpc, cluster, karpenterVersion }: KarpenterProps): NodeRole {
    return new NodeRole(this, 'Nodes', {
      cluster, path, permissionsBoundary, karpenterVersion, roleName: nodeRoleName, managedPolicies: nodePolicies, instanceProfile: isolatedVpc,
    });
  }

  private newPolicies(cluster: IResource): ControllerPolicies {
    const { permissions, path, policyNamePrefix, karpenterVersion } = this.props;
    const known = this.installsChart() ? this.permissionsOfValues() : {};
    const decided = { ...known, ...permissions };
    const policies = new ControllerPolicies(this, 'Policies', {
      cluster,
      path,
      policyNamePrefix,
      karpenterVersion,
      role: this.controllerRole.role,
      nodeRoles: this.nodeRoles,
      interruptionQueue: this.interruptionQueue,
      permissions: decided,
    });
    policies._decideWith(() => decideFrom(this.decidingClasses(), decided));
    return policies;
  }

  /**
   * Those of charts widen what the others need. Without others nothing is narrowed: the charts may have come from
   * somebody who makes more.
   */
  private decidingClasses(): EC2NodeClass[] {
    const charted = this.charts.flatMap((chart) => chart.node.findAll()).filter((construct) => construct instanceof EC2NodeClass);
    return this.classes.length === 0 ? [] : [...this.classes, ...charted];
  }

  private permissionsOfValues(): { zonalShift: boolean; nodeReboot: boolean; isolatedVpc: boolean } {
    const isOn = (...keys: string[]) => parseGoBool(valueAt(this.helmValues, 'settings', ...keys)) === true;
    return { zonalShift: isOn('enableZonalShift'), nodeReboot: isOn('awsFeatureGates', 'rebootForRepair'), isolatedVpc: isOn('isolatedVPC') };
  }

  private findQueue({ interruptionHandling, interruptionQueue, karpenterVersion }: KarpenterProps): InterruptionQueue | undefined {
    if (interruptionHandling === false) {
      if (!interruptionQueue) return undefined;
      throw new Error(`${this.node.path}/interruptionHandling: must not be false with an interruptionQueue, got ${interruptionQueue.node.path}; remove one of them`);
    }
    const queue = interruptionQueue ?? new InterruptionQueue(this, 'Interruption', { clusterName: this.cluster.knownName, karpenterVersion });
    queue.assignReader(InterruptionConsumer.KARPENTER, this);
    return queue;
  }

  /** Those that come before it in the app: one error for two of them. */
  private findRivals(): string[] {
    const own = { scope: this, cluster: this.cluster };
    const all = this.node.root.node.findAll().filter((construct): construct is Karpenter => construct instanceof Karpenter);
    const earlier = all.slice(0, all.indexOf(this));
    return earlier.filter((other) => areForOneCluster(own, { scope: other, cluster: other.cluster })).map((other) =>
      `cluster: must have one Karpenter, got ${other.node.path} as another one of ${this.cluster.resource.node.path}; leave one of them out, `
      + 'since both launch nodes for the same pods, or replace what the other installs');
  }

  private installsChart(): boolean {
    return this.props.installChart ?? !(this.props.cluster instanceof ClusterReference);
  }

  private assertCompatible(): void {
    const { kubernetesVersion } = this.cluster;
    const problem = kubernetesVersion && findIncompatibility(kubernetesVersion, this.karpenterVersion);
    if (problem) throw new Error(`${this.node.path}/karpenterVersion: ${problem}`);
  }

  private endpointNeeds(): ReadonlySet<NeededEndpoint['need']> {
    return new Set([
      ...this.interruptionQueue ? ['interruptionQueue' as const] : [],
      ...this.controllerRole.identity.name === ControllerIdentity.podIdentity().name ? ['podIdentity' as const] : [],
    ]);
  }

  private surroundings(): Surroundings {
    return { cluster: this.cluster, nodeRole: this.nodeRole, discoveryTag: this.props.discoveryTag };
  }

  private tagSubnets(discoveryTag: string | undefined): void {
    const value = discoveryTag ?? this.cluster.knownName;
    // A reference would make the subnets wait for the cluster, which waits for them.
    if (!Token.isUnresolved(value)) tagForDiscovery(this, this.cluster.privateSubnets(), value);
  }
}
