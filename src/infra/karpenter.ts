import { Annotations, IResource, Stack, Token } from 'aws-cdk-lib';
import { CfnServiceLinkedRole, IRole } from 'aws-cdk-lib/aws-iam';
import { Chart } from 'cdk8s';
import { Construct, DependencyGroup } from 'constructs';
import { ClusterReference } from './cluster-reference';
import { ControllerPolicies } from './controller-policies';
import { ControllerIdentity, ControllerRole } from './controller-role';
import { GitOpsValuesOptions } from './gitops-values';
import { InterruptionHandling } from './interruption-handling';
import { KarpenterChart } from './karpenter-chart';
import { KarpenterProps } from './karpenter-props';
import { KarpenterNodeClassOptions } from './node-class-options';
import { NodeRole } from './node-role';
import { amiFamilyOfClass, incompatibilityProblem, RequiredEndpoint, NEWEST_KARPENTER_VERSION } from '../contract';
import { InterruptionConsumer, InterruptionQueue } from '../interruption';
import { errorWithoutStack, requireProps, withLongStackTrace } from '../model';
import { EC2NodeClass, NodePool, NodePoolProps } from '../nodes';
import { acknowledgeNagFindings } from './private/cdk-nag';
import { EksClusterView, duplicateProblems, viewCluster } from './private/cluster-view';
import { deployChart, deployObject } from './private/deploy-objects';
import { rejectNewRoleProps } from './private/existing-role';
import { Kubectl } from './private/kubectl';
import { newObjectChart } from './private/manifests';
import { NodeAdmissions } from './private/node-admissions';
import { tagForDiscovery, NodeClassContext, withClusterDefaults } from './private/node-class-defaults';
import { grantNodePoolEditing } from './private/node-pool-editors';
import { publishValues } from './private/publish-values';
import { decisiveNodeClasses, permissionsFromHelmValues, resolveFromNodeClasses } from './private/resolve-permissions';
import { warnOfMissingEndpoints } from './private/vpc-endpoints';

/**
 * Karpenter in a cluster, with everything that it needs: roles and policies, the interruption queue, cluster access for
 * nodes, and the charts. The only required property is the cluster.
 *
 * Deletion leaves no instance behind. NodePools are deleted first, then EC2NodeClasses, which remain until their last
 * node is terminated. The charts and everything else follow.
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
   * Queue from which Karpenter reads interruption events.
   */
  public readonly interruptionQueue?: InterruptionQueue;

  /**
   * Version of Karpenter.
   */
  public readonly karpenterVersion: string;

  /**
   * Values of the chart `karpenter`. If GitOps installs the charts, use these values there.
   */
  public readonly helmValues: { [key: string]: any };

  /**
   * Values of the chart `karpenter-crd`. If GitOps installs the charts, use these values there.
   */
  public readonly crdHelmValues: { [key: string]: any };

  private readonly cluster: EksClusterView;
  private readonly chart: KarpenterChart;
  private readonly nodeClasses: EC2NodeClass[] = [];
  private readonly charts: Chart[] = [];
  private readonly nodeClassManifests = new Map<EC2NodeClass, Construct>();
  private readonly admissions: NodeAdmissions;
  private readonly nodeRoles: IRole[];
  /** Must exist as long as a node exists. */
  private readonly nodePrerequisites = new DependencyGroup();

  /**
   * @throws Error if the setup could not work, with the reason and a fix
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: KarpenterProps,
  ) {
    super(scope, id);
    requireProps(this, props, { cluster: "new ClusterReference(this, 'Cluster', { clusterName: 'my-cluster' })" });
    this.cluster = viewCluster(this, props.cluster);
    this.karpenterVersion = props.karpenterVersion ?? NEWEST_KARPENTER_VERSION;
    this.assertCompatible();
    const { cluster, existingControllerRole: existingRole } = props;
    rejectNewRoleProps(this, props, 'existingControllerRole', ['controllerRoleName']);
    this.controllerRole = new ControllerRole(this, 'Controller', {
      ...props,
      existingRole,
      roleName: props.controllerRoleName,
      path: existingRole ? undefined : props.path,
      permissionsBoundary: existingRole ? undefined : props.permissionsBoundary,
    });
    this.nodeRole = this.chooseNodeRole(props);
    this.nodeRoles = [this.nodeRole.role, ...(props.additionalNodeRoles ?? [])];
    this.interruptionQueue = withLongStackTrace(() => this.chooseQueue(props));
    this.chart = withLongStackTrace(
      () =>
        new KarpenterChart(this, 'Charts', {
          ...props,
          controllerRole: this.controllerRole,
          interruptionQueue: this.interruptionQueue,
          installChart: this.installsChart(),
        }),
    );
    this.helmValues = this.chart.helmValues;
    this.crdHelmValues = this.chart.crdHelmValues;
    this.controllerPolicies = this.newPolicies(cluster);
    this.admissions = new NodeAdmissions(this, props, this.nodePrerequisites);
    this.admissions.admit(this.nodeRole.role);
    this.nodePrerequisites.add(this.controllerRole, this.controllerPolicies, this.nodeRole);
    if (this.interruptionQueue) this.nodePrerequisites.add(this.interruptionQueue);
    this.chart.node.addDependency(this.nodePrerequisites);
    if (props.spotServiceLinkedRole)
      this.nodePrerequisites.add(
        new CfnServiceLinkedRole(this, 'SpotServiceLinkedRole', { awsServiceName: 'spot.amazonaws.com' }),
      );
    this.tagSubnets(props.discoveryTag);
    this.node.addValidation({ validate: () => this.findDuplicates() });
    if (props.isolatedVpc) warnOfMissingEndpoints(this, this.cluster.vpc(), this.featuresWithEndpoints());
  }

  /**
   * Deploys an EC2NodeClass. Role, subnets and security groups default to those of the cluster.
   *
   * @param id construct id, which is also the object's name unless `metadata` sets one
   * @param options properties of the EC2NodeClass
   * @throws Error if Karpenter, the API server or EC2 would reject the EC2NodeClass, or if the cluster has no kubectl
   * provider
   */
  public addNodeClass(id: string, options: KarpenterNodeClassOptions): EC2NodeClass {
    const chart = newObjectChart(this);
    const nodeClass = new EC2NodeClass(chart, id, withClusterDefaults(options, this.nodeClassContext()));
    this.nodeClasses.push(nodeClass);
    const role = this.roleOfNodes(id, options);
    if (!this.nodeRoles.includes(role)) this.nodeRoles.push(role);
    this.admissions
      .admit(role)
      .admitFamily(amiFamilyOfClass(nodeClass._toSpec()) ?? 'Custom', `${this.node.path}/${id}`);
    this.nodeClassManifests.set(
      nodeClass,
      this.deploy(`Class${id}`, (kubectl) => deployObject(this, 'Class', id, chart, kubectl)),
    );
    return nodeClass;
  }

  /**
   * Deploys a NodePool. It is deleted before its EC2NodeClass.
   *
   * @param id construct id, which is also the object's name unless `metadata` sets one
   * @param props properties of the NodePool
   * @throws Error if Karpenter or the API server would reject the NodePool, or if the cluster has no kubectl provider
   */
  public addNodePool(id: string, props: NodePoolProps): NodePool {
    const chart = newObjectChart(this);
    const nodePool = new NodePool(chart, id, props);
    const manifest = this.deploy(`Pool${id}`, (kubectl) => deployObject(this, 'Pool', id, chart, kubectl));
    const nodeClassManifest = this.nodeClassManifests.get(props.nodeClass as EC2NodeClass);
    if (nodeClassManifest) manifest.node.addDependency(nodeClassManifest);
    return nodePool;
  }

  /**
   * Deploys a cdk8s chart, such as one with NodeOverlays, or with NodePools and their EC2NodeClasses. Objects that a
   * later version of the chart no longer contains are deleted.
   *
   * @param id construct id
   * @param chart the complete chart. Its cdk8s app does not have to be synthesised.
   * @returns the deployed objects, to depend on
   * @throws Error if the cluster has no kubectl provider
   */
  public addChart(id: string, chart: Chart): Construct {
    this.charts.push(chart);
    return this.deploy(`Chart${id}`, (kubectl) => deployChart(this, `Chart${id}`, chart, kubectl));
  }

  /**
   * Lets an IAM role manage NodePools with kubectl or GitOps, but not EC2NodeClasses, which it can only read. An access
   * entry maps the role to the group `karpenter:nodepool-editors`, whose permissions `nodes.NodePoolEditorRole` has.
   *
   * @param role role of a team, to which the cluster gives no access yet
   * @see https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html
   */
  public grantManageNodePools(role: IRole): void {
    grantNodePoolEditing(this, this.cluster, role, (id, chart) => this.addChart(id, chart));
  }

  /**
   * Publishes what a GitOps repository needs: name of the cluster, version and values of both charts, roles, policies,
   * instance profile and queue.
   *
   * @param options outputs of the stack (the default), SSM parameters, or both
   * @throws Error if the path is not a path of SSM parameters
   * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-hierarchies.html
   */
  public publishForGitOps(options: GitOpsValuesOptions = {}): void {
    const stack = Stack.of(this);
    const values = {
      ClusterName: this.cluster.clusterName,
      KarpenterVersion: this.karpenterVersion,
      HelmValues: stack.toJsonString(this.helmValues),
      CrdHelmValues: stack.toJsonString(this.crdHelmValues),
      ControllerRoleArn: this.controllerRole.role.roleArn,
      ControllerPolicyArns: this.controllerPolicies.policyArns.join(','),
      NodeRoleName: this.nodeRole.roleName,
      InstanceProfileName: this.nodeRole.instanceProfile?.instanceProfileName,
      InterruptionQueueName: this.interruptionQueue?.queueName,
    };
    publishValues(this, values, options);
  }

  /**
   * Acknowledges what cdk-nag reports on the roles, policies and queue of this library, with a reason for each finding.
   * On an existing role that the app creates, it acknowledges the managed policies that nodes need. Policies, roles and
   * queues that you add yourself are still reported.
   *
   * It works with the packs AwsSolutions, HIPAA Security, NIST 800-53 and PCI DSS of cdk-nag 3, which reads
   * acknowledgements of the CDK, and cdk-nag 2, which reads the metadata of resources.
   *
   * @see https://github.com/cdklabs/cdk-nag
   */
  public acknowledgeCdkNag(): void {
    // An existing role of this app is outside of `nodeRole`. Constructs below that role are the user's.
    const existingRole = this.nodeRole.role.node.defaultChild;
    acknowledgeNagFindings([this, this.nodeRole, existingRole, this.interruptionQueue]);
  }

  /** Karpenter needs permission to pass the role of an instance profile. */
  private roleOfNodes(id: string, { nodeRole, instanceProfile }: KarpenterNodeClassOptions): IRole {
    const role = nodeRole ?? instanceProfile?.role;
    if (!role && instanceProfile) {
      Annotations.of(this).addWarningV2(
        'karpenter-constructs:instanceProfileRole',
        `${id}: the role of the instance profile ${instanceProfile.instanceProfileName} ` +
          'is unknown, so Karpenter gets no permission to pass it and cannot launch nodes; set nodeRole as well',
      );
    }
    return role ?? this.nodeRole.role;
  }

  private deploy(id: string, apply: (kubectl: Kubectl) => Construct): Construct {
    const { kubectl } = this.cluster;
    if (!kubectl) {
      throw errorWithoutStack(
        `${this.node.path}/${id}: objects can only be deployed to a cluster with a kubectl provider, got ${this.cluster.resource.node.path} without one; ` +
          'give the cluster a kubectl provider, or write the manifest with cdk8s and deploy it yourself',
      );
    }
    const deployed = withLongStackTrace(() => apply(kubectl));
    deployed.node.addDependency(this.nodePrerequisites, this.chart);
    return deployed;
  }

  private chooseNodeRole(props: KarpenterProps): NodeRole {
    const { nodeRole, existingNodeRole, cluster, path, karpenterVersion, isolatedVpc } = props;
    const forNewRole = ['nodeRoleName', 'nodeManagedPolicies'];
    rejectNewRoleProps(this, props, 'nodeRole', [...forNewRole, 'existingNodeRole']);
    rejectNewRoleProps(this, props, 'existingNodeRole', forNewRole);
    if (nodeRole) return nodeRole;
    return new NodeRole(this, 'Nodes', {
      cluster,
      path,
      permissionsBoundary: existingNodeRole ? undefined : props.permissionsBoundary,
      karpenterVersion,
      existingRole: existingNodeRole,
      roleName: props.nodeRoleName,
      managedPolicies: props.nodeManagedPolicies,
      instanceProfile: isolatedVpc,
    });
  }

  private newPolicies(cluster: IResource): ControllerPolicies {
    const { permissions, path, policyNamePrefix, karpenterVersion } = this.props;
    const merged = { ...permissionsFromHelmValues(this.helmValues, this.installsChart()), ...permissions };
    const policies = new ControllerPolicies(this, 'Policies', {
      cluster,
      path,
      policyNamePrefix,
      karpenterVersion,
      role: this.controllerRole.role,
      nodeRoles: this.nodeRoles,
      interruptionQueue: this.interruptionQueue,
      permissions: merged,
    });
    policies._resolveWith(() => resolveFromNodeClasses(decisiveNodeClasses(this.nodeClasses, this.charts), merged));
    return policies;
  }

  private chooseQueue({
    interruptionHandling = InterruptionHandling.newQueue(),
    karpenterVersion,
  }: KarpenterProps): InterruptionQueue | undefined {
    if (interruptionHandling.name === InterruptionHandling.none().name) return undefined;
    const { queue: given, existingQueue, eventRules } = interruptionHandling;
    const clusterName = this.cluster.knownName;
    const queue =
      given ??
      new InterruptionQueue(this, 'Interruption', { clusterName, karpenterVersion, existingQueue, eventRules });
    queue._assignReader(InterruptionConsumer.KARPENTER, this);
    return queue;
  }

  /** Looks only at earlier Karpenter constructs of the app, so that a pair is reported once. */
  private findDuplicates(): string[] {
    const all = this.node.root.node
      .findAll()
      .filter((construct): construct is Karpenter => construct instanceof Karpenter);
    const earlier = all.slice(0, all.indexOf(this)).map((scope) => ({ scope, cluster: scope.cluster }));
    return duplicateProblems({ scope: this, cluster: this.cluster }, earlier);
  }

  private installsChart(): boolean {
    return this.props.installChart ?? !(this.props.cluster instanceof ClusterReference);
  }

  private assertCompatible(): void {
    const { kubernetesVersion } = this.cluster;
    const problem = kubernetesVersion && incompatibilityProblem(kubernetesVersion, this.karpenterVersion);
    if (problem) throw errorWithoutStack(`${this.node.path}/karpenterVersion: ${problem}`);
  }

  /** Features that need further VPC endpoints. */
  private featuresWithEndpoints(): ReadonlySet<RequiredEndpoint['requiredFor']> {
    return new Set([
      ...(this.interruptionQueue ? ['interruptionQueue' as const] : []),
      ...(this.controllerRole.identity.name === ControllerIdentity.podIdentity().name ? ['podIdentity' as const] : []),
    ]);
  }

  private nodeClassContext(): NodeClassContext {
    return { cluster: this.cluster, nodeRole: this.nodeRole, discoveryTag: this.props.discoveryTag };
  }

  private tagSubnets(discoveryTag: string | undefined): void {
    const value = discoveryTag ?? this.cluster.knownName;
    // A reference to the cluster's name would create a dependency cycle: the cluster depends on its subnets.
    if (!Token.isUnresolved(value)) tagForDiscovery(this, this.cluster.privateSubnets(), value);
  }
}
