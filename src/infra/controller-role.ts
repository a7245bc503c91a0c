import { IResource } from 'aws-cdk-lib';
import { CfnAddon, CfnPodIdentityAssociation } from 'aws-cdk-lib/aws-eks';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ControllerIdentity } from './controller-identity';
import { ClusterView, viewCluster } from './private/cluster-view';
import { fargateProfilesFor } from './private/fargate';
import { assertRoleName } from './private/names';
import { AGENT, agentsOf } from './private/pod-identity-agent';
import { toPolicyDocument } from './private/policy-text';

/**
 * What a role of this library is called, and what bounds it.
 */
export interface RoleOptions {
  /**
   * Name of the role, at most 64 characters.
   *
   * @default - CloudFormation makes one up, which never collides with that of another cluster
   */
  readonly roleName?: string;

  /**
   * Path of the role, with a slash at its beginning and its end.
   *
   * @default /
   */
  readonly path?: string;

  /**
   * The most that the role may ever do.
   *
   * @default - no boundary
   */
  readonly permissionsBoundary?: iam.IManagedPolicy;
}

/**
 * Properties of a ControllerRole.
 */
export interface ControllerRoleProps extends RoleOptions {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * How the controller's pods come by the role.
   *
   * @default ControllerIdentity.podIdentity()
   */
  readonly identity?: ControllerIdentity;

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

  /**
   * Whether the add-on eks-pod-identity-agent is installed by this stack.
   *
   * @default - true for a cluster of this app, false for any other, which is taken to have it
   */
  readonly installPodIdentityAgent?: boolean;
}

/**
 * The role of Karpenter's controller, which its service account in this one cluster can take, and nothing else.
 */
export class ControllerRole extends Construct {
  /**
   * The role.
   */
  public readonly role: iam.IRole;

  /**
   * How the controller's pods come by it.
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
   * @throws Error if the controller could not take the role, with the reason and what to write instead
   */
  constructor(scope: Construct, id: string, props: ControllerRoleProps) {
    super(scope, id);
    const cluster = viewCluster(this, props.cluster);
    this.identity = props.identity ?? ControllerIdentity.podIdentity();
    this.namespace = props.namespace ?? 'kube-system';
    this.serviceAccountName = props.serviceAccountName ?? 'karpenter';
    assertRoleName(this, props.roleName, cluster);
    const usesIrsa = this.identity.name === ControllerIdentity.irsa().name;
    this.role = usesIrsa ? this.newRoleForToken(cluster, props) : this.newRoleForAgent(cluster, props);
    this.serviceAccountAnnotations = usesIrsa ? { 'eks.amazonaws.com/role-arn': this.role.roleArn } : {};
    if (!usesIrsa) this.refuseFargate(cluster);
  }

  private newRoleForAgent(cluster: ClusterView, props: ControllerRoleProps): iam.IRole {
    const role = this.newRole(props, new iam.SessionTagsPrincipal(new iam.ServicePrincipal('pods.eks.amazonaws.com').withConditions({
      StringEquals: {
        'aws:RequestTag/eks-cluster-arn': cluster.clusterArn,
        'aws:RequestTag/kubernetes-namespace': this.namespace,
        'aws:RequestTag/kubernetes-service-account': this.serviceAccountName,
      },
    })));
    const association = new CfnPodIdentityAssociation(this, 'PodIdentityAssociation', {
      clusterName: cluster.clusterName, namespace: this.namespace, serviceAccount: this.serviceAccountName, roleArn: role.roleArn,
    });
    const agent = this.installAgent(cluster, props.installPodIdentityAgent);
    if (agent) association.node.addDependency(agent);
    return role;
  }

  private installAgent(cluster: ClusterView, wanted: boolean | undefined): Construct | undefined {
    if (!(wanted ?? cluster.ownedCluster !== undefined)) return undefined;
    this.refuseSecondAgent(cluster);
    const known = agentsOf(cluster)[0];
    if (known) return known;
    // The cluster's own getter creates the add-on only once.
    const own = cluster.ownedCluster?.eksPodIdentityAgent;
    return own as Construct | undefined ?? new CfnAddon(this, 'PodIdentityAgent', { clusterName: cluster.clusterName, addonName: AGENT });
  }

  /** At synth, since somebody else may add it after the role. */
  private refuseSecondAgent(cluster: ClusterView): void {
    this.node.addValidation({
      validate: () => agentsOf(cluster).slice(1).map((agent) => `installPodIdentityAgent: a cluster has the add-on ${AGENT} once, got it as ${agent.node.path}, too; `
        + 'write installPodIdentityAgent: false, or leave the other one out'),
    });
  }

  private newRoleForToken(cluster: ClusterView, props: ControllerRoleProps): iam.IRole {
    const provider = cluster.openIdConnectProvider();
    if (!provider) {
      throw new Error(`${this.node.path}/identity: the cluster must have a known OpenID Connect provider, got none; import it with openIdConnectProvider, `
        + 'or use ControllerIdentity.podIdentity()');
    }
    const issuer = provider.openIdConnectProviderIssuer;
    const conditions = {
      StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: `system:serviceaccount:${this.namespace}:${this.serviceAccountName}` },
    };
    const role = this.newRole(props, new iam.FederatedPrincipal(provider.openIdConnectProviderArn, {}, 'sts:AssumeRoleWithWebIdentity'));
    (role.node.defaultChild as iam.CfnRole).assumeRolePolicyDocument = toPolicyDocument(this, {
      Version: '2012-10-17',
      Statement: [{
        Effect: 'Allow',
        Principal: { Federated: provider.openIdConnectProviderArn },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: conditions,
      }],
    });
    return role;
  }

  private newRole({ roleName, path, permissionsBoundary }: RoleOptions, assumedBy: iam.IPrincipal): iam.Role {
    return new iam.Role(this, 'Role', { assumedBy, roleName, path, permissionsBoundary, description: "Karpenter's controller" });
  }

  /** At synth, since profiles may be added after the role. */
  private refuseFargate(cluster: ClusterView): void {
    this.node.addValidation({
      validate: () => fargateProfilesFor(cluster, this.namespace).map((profile) =>
        `identity: the controller must not have its role through EKS Pod Identity on Fargate, got the Fargate profile ${profile} for namespace `
        + `${this.namespace}; write identity: ControllerIdentity.irsa(), since the agent is a DaemonSet and Fargate runs none`),
    });
  }
}
