import { NodeRole, nodeRoles } from './private/node-roles';
import { fail, notEvaluated, pass } from './private/outcome';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://github.com/aws/containers-roadmap/issues/755 */
export class NodeRoleSharedWithNodeGroup implements Rule {
  public readonly id = 'KARP-605';
  public readonly name = 'node-role-shared-with-node-group';
  public readonly severity = 'error';
  public readonly summary = 'Nodes of Karpenter and of a managed node group have one role: with the node group EKS removes its mapping from aws-auth, and the others go NotReady.';

  public check({ model: { nodeClasses, aws } }: RuleContext): Outcome[] {
    if (aws.nodeGroups.length === 0) return [];
    return nodeRoles(nodeClasses, aws).map((nodeRole) => {
      const { object } = nodeRole.nodeClass;
      const groups = aws.nodeGroups.filter(({ role }) => role === nodeRole.role?.arn).map(({ resource }) => resource.object.name);
      if (groups.length === 0) return nodeRole.role ? pass(object) : notEvaluated(object, 'its role is not in the templates');
      const mode = aws.clusters[0]?.authenticationMode;
      return mode === 'API' ? pass(object) : this.finding(nodeRole, groups, mode);
    });
  }

  private finding({ nodeClass, path, name, role }: NodeRole, groups: readonly string[], mode: string | undefined): Outcome {
    return fail({
      object: nodeClass.object,
      path,
      message: `has role ${role!.resource.object.name}, which node group ${joinNames(groups)} has too: when that is deleted, EKS takes the role out of aws-auth, and all nodes of Karpenter go NotReady`,
      remedy: 'make a role for the nodes of Karpenter alone, with an access entry of its own',
      evidence: { role: name, nodeGroups: groups },
      severity: mode === 'CONFIG_MAP' ? undefined : 'warning',
    });
  }
}
