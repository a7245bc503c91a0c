import { IResource, Lazy, Stack } from 'aws-cdk-lib';
import { CfnManagedPolicy, IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ControllerPermissions } from './controller-permissions';
import {
  AWS_LIMITS, controllerPolicies, ControllerPolicy, ControllerPolicyName, findOversize, IamStatement, isKnownKarpenterVersion,
  NEWEST_KARPENTER_VERSION, parameterStatements, PolicySubject, queueKeyStatements, toIamDocument, volumeKeyStatements,
} from '../contract';
import { InterruptionQueue } from '../interruption';
import { arnOfKey, arnOfParameter } from './private/arns';
import { ClusterView, viewCluster } from './private/cluster-view';
import { DecidedPermissions, decidePermissions } from './private/features';
import { longestOf } from './private/longest';
import { nameWithCluster } from './private/names';
import { toPolicyDocument } from './private/policy-text';
import { letVolumesUse } from './private/volume-keys';

/**
 * Properties of ControllerPolicies.
 */
export interface ControllerPoliciesProps {
  /**
   * The cluster: one of aws-eks or aws-eks-v2, imported or not, or a ClusterReference.
   */
  readonly cluster: IResource;

  /**
   * The controller's role.
   */
  readonly role: IRole;

  /**
   * Roles that nodes may have, and no other: the controller can give them to instances.
   */
  readonly nodeRoles: IRole[];

  /**
   * Where the controller hears of interruptions.
   *
   * @default - it does not
   */
  readonly interruptionQueue?: InterruptionQueue;

  /**
   * Version of Karpenter, from 1.0.0 on.
   *
   * @default - the newest that this package knows
   */
  readonly karpenterVersion?: string;

  /**
   * What Karpenter is used for.
   *
   * @default - everything that upstream's published policies allow
   */
  readonly permissions?: ControllerPermissions;

  /**
   * Path of the policies.
   *
   * @default /
   */
  readonly path?: string;

  /**
   * Prefix of the policies' names, such as `KarpenterController`, so that the names are known in advance:
   * `KarpenterControllerNodeLifecyclePolicy-shop` for the cluster `shop`. What IAM would refuse for its length ends in
   * a hash; where that may turn out only at deployment, since the name of the cluster is known only then,
   * CloudFormation makes the name up.
   *
   * @default - CloudFormation makes names up
   */
  readonly policyNamePrefix?: string;
}

/**
 * What the controller may do: upstream's policies of the release, less what the setup does not use, plus what it needs
 * beyond them. They are split as upstream splits them, so that each stays below IAM's limit whatever the cluster is
 * called.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/#controller-authorization
 */
export class ControllerPolicies extends Construct {
  /**
   * ARNs of the policies.
   */
  public readonly policyArns: string[];

  private readonly cluster: ClusterView;
  private readonly place: Pick<PolicySubject, 'partition' | 'region' | 'account'>;
  private decide: () => DecidedPermissions;

  /**
   * @throws Error if the version is not known
   */
  constructor(scope: Construct, id: string, private readonly props: ControllerPoliciesProps) {
    super(scope, id);
    const { karpenterVersion, permissions = {} } = props;
    if (karpenterVersion !== undefined && !isKnownKarpenterVersion(karpenterVersion)) {
      throw new Error(`${this.node.path}/karpenterVersion: must be a release from 1.0.0 to ${NEWEST_KARPENTER_VERSION}, got ${JSON.stringify(karpenterVersion)}; `
        + `write for example ${NEWEST_KARPENTER_VERSION}`);
    }
    this.cluster = viewCluster(this, props.cluster);
    const { partition, region, account } = Stack.of(this);
    this.place = { partition, region, account };
    this.decide = () => decidePermissions(permissions);
    for (const key of permissions.volumeKeys ?? []) letVolumesUse(key, this.place);
    const policyArns: string[] = [];
    // With a callback, the line of code that a report names would be the engine's.
    for (const { name } of this.policies()) policyArns.push(this.newPolicy(name).ref);
    this.policyArns = policyArns;
    this.node.addValidation({ validate: () => this.findOversizes() });
  }

  /** @internal */
  public _decideWith(decide: () => DecidedPermissions): void {
    this.decide = decide;
  }

  private newPolicy(name: ControllerPolicyName): CfnManagedPolicy {
    const { role, path, policyNamePrefix } = this.props;
    return new CfnManagedPolicy(this, name, {
      managedPolicyName: policyNamePrefix && nameWithCluster(this, `${policyNamePrefix}${name}Policy-${this.cluster.knownName}`, AWS_LIMITS.policyNameCharacters),
      path,
      roles: [role.roleName],
      policyDocument: Lazy.any({ produce: () => toPolicyDocument(this, toIamDocument(this.statementsOf(name, this.policies()))) }),
    });
  }

  private policies(): ControllerPolicy[] {
    const { nodeRoles, interruptionQueue, karpenterVersion = NEWEST_KARPENTER_VERSION } = this.props;
    const { features, ...named } = this.decide();
    const volumeKeys = named.volumeKeys.map((key) => arnOfKey(this, key));
    const imageParameters = named.imageParameters.map((parameter) => arnOfParameter(this, parameter));
    const subject: PolicySubject = {
      ...this.place,
      clusterName: this.cluster.knownName,
      nodeRoles: nodeRoles.map(({ roleArn }) => roleArn),
      interruptionQueue: interruptionQueue?.queueArn,
    };
    const additions: Partial<Record<ControllerPolicyName, IamStatement[]>> = {
      NodeLifecycle: volumeKeys.length > 0 ? volumeKeyStatements(volumeKeys, this.place) : [],
      Interruption: interruptionQueue?.encryptionKey ? queueKeyStatements(interruptionQueue.encryptionKey.keyArn, this.place) : [],
      ResourceDiscovery: imageParameters.length > 0 ? parameterStatements(imageParameters, this.place) : [],
    };
    return controllerPolicies(subject, { karpenterVersion, features })
      .map(({ name, statements }) => ({ name, statements: [...statements, ...additions[name] ?? []] }));
  }

  private statementsOf(name: ControllerPolicyName, policies: readonly ControllerPolicy[]): readonly IamStatement[] {
    return policies.find((policy) => policy.name === name)!.statements;
  }

  /** With the longest value that each token may turn out to have. */
  private findOversizes(): string[] {
    return this.policies().flatMap(({ name, statements }) => findOversize(name, longestOf(this, statements)) ?? []);
  }
}
