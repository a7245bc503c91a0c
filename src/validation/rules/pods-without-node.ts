import { PlannedNodeClaim } from '../../scheduling';
import { groupsOf } from '../schedule-input';
import { isOfConstraints, leftOverPods, NAMED_BY } from './private/left-over-pods';
import { fail } from './private/outcome';
import { Outcome, Rule, RuleContext, RuleFinding } from './rule';

/**
 * What the plan comes to: pods that Karpenter finds no node for stay Pending. Where constraints are the reason it is KARP-213 that says so.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#pods-pending
 */
export class PodsWithoutNode implements Rule {
  public readonly id = 'KARP-318';
  public readonly name = 'pods-without-node';
  public readonly severity = 'error';
  public readonly summary = 'Pods of a workload are too large for what is left, of nodes that are there and of the limits of the NodePools, or their node cannot be launched: they stay Pending.';
  public readonly unlessFoundBy = NAMED_BY;

  public check(context: RuleContext): Outcome[] {
    const unlaunched = new Map(podsOfNoLaunch(context).map((finding) => [finding.object, finding]));
    return leftOverPods(context, (reasons) => !isOfConstraints(reasons)).map((outcome) => {
      const finding = outcome.state === 'pass' ? unlaunched.get(outcome.object) : undefined;
      return finding === undefined ? outcome : fail(finding);
    });
  }
}

/**
 * Workloads with pods on a NodeClaim whose launch fails whatever EC2 has: Karpenter deletes it then, and plans the same one anew.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go filterInstanceTypes
 */
function podsOfNoLaunch({ model, plan }: RuleContext): RuleFinding[] {
  const claims = plan.nodeClaims.filter(({ launch }) => launch === undefined);
  if (claims.length === 0) return [];
  return model.workloads.flatMap((workload) => {
    const own = groupsOf(workload);
    const countOn = (claim: PlannedNodeClaim) => own.reduce((sum, group) => sum + (claim.groups.get(group) ?? 0), 0);
    const pods = claims.reduce((sum, claim) => sum + countOn(claim), 0);
    const first = claims.find((claim) => countOn(claim) > 0);
    if (first === undefined) return [];
    const { id, nodePool, launchFailure = '' } = first;
    return [{
      object: workload.object,
      path: workload.podPath,
      message: `${pods === 1 ? 'a pod of it waits' : `${pods} of its pods wait`} for a node that cannot be launched, ${id}: ${launchFailure}; Karpenter plans it again and again`,
      remedy: launchFailure.includes('minValues')
        ? `lower the minValues of NodePool ${nodePool}: a request to EC2 names its 60 cheapest instance types at most, and of reserved capacity only those with a reservation`
        : `let NodePool ${nodePool} have capacity types and instance types that are to be had`,
      evidence: { pods, nodeClaim: id, nodePool, launchFailure },
    }];
  });
}
