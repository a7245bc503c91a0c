import { PlannedNodeClaim } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { isRefusedByConstraints } from '../common/other-nodes';
import { GANG_RULE, MORE_SPECIFIC_RULES, unscheduledPodOutcomes } from '../common/unscheduled-pods';
import { fail, Outcome, Rule, RuleContext, RuleFinding } from '../rule';

/**
 * Pods that the plan leaves without a node because of size or limits. KARP-213 reports pods that are refused
 * because of constraints.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#provisioning
 */
export const podsWithoutNode: Rule = {
  id: 'KARP-318',
  name: 'pods-without-node',
  severity: 'error',
  summary:
    'Pods of a workload stay Pending: existing nodes and NodePool limits have no room for them, or their node cannot be launched.',
  supersededBy: [...MORE_SPECIFIC_RULES, GANG_RULE],
  check(context: RuleContext): Outcome[] {
    const failedLaunches = new Map(failedLaunchFindings(context).map((finding) => [finding.object, finding]));
    return unscheduledPodOutcomes(context, (reasons) => !isRefusedByConstraints(reasons)).map((outcome) => {
      const finding = outcome.state === 'pass' ? failedLaunches.get(outcome.object) : undefined;
      return finding === undefined ? outcome : fail(finding);
    });
  },
};

/**
 * Findings for workloads with pods on a NodeClaim whose launch always fails: Karpenter deletes such a NodeClaim and
 * plans the same one again.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go
 * filterInstanceTypes
 */
function failedLaunchFindings({ model, plan }: RuleContext): RuleFinding[] {
  const claims = plan.nodeClaims.filter(({ launch }) => launch === undefined);
  if (claims.length === 0) return [];
  return model.workloads.flatMap((workload) => {
    const groups = podGroupIndices(workload);
    const podsOn = (claim: PlannedNodeClaim) => groups.reduce((sum, group) => sum + (claim.groups.get(group) ?? 0), 0);
    const pods = claims.reduce((sum, claim) => sum + podsOn(claim), 0);
    const first = claims.find((claim) => podsOn(claim) > 0);
    if (first === undefined) return [];
    const { id, nodePool, launchFailure = '' } = first;
    return [
      {
        object: workload.object,
        path: workload.podPath,
        message: `${pods === 1 ? 'one of its pods stays' : `${pods} of its pods stay`} Pending, because the launch of node ${id} always fails: ${launchFailure}`,
        remedy: launchFailure.includes('minValues')
          ? `lower the minValues of NodePool ${nodePool}: a launch request names at most its 60 cheapest instance types, and only reserved types for reserved capacity`
          : `let NodePool ${nodePool} allow capacity types and instance types that are available`,
        evidence: { pods, nodeClaim: id, nodePool, launchFailure },
      },
    ];
  });
}
