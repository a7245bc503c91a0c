import { Names } from 'aws-cdk-lib';
import { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct, DependencyGroup } from 'constructs';
import { KarpenterProps } from '../karpenter-props';
import { NodeAdmission } from '../node-admission';

/** The admissions of node roles to one cluster: one for each role. */
export class NodeAdmissions {
  /** Keyed by the ARN of the role. */
  private readonly byRole = new Map<string, NodeAdmission>();

  /** @param dependencies gets each new admission */
  constructor(
    private readonly scope: Construct,
    private readonly props: Pick<KarpenterProps, 'cluster' | 'nodeAccess'>,
    private readonly dependencies: DependencyGroup,
  ) {}

  /**
   * Returns the admission of the role, and creates it on first use. Its id contains the role, because a numbered id
   * would refer to another role after an earlier one is removed, and EKS rejects a second access entry for a role.
   */
  public admit(role: IRole): NodeAdmission {
    const existing = this.byRole.get(role.roleArn);
    if (existing) return existing;
    const id = this.byRole.size === 0 ? 'NodeAdmission' : `NodeAdmission${Names.nodeUniqueId(role.node)}`;
    const { cluster, nodeAccess: access } = this.props;
    const admission = new NodeAdmission(this.scope, id, { cluster, role, access });
    this.byRole.set(role.roleArn, admission);
    this.dependencies.add(admission);
    return admission;
  }
}
