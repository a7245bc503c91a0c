import { NodeRole, nodeRoles } from './node-roles';
import { joinNames } from '../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://github.com/aws/containers-roadmap/issues/755 */
export const nodeRoleSharedWithNodeGroup: Rule = {
  id: 'KARP-605',
  name: 'node-role-shared-with-node-group',
  severity: 'error',
  summary:
    'Karpenter nodes and a managed node group share one role: when the node group is deleted, EKS removes the role from aws-auth and Karpenter nodes become NotReady.',
  check({ model: { nodeClasses, aws } }: RuleContext): Outcome[] {
    if (aws.nodeGroups.length === 0) return [];
    return nodeRoles(nodeClasses, aws).map((nodeRole) => {
      const { object } = nodeRole.nodeClass;
      const groups = aws.nodeGroups
        .filter(({ role }) => role === nodeRole.role?.arn)
        .map(({ resource }) => resource.object.name);
      if (groups.length === 0)
        return nodeRole.role ? pass(object) : notEvaluated(object, 'its role is not in the templates');
      const mode = aws.clusters[0]?.authenticationMode;
      return mode === 'API' ? pass(object) : finding(nodeRole, groups, mode);
    });
  },
};

function finding(
  { nodeClass, path, name, role }: NodeRole,
  groups: readonly string[],
  mode: string | undefined,
): Outcome {
  return fail({
    object: nodeClass.object,
    path,
    message:
      `has role ${role!.resource.object.name}, which node group ${joinNames(groups)} also uses: when the node group is deleted, EKS removes the role from aws-auth, ` +
      'and all Karpenter nodes become NotReady',
    remedy: 'create a separate role for Karpenter nodes, with its own access entry',
    evidence: { role: name, nodeGroups: groups },
    severity: mode === 'CONFIG_MAP' ? undefined : 'warning',
  });
}
