import { listText } from '../../../model';
import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { NodeClassRole, rolesOfNodes } from './node-roles';

/** @see https://github.com/aws/containers-roadmap/issues/755 */
export const nodeRoleSharedWithNodeGroup = defineRule({
  id: 'KARP-605',
  name: 'node-role-shared-with-node-group',
  severity: 'error',
  summary:
    'Karpenter nodes and a managed node group share one role: when the node group is deleted, EKS removes the role from aws-auth and Karpenter nodes become NotReady.',
  subjects: rolesOfNodes({ where: (_, { model }) => model.aws.nodeGroups.length > 0 }),
  judge(nodeRole, { model: { aws } }) {
    const groups = aws.nodeGroups
      .filter(({ role }) => role === nodeRole.role?.arn)
      .map(({ resource }) => resource.object.name);
    if (groups.length === 0) return nodeRole.role ? undefined : unknown('its role is not in the templates');
    const mode = aws.clusters[0]?.authenticationMode;
    return mode === 'API' ? undefined : finding(nodeRole, groups, mode);
  },
});

function finding(
  { path, name, role }: NodeClassRole,
  groups: readonly string[],
  mode: string | undefined,
): SubjectFinding {
  return {
    path,
    message:
      `has role ${role!.resource.object.name}, which node group ${listText(groups)} also uses: when the node group is deleted, EKS removes the role from aws-auth, ` +
      'and all Karpenter nodes become NotReady',
    remedy: 'create a separate role for Karpenter nodes, with its own access entry',
    evidence: { role: name, nodeGroups: groups },
    severity: mode === 'CONFIG_MAP' ? undefined : 'warning',
  };
}
