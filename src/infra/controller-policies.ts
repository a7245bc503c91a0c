import { Annotations, IResource, Lazy, Stack } from 'aws-cdk-lib';
import { CfnManagedPolicy, IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ControllerPermissions } from './controller-permissions';
import {
  AWS_LIMITS,
  controllerPolicies,
  ControllerPolicy,
  ControllerPolicyName,
  oversizeProblem,
  IamStatement,
  isKnownKarpenterVersion,
  NEWEST_KARPENTER_VERSION,
  parameterStatements,
  PARTITIONS,
  PolicyTarget,
  queueKeyStatements,
  toIamDocument,
  unsupportedPartitionOf,
  volumeKeyStatements,
} from '../contract';
import { InterruptionQueue } from '../interruption';
import { errorWithoutStack, requireProps } from '../model';
import { EksClusterView, viewCluster } from './private/cluster-view';
import { acceptsPolicies, warnOfRole } from './private/existing-role';
import { arnOfKey, arnOfParameter, toPolicyDocument, allowVolumeEncryption } from './private/iam-policies';
import { withLongestTokenValues } from './private/longest-token-values';
import { nameWithinLimit } from './private/name-lengths';
import { ResolvedPermissions, resolvePermissions } from './private/resolve-permissions';

/**
 * Properties of ControllerPolicies.
 */
export interface ControllerPoliciesProps {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * The controller's role. If it must not be changed, as with `mutable: false`, the policies are created but not
   * attached, and a warning at synth says so.
   */
  readonly role: IRole;

  /**
   * Roles that nodes may have. The controller can pass only these roles to instances.
   */
  readonly nodeRoles: IRole[];

  /**
   * Queue from which the controller reads interruption events.
   *
   * @default - none
   */
  readonly interruptionQueue?: InterruptionQueue;

  /**
   * Version of Karpenter, 1.0.0 or later.
   *
   * @default - the newest version that this package supports
   */
  readonly karpenterVersion?: string;

  /**
   * Karpenter features that are used.
   *
   * @default - everything that upstream's published policies allow
   */
  readonly permissions?: ControllerPermissions;

  /**
   * IAM path of the policies.
   *
   * @default /
   */
  readonly path?: string;

  /**
   * Prefix of the policies' names, such as `KarpenterController`, so that the names are predictable: for example
   * `KarpenterControllerNodeLifecyclePolicy-shop` for the cluster `shop`. A name that is too long for IAM is shortened
   * with a hash. If the cluster's name is known only at deployment and the policy's name may be too long,
   * CloudFormation generates the name.
   *
   * @default - CloudFormation generates the names
   */
  readonly policyNamePrefix?: string;
}

/**
 * IAM policies of the controller: upstream's policies for the Karpenter version, without permissions for unused
 * features, plus permissions for your queue, keys and parameters. They are split as upstream splits them, so that each
 * stays below IAM's size limit for any cluster name.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/#controller-authorization
 */
export class ControllerPolicies extends Construct {
  /**
   * ARNs of the policies.
   */
  public readonly policyArns: string[];

  private readonly cluster: EksClusterView;
  private readonly place: Pick<PolicyTarget, 'partition' | 'region' | 'account'>;
  private resolve: () => ResolvedPermissions;

  /**
   * @throws Error if the Karpenter version is not supported, or if `cluster` is not a cluster
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: ControllerPoliciesProps,
  ) {
    super(scope, id);
    requireProps(this, props, {
      cluster: "new ClusterReference(this, 'Cluster', { clusterName: 'my-cluster' })",
      role: 'controllerRole.role',
      nodeRoles: '[nodeRole.role]',
    });
    const { karpenterVersion, permissions = {} } = props;
    if (karpenterVersion !== undefined && !isKnownKarpenterVersion(karpenterVersion)) {
      throw errorWithoutStack(
        `${this.node.path}/karpenterVersion: must be a release from 1.0.0 to ${NEWEST_KARPENTER_VERSION}, got ${JSON.stringify(karpenterVersion)}; ` +
          `write for example ${NEWEST_KARPENTER_VERSION}`,
      );
    }
    this.cluster = viewCluster(this, props.cluster);
    const { partition, region, account } = Stack.of(this);
    this.place = { partition, region, account };
    this.warnOfUnsupportedPartition(region);
    this.resolve = () => resolvePermissions(permissions);
    for (const key of permissions.volumeKeys ?? []) allowVolumeEncryption(key, this.place);
    const policyArns: string[] = [];
    // No callback, which would hide the user's line of code in the CDK's stack traces.
    for (const { name } of this.policies()) policyArns.push(this.newPolicy(name).ref);
    this.policyArns = policyArns;
    this.warnOfDetachedPolicies();
    this.node.addValidation({ validate: () => this.findOversizedPolicies() });
  }

  private warnOfUnsupportedPartition(region: string): void {
    const partition = unsupportedPartitionOf(region);
    if (partition === undefined) return;
    const supported = PARTITIONS.map(({ name }) => name);
    Annotations.of(this).addWarningV2(
      'karpenter-constructs:partition',
      `the policies, principals and endpoints of this library are for the partitions ${supported.slice(0, -1).join(', ')} ` +
        `and ${supported[supported.length - 1]}, got the region ${region} of ${partition}, where they are untested and may not work; check them before you deploy`,
    );
  }

  private warnOfDetachedPolicies(): void {
    const { role } = this.props;
    const needs = acceptsPolicies(role)
      ? []
      : [`has the ${this.policyArns.length} managed policies of ${this.node.path}, whose ARNs are in policyArns`];
    const reason = 'the controller can launch no nodes';
    warnOfRole(this, { property: 'existingControllerRolePolicies', role, reason, needs });
  }

  /** @internal */
  public _resolveWith(resolve: () => ResolvedPermissions): void {
    this.resolve = resolve;
  }

  private newPolicy(name: ControllerPolicyName): CfnManagedPolicy {
    const { role, path, policyNamePrefix } = this.props;
    return new CfnManagedPolicy(this, name, {
      managedPolicyName:
        policyNamePrefix &&
        nameWithinLimit(
          this,
          `${policyNamePrefix}${name}Policy-${this.cluster.knownName}`,
          AWS_LIMITS.policyNameCharacters,
        ),
      path,
      roles: acceptsPolicies(role) ? [role.roleName] : undefined,
      policyDocument: Lazy.any({
        produce: () => toPolicyDocument(this, toIamDocument(this.statementsOf(name, this.policies()))),
      }),
    });
  }

  private policies(): ControllerPolicy[] {
    const { nodeRoles, interruptionQueue, karpenterVersion = NEWEST_KARPENTER_VERSION } = this.props;
    const { features, ...resources } = this.resolve();
    const volumeKeys = resources.volumeKeys.map((key) => arnOfKey(this, key));
    const imageParameters = resources.imageParameters.map((parameter) => arnOfParameter(this, parameter));
    const subject: PolicyTarget = {
      ...this.place,
      clusterName: this.cluster.knownName,
      nodeRoles: nodeRoles.map(({ roleArn }) => roleArn),
      interruptionQueue: interruptionQueue?.queueArn,
    };
    const additions: Partial<Record<ControllerPolicyName, IamStatement[]>> = {
      NodeLifecycle: volumeKeys.length > 0 ? volumeKeyStatements(volumeKeys, this.place) : [],
      Interruption: interruptionQueue?.encryptionKey
        ? queueKeyStatements(interruptionQueue.encryptionKey.keyArn, this.place)
        : [],
      ResourceDiscovery: imageParameters.length > 0 ? parameterStatements(imageParameters, this.place) : [],
    };
    return controllerPolicies(subject, { karpenterVersion, features }).map(({ name, statements }) => ({
      name,
      statements: [...statements, ...(additions[name] ?? [])],
    }));
  }

  private statementsOf(name: ControllerPolicyName, policies: readonly ControllerPolicy[]): readonly IamStatement[] {
    return policies.find((policy) => policy.name === name)!.statements;
  }

  /** Policies that exceed IAM's size limit if each token has its longest possible value. */
  private findOversizedPolicies(): string[] {
    return this.policies().flatMap(
      ({ name, statements }) => oversizeProblem(name, withLongestTokenValues(this, statements)) ?? [],
    );
  }
}
