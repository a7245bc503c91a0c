import { IResource, Lazy, Stack } from 'aws-cdk-lib';
import { CfnRole, IRole } from 'aws-cdk-lib/aws-iam';
import { Construct, Dependable } from 'constructs';
import { NodeAccess } from './node-access';
import { accessEntryTypeOf, NODE_GROUPS, NODE_USERNAME, WINDOWS_NODE_GROUP } from '../contract';
import { ClusterView, viewCluster } from './private/cluster-view';
import { NodeAccessEntry } from './private/node-access-entry';

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
   * What lets them join.
   *
   * @default - an access entry, or a mapping in aws-auth where the cluster knows nothing else
   */
  readonly access?: NodeAccess;
}

/**
 * Lets nodes with a role join the cluster.
 */
export class NodeAdmission extends Construct {
  /**
   * What lets them join.
   */
  public readonly access: NodeAccess;

  private readonly families = new Map<string, string>();
  private readonly groups: string[] = [...NODE_GROUPS];

  /**
   * @throws Error if the cluster does not let nodes join in this way
   */
  constructor(scope: Construct, id: string, props: NodeAdmissionProps) {
    super(scope, id);
    const cluster = viewCluster(this, props.cluster);
    this.access = props.access ?? (cluster.configMapOnly ? NodeAccess.awsAuth() : NodeAccess.accessEntry());
    if (this.access.name === NodeAccess.accessEntry().name) this.addAccessEntry(cluster, props.role);
    if (this.access.name === NodeAccess.awsAuth().name) this.addMapping(cluster, props.role);
  }

  /**
   * Notes that nodes of an AMI family have the role.
   *
   * @param amiFamily such as `AL2023` or `Windows2022`
   * @param user what launches them, for messages
   */
  public admitFamily(amiFamily: string, user: string): void {
    this.families.set(user, amiFamily);
    if (accessEntryTypeOf(amiFamily) === 'EC2_WINDOWS' && !this.groups.includes(WINDOWS_NODE_GROUP)) this.groups.push(WINDOWS_NODE_GROUP);
  }

  private addAccessEntry(cluster: ClusterView, role: IRole): void {
    if (cluster.configMapOnly) {
      throw new Error(`${this.node.path}/access: must be NodeAccess.awsAuth() in a cluster with the authentication mode CONFIG_MAP, got access-entry; `
        + 'write authenticationMode: AuthenticationMode.API_AND_CONFIG_MAP on the cluster');
    }
    new NodeAccessEntry(this, 'AccessEntry', cluster, {
      principalArn: role.roleArn,
      type: Lazy.string({ produce: () => this.access.type ?? this.typesInUse()[0] ?? accessEntryTypeOf('') }),
    });
    this.node.addValidation({ validate: () => this.findConflict() });
  }

  private addMapping(cluster: ClusterView, role: IRole): void {
    const { awsAuth } = cluster;
    if (!awsAuth) {
      throw new Error(`${this.node.path}/access: aws-auth can be changed for a cluster of aws-eks in this app alone, got ${cluster.resource.node.path}; `
        + 'write NodeAccess.accessEntry(), or NodeAccess.none() and map the role where the cluster is');
    }
    if (Stack.of(awsAuth) !== Stack.of(role)) {
      throw new Error(`${this.node.path}/access: aws-auth can map roles of the stack that the cluster is in alone, got ${role.node.path}; `
        + 'write authenticationMode: AuthenticationMode.API_AND_CONFIG_MAP on the cluster, or put Karpenter and its roles into that stack');
    }
    awsAuth.addRoleMapping(withoutPath(role), { groups: this.groups, username: NODE_USERNAME });
    // Without the ConfigMap no node is let in any more: it goes after whatever depends on the admission.
    Dependable.implement(this, { dependencyRoots: [this, awsAuth] });
  }

  private typesInUse(): string[] {
    return [...new Set([...this.families.values()].map(accessEntryTypeOf))];
  }

  private findConflict(): string[] {
    const types = this.typesInUse();
    if (types.length < 2) return [];
    const users = [...this.families].map(([user, family]) => `${user} (${family})`).join(', ');
    return [`access: nodes with Windows and nodes with Linux must not share a role, got ${users}; give the EC2NodeClass of one of them a NodeRole of its own`];
  }
}

/**
 * In aws-auth a role stands without the path that its ARN has: nodes come by the ARN of an assumed role, which has
 * none.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html
 */
function withoutPath(role: IRole): IRole {
  const made = role.node.defaultChild;
  const hasPath = made instanceof CfnRole ? ![undefined, '/'].includes(made.path) : /:role\/.+\//.test(role.roleArn);
  if (!hasPath) return role;
  const roleArn = Stack.of(role).formatArn({ service: 'iam', region: '', account: role.env.account, resource: 'role', resourceName: role.roleName });
  return Object.create(role, { roleArn: { value: roleArn } });
}
