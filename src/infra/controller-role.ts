import { IResource } from 'aws-cdk-lib';
import { CfnAddon, CfnPodIdentityAssociation } from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { POD_IDENTITY_AGENT } from '../contract';
import { errorWithoutStack, requireProps } from '../model';
import { EksClusterView, viewCluster } from './private/cluster-view';
import { controllerFargateProfiles } from './private/controller-capacity';
import {
  addTrust,
  assertSameAccount,
  ownRole,
  rejectNewRoleProps,
  copyableStatement,
  warnOfRole,
} from './private/existing-role';
import { toPolicyDocument } from './private/iam-policies';
import { assertRoleName } from './private/name-lengths';
import { podIdentityAgents, warnOfUnknownAgent } from './private/pod-identity-agent';

/**
 * Options of EKS Pod Identity.
 */
export interface PodIdentityOptions {
  /**
   * Whether this stack installs the add-on eks-pod-identity-agent.
   *
   * @default - true for a cluster of this app; for any other cluster false, with a warning at synth unless the app
   * installs the add-on otherwise, because the cluster may lack it
   */
  readonly installAgent?: boolean;
}

/**
 * How the controller's pods get their IAM role.
 */
export class ControllerIdentity {
  /**
   * EKS Pod Identity, which associates the service account with the role. It needs the add-on eks-pod-identity-agent.
   * The add-on is a DaemonSet, so this does not work on Fargate.
   *
   * @param options whether the add-on is installed
   * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
   */
  public static podIdentity(options: PodIdentityOptions = {}): ControllerIdentity {
    return new ControllerIdentity('pod-identity', options.installAgent);
  }

  /**
   * IAM roles for service accounts (IRSA): the role trusts the cluster's OpenID Connect provider. This also works on
   * Fargate.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html
   */
  public static irsa(): ControllerIdentity {
    return new ControllerIdentity('irsa');
  }

  private constructor(
    /** `pod-identity` or `irsa`. */
    public readonly name: string,
    /** Whether this stack installs the add-on eks-pod-identity-agent, if it is set. */
    public readonly installAgent?: boolean,
  ) {}
}

/**
 * Name, path and permissions boundary of a role.
 */
export interface IamRoleOptions {
  /**
   * Name of the role, at most 64 characters.
   *
   * @default - CloudFormation generates a unique name
   */
  readonly roleName?: string;

  /**
   * IAM path of the role, which begins and ends with a slash.
   *
   * @default /
   */
  readonly path?: string;

  /**
   * Permissions boundary of the role.
   *
   * @default - no boundary
   */
  readonly permissionsBoundary?: iam.IManagedPolicy;
}

/**
 * Properties of a ControllerRole.
 */
export interface ControllerRoleProps extends IamRoleOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * How the controller's pods get the role.
   *
   * @default ControllerIdentity.podIdentity()
   */
  readonly identity?: ControllerIdentity;

  /**
   * Existing role of the cluster's account, created by this app or imported. If it is imported, its trust policy cannot
   * be changed here, and a warning at synth has the statement that it needs.
   *
   * @default - a new role
   */
  readonly existingRole?: iam.IRole;

  /**
   * Namespace of the controller.
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
}

/**
 * The role of Karpenter's controller. Only the controller's service account in this cluster can assume it.
 */
export class ControllerRole extends Construct {
  /**
   * The role.
   */
  public readonly role: iam.IRole;

  /**
   * How the controller's pods get the role.
   */
  public readonly identity: ControllerIdentity;

  /**
   * Namespace of the controller.
   */
  public readonly namespace: string;

  /**
   * Name of the controller's service account.
   */
  public readonly serviceAccountName: string;

  /**
   * Annotations that the service account needs.
   */
  public readonly serviceAccountAnnotations: { [key: string]: string };

  /**
   * @throws Error if the controller could not assume the role, with the reason and a fix
   */
  constructor(scope: Construct, id: string, props: ControllerRoleProps) {
    super(scope, id);
    requireProps(this, props, { cluster: "new ClusterReference(this, 'Cluster', { clusterName: 'my-cluster' })" });
    const cluster = viewCluster(this, props.cluster);
    this.identity = props.identity ?? ControllerIdentity.podIdentity();
    this.namespace = props.namespace ?? 'kube-system';
    this.serviceAccountName = props.serviceAccountName ?? 'karpenter';
    assertRoleName(this, props.roleName, cluster);
    rejectNewRoleProps(this, props, 'existingRole', ['roleName', 'path', 'permissionsBoundary']);
    const usesIrsa = this.identity.name === ControllerIdentity.irsa().name;
    this.role = usesIrsa ? this.newIrsaRole(cluster, props) : this.newPodIdentityRole(cluster, props);
    this.serviceAccountAnnotations = usesIrsa ? { 'eks.amazonaws.com/role-arn': this.role.roleArn } : {};
    if (!usesIrsa) this.rejectFargate(cluster);
  }

  private newPodIdentityRole(cluster: EksClusterView, props: ControllerRoleProps): iam.IRole {
    const principal = new iam.SessionTagsPrincipal(
      new iam.ServicePrincipal('pods.eks.amazonaws.com').withConditions({
        StringEquals: {
          'aws:RequestTag/eks-cluster-arn': cluster.clusterArn,
          'aws:RequestTag/kubernetes-namespace': this.namespace,
          'aws:RequestTag/kubernetes-service-account': this.serviceAccountName,
        },
      }),
    );
    const role = props.existingRole
      ? this.trustingRole(props.existingRole, (existing) => {
          const policy = new iam.PolicyDocument();
          principal.addToAssumeRolePolicy(policy);
          const [statement] = policy.toJSON().Statement;
          if (existing) principal.addToAssumeRolePolicy(existing.assumeRolePolicy!);
          return statement;
        })
      : this.newRole(props, principal);
    const association = new CfnPodIdentityAssociation(this, 'PodIdentityAssociation', {
      clusterName: cluster.clusterName,
      namespace: this.namespace,
      serviceAccount: this.serviceAccountName,
      roleArn: role.roleArn,
    });
    const agent = this.installAgent(cluster, this.identity.installAgent);
    if (agent) association.node.addDependency(agent);
    return role;
  }

  private installAgent(cluster: EksClusterView, install: boolean | undefined): Construct | undefined {
    if (install === undefined && !cluster.ownedCluster) warnOfUnknownAgent(this, cluster);
    if (!(install ?? cluster.ownedCluster !== undefined)) return undefined;
    this.rejectSecondAgent(cluster);
    const existing = podIdentityAgents(cluster)[0];
    if (existing) return existing;
    // The getter of an aws-eks cluster creates the add-on only once.
    const own = cluster.ownedCluster?.eksPodIdentityAgent;
    return (
      (own as Construct | undefined) ??
      new CfnAddon(this, 'PodIdentityAgent', { clusterName: cluster.clusterName, addonName: POD_IDENTITY_AGENT })
    );
  }

  /** Checked at synth, because the add-on may be added after the role. */
  private rejectSecondAgent(cluster: EksClusterView): void {
    this.node.addValidation({
      validate: () =>
        podIdentityAgents(cluster)
          .slice(1)
          .map(
            (agent) =>
              `identity: a cluster can have the add-on ${POD_IDENTITY_AGENT} only once, got a second one, ${agent.node.path}; ` +
              'write ControllerIdentity.podIdentity({ installAgent: false }), or remove the other add-on',
          ),
    });
  }

  private newIrsaRole(cluster: EksClusterView, props: ControllerRoleProps): iam.IRole {
    const provider = cluster.openIdConnectProvider();
    if (!provider) {
      throw errorWithoutStack(
        `${this.node.path}/identity: IRSA needs the cluster's OpenID Connect provider, got none; import the cluster with openIdConnectProvider, ` +
          'or use ControllerIdentity.podIdentity()',
      );
    }
    const issuer = provider.openIdConnectProviderIssuer;
    const conditions = {
      StringEquals: {
        [`${issuer}:aud`]: 'sts.amazonaws.com',
        [`${issuer}:sub`]: `system:serviceaccount:${this.namespace}:${this.serviceAccountName}`,
      },
    };
    const statement = {
      Effect: 'Allow',
      Principal: { Federated: provider.openIdConnectProviderArn },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: conditions,
    };
    if (props.existingRole) {
      return this.trustingRole(props.existingRole, (existing) => {
        if (existing) addTrust(existing, statement);
        return statement;
      });
    }
    const role = this.newRole(
      props,
      new iam.FederatedPrincipal(provider.openIdConnectProviderArn, {}, 'sts:AssumeRoleWithWebIdentity'),
    );
    (role.node.defaultChild as iam.CfnRole).assumeRolePolicyDocument = toPolicyDocument(this, {
      Version: '2012-10-17',
      Statement: [statement],
    });
    return role;
  }

  /** The existing role, with the statement in its trust policy, or with a warning that has the statement. */
  private trustingRole(role: iam.IRole, trust: (existing: iam.Role | undefined) => object): iam.IRole {
    assertSameAccount(this, 'existingRole', role);
    const own = ownRole(role);
    const statement = trust(own);
    const needs = own ? [] : [`has this statement in its trust policy: ${copyableStatement(this, statement)}`];
    warnOfRole(this, { property: 'existingControllerRole', role, reason: 'the controller gets no credentials', needs });
    return role;
  }

  private newRole({ roleName, path, permissionsBoundary }: IamRoleOptions, assumedBy: iam.IPrincipal): iam.Role {
    return new iam.Role(this, 'Role', {
      assumedBy,
      roleName,
      path,
      permissionsBoundary,
      description: "Karpenter's controller",
    });
  }

  /** Checked at synth, because Fargate profiles may be added after the role. */
  private rejectFargate(cluster: EksClusterView): void {
    this.node.addValidation({
      validate: () =>
        controllerFargateProfiles(cluster, this.namespace).map(
          (profile) =>
            `identity: EKS Pod Identity does not work on Fargate, which runs no DaemonSets, got the Fargate profile ${profile} for namespace ` +
            `${this.namespace}; write identity: ControllerIdentity.irsa()`,
        ),
    });
  }
}
