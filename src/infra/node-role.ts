import { IResource, Stack, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { IamRoleOptions } from './controller-role';
import { CNI_IPV6_ACTIONS, ec2Principals, NEWEST_KARPENTER_VERSION, nodePolicyNames, statementText } from '../contract';
import { requireProps } from '../model';
import { viewCluster } from './private/cluster-view';
import {
  acceptsPolicies,
  assertSameAccount,
  ownRole,
  rejectNewRoleProps,
  copyableStatement,
  warnOfRole,
} from './private/existing-role';
import { assertInstanceProfileName, assertRoleName } from './private/name-lengths';

/**
 * Properties of a NodeRole.
 */
export interface NodeRoleProps extends IamRoleOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * Existing role of the cluster's account, created by this app or imported. A role of this app gets the policies and
   * the trust policy that nodes need. For an imported role, a warning at synth says what it needs.
   *
   * @default - a new role
   */
  readonly existingRole?: iam.IRole;

  /**
   * Whether an instance profile is created for the role, for EC2NodeClasses with `instanceProfile`. In a VPC without
   * internet access, Karpenter cannot create one itself, because IAM has no VPC endpoint.
   *
   * @default false
   */
  readonly instanceProfile?: boolean;

  /**
   * Name of the instance profile. If it is set, an instance profile is created.
   *
   * @default - CloudFormation generates the name
   */
  readonly instanceProfileName?: string;

  /**
   * Policies in addition to the policies that every node needs.
   *
   * @default - none
   */
  readonly managedPolicies?: iam.IManagedPolicy[];

  /**
   * Whether nodes get the permissions of the VPC CNI. If false, the add-on needs its own role.
   *
   * @default true
   */
  readonly vpcCniPermissions?: boolean;

  /**
   * Whether nodes get the permissions of SSM Session Manager.
   *
   * @default true
   */
  readonly sessionManagerPermissions?: boolean;

  /**
   * Version of Karpenter. Upstream's list of node policies depends on it.
   *
   * @default - the newest version that this package supports
   */
  readonly karpenterVersion?: string;
}

/**
 * The role of the nodes that Karpenter launches. It is separate from the controller's role.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/#node-authorization
 */
export class NodeRole extends Construct {
  /**
   * The role.
   */
  public readonly role: iam.IRole;

  /**
   * The role's instance profile, if `instanceProfile` or `instanceProfileName` is set.
   */
  public readonly instanceProfile?: iam.InstanceProfile;

  /**
   * Name of the role, as in `role` of an EC2NodeClass.
   */
  public readonly roleName: string;

  /**
   * @throws Error if a name is too long for IAM, or if the existing role is in another account
   */
  constructor(scope: Construct, id: string, props: NodeRoleProps) {
    super(scope, id);
    requireProps(this, props, { cluster: "new ClusterReference(this, 'Cluster', { clusterName: 'my-cluster' })" });
    const cluster = viewCluster(this, props.cluster);
    assertRoleName(this, props.roleName, cluster);
    assertInstanceProfileName(this, props.instanceProfileName, cluster);
    rejectNewRoleProps(this, props, 'existingRole', ['roleName', 'permissionsBoundary']);
    this.role = props.existingRole ? this.adopt(props.existingRole, props) : this.newRole(props);
    this.roleName = this.role.roleName;
    if (cluster.ipv6 && props.vpcCniPermissions !== false) this.allowIpv6();
    if (props.instanceProfile || props.instanceProfileName !== undefined) {
      this.instanceProfile = new iam.InstanceProfile(this, 'InstanceProfile', {
        role: this.role,
        instanceProfileName: props.instanceProfileName,
        path: props.path,
      });
    }
  }

  private newRole(props: NodeRoleProps): iam.Role {
    return new iam.Role(this, 'Role', {
      assumedBy: this.principal(),
      roleName: props.roleName,
      path: props.path,
      permissionsBoundary: props.permissionsBoundary,
      description: 'Nodes of Karpenter',
      managedPolicies: [...this.policiesOf(props), ...(props.managedPolicies ?? [])],
    });
  }

  /** Adds to a role of this app what nodes need. For an imported role, a warning lists it. */
  private adopt(role: iam.IRole, props: NodeRoleProps): iam.IRole {
    assertSameAccount(this, 'existingRole', role);
    const policies = [...this.policiesOf(props), ...(props.managedPolicies ?? [])];
    const trust = new iam.PolicyStatement({ principals: [this.principal()], actions: ['sts:AssumeRole'] });
    const own = ownRole(role);
    own?.assumeRolePolicy!.addStatements(trust);
    for (const policy of own ? policies : []) role.addManagedPolicy(policy);
    const arns = policies.map((policy) => statementText(Stack.of(this).resolve(policy.managedPolicyArn)).slice(1, -1));
    warnOfRole(this, {
      property: 'existingNodeRole',
      role,
      reason: 'nodes do not join the cluster',
      needs: own
        ? []
        : [
            `has the policies ${arns.join(', ')}`,
            `has this statement in its trust policy: ${copyableStatement(this, trust)}`,
          ],
    });
    return role;
  }

  private principal(): iam.IPrincipal {
    const { region, urlSuffix } = Stack.of(this);
    const knownRegion = Token.isUnresolved(region) ? undefined : region;
    return new ExactServicePrincipal(ec2Principals(knownRegion, urlSuffix));
  }

  private policiesOf(props: NodeRoleProps): iam.IManagedPolicy[] {
    return nodePolicyNames(props.karpenterVersion ?? NEWEST_KARPENTER_VERSION)
      .filter((name) => props.vpcCniPermissions !== false || name !== 'AmazonEKS_CNI_Policy')
      .filter((name) => props.sessionManagerPermissions !== false || name !== 'AmazonSSMManagedInstanceCore')
      .map((name) => iam.ManagedPolicy.fromAwsManagedPolicyName(name));
  }

  private allowIpv6(): void {
    const interfaces = Stack.of(this).formatArn({
      service: 'ec2',
      region: '*',
      account: '*',
      resource: 'network-interface',
      resourceName: '*',
    });
    const statements = [
      new iam.PolicyStatement({ sid: 'AssignIpv6Addresses', actions: [...CNI_IPV6_ACTIONS], resources: ['*'] }),
      new iam.PolicyStatement({ sid: 'TagInterfaces', actions: ['ec2:CreateTags'], resources: [interfaces] }),
    ];
    if (acceptsPolicies(this.role)) {
      new iam.ManagedPolicy(this, 'Ipv6Policy', { statements, roles: [this.role] });
      return;
    }
    const needs = [
      `has these statements: ${statements.map((statement) => copyableStatement(this, statement)).join(' ')}`,
    ];
    warnOfRole(this, {
      property: 'existingNodeRoleIpv6',
      role: this.role,
      reason: 'pods get no IPv6 addresses',
      needs,
    });
  }
}

/**
 * A principal with exactly these service names. The CDK's ServicePrincipal would replace each by its name in the
 * region, but both names are needed in China.
 */
class ExactServicePrincipal extends iam.PrincipalBase {
  public readonly policyFragment: iam.PrincipalPolicyFragment;

  constructor(services: readonly string[]) {
    super();
    this.policyFragment = new iam.PrincipalPolicyFragment({ Service: [...services] });
  }

  public dedupeString(): string {
    return JSON.stringify(this.policyFragment.principalJson);
  }
}
