import { IResource, Lazy, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry, CfnAccessEntryProps } from 'aws-cdk-lib/aws-eks';
import { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct, Dependable } from 'constructs';
import { NodeAccess } from './node-access';
import { accessEntryTypeOf, NODE_GROUPS, NODE_USERNAME, WINDOWS_NODE_GROUP } from '../contract';
import { errorWithoutStack, requireProps } from '../model';
import { roleWithoutPath } from './private/aws-auth-role';
import { EksClusterView, viewCluster } from './private/cluster-view';
import { hasPropertyValue, cfnResourcesOfType } from './private/resource-lookup';

/**
 * Properties of a NodeAdmission.
 */
export interface NodeAdmissionProps {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * Role of the nodes.
   */
  readonly role: IRole;

  /**
   * How the nodes get access.
   *
   * @default - an access entry, or a mapping in aws-auth if the cluster's authentication mode is CONFIG_MAP
   */
  readonly access?: NodeAccess;
}

/**
 * Gives nodes with a role access to the cluster, so that they can join it.
 */
export class NodeAdmission extends Construct {
  /**
   * How the nodes get access.
   */
  public readonly access: NodeAccess;

  /** AMI family by what launches the nodes. */
  private readonly amiFamilies = new Map<string, string>();
  private readonly groups: string[] = [...NODE_GROUPS];

  /**
   * @throws Error if the cluster does not support this kind of access
   */
  constructor(scope: Construct, id: string, props: NodeAdmissionProps) {
    super(scope, id);
    requireProps(this, props, {
      cluster: "new ClusterReference(this, 'Cluster', { clusterName: 'my-cluster' })",
      role: 'nodeRole.role',
    });
    const cluster = viewCluster(this, props.cluster);
    this.access = props.access ?? (cluster.configMapOnly ? NodeAccess.awsAuth() : NodeAccess.accessEntry());
    if (this.access.name === NodeAccess.accessEntry().name) this.addAccessEntry(cluster, props.role);
    if (this.access.name === NodeAccess.awsAuth().name) this.addAwsAuthMapping(cluster, props.role);
  }

  /**
   * Records that nodes of an AMI family have the role, which determines the type of the access entry.
   *
   * @param amiFamily AMI family, such as `AL2023` or `Windows2022`
   * @param user what launches the nodes, for error messages
   */
  public admitFamily(amiFamily: string, user: string): void {
    this.amiFamilies.set(user, amiFamily);
    if (accessEntryTypeOf(amiFamily) === 'EC2_WINDOWS' && !this.groups.includes(WINDOWS_NODE_GROUP))
      this.groups.push(WINDOWS_NODE_GROUP);
  }

  private addAccessEntry(cluster: EksClusterView, role: IRole): void {
    if (cluster.configMapOnly) {
      throw errorWithoutStack(
        `${this.node.path}/access: must be NodeAccess.awsAuth() in a cluster with the authentication mode CONFIG_MAP, got access-entry; ` +
          'write authenticationMode: AuthenticationMode.API_AND_CONFIG_MAP on the cluster',
      );
    }
    new NodeAccessEntry(this, 'AccessEntry', cluster, {
      principalArn: role.roleArn,
      type: Lazy.string({ produce: () => this.access.type ?? this.accessEntryTypes()[0] ?? accessEntryTypeOf('') }),
    });
    this.node.addValidation({ validate: () => this.findConflict() });
  }

  private addAwsAuthMapping(cluster: EksClusterView, role: IRole): void {
    const { awsAuth } = cluster;
    if (!awsAuth) {
      throw errorWithoutStack(
        `${this.node.path}/access: aws-auth can only be changed for an aws-eks cluster of this app, got ${cluster.resource.node.path}; ` +
          'write NodeAccess.accessEntry(), or NodeAccess.none() and map the role where the cluster is created',
      );
    }
    if (Stack.of(awsAuth) !== Stack.of(role)) {
      throw errorWithoutStack(
        `${this.node.path}/access: aws-auth can only map roles of the cluster's stack, got ${role.node.path}; ` +
          'write authenticationMode: AuthenticationMode.API_AND_CONFIG_MAP on the cluster, or put Karpenter and its roles into that stack',
      );
    }
    awsAuth.addRoleMapping(roleWithoutPath(role), { groups: this.groups, username: NODE_USERNAME });
    // Without the ConfigMap, nodes lose access. It is deleted after everything that depends on the admission.
    Dependable.implement(this, { dependencyRoots: [this, awsAuth] });
  }

  private accessEntryTypes(): string[] {
    return [...new Set([...this.amiFamilies.values()].map(accessEntryTypeOf))];
  }

  private findConflict(): string[] {
    const types = this.accessEntryTypes();
    if (types.length < 2) return [];
    const users = [...this.amiFamilies].map(([user, family]) => `${user} (${family})`).join(', ');
    return [
      `access: Windows and Linux nodes must not share a role, got ${users}; give one of these EC2NodeClasses its own NodeRole`,
    ];
  }
}

/**
 * An access entry that is left out if a managed node group of the cluster has the same role. EKS then creates the entry
 * itself and rejects a second one ("already in use on this cluster"), so the deployment would fail. Decided at synth,
 * because node groups may be added after Karpenter.
 */
class NodeAccessEntry extends CfnAccessEntry {
  constructor(
    scope: Construct,
    id: string,
    private readonly cluster: EksClusterView,
    props: Omit<CfnAccessEntryProps, 'clusterName'>,
  ) {
    super(scope, id, { ...props, clusterName: cluster.clusterName });
  }

  protected shouldSynthesize(): boolean {
    const { resource, clusterName, knownName } = this.cluster;
    return !cfnResourcesOfType(this, 'AWS::EKS::Nodegroup').some(
      (group) =>
        hasPropertyValue(group, 'clusterName', resource, [clusterName, knownName]) &&
        hasPropertyValue(group, 'nodeRole', this, [this.principalArn]),
    );
  }
}
