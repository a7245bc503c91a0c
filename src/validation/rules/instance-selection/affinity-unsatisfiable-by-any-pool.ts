import { isRefusedByConstraints } from '../common/other-nodes';
import { GANG_RULE, MORE_SPECIFIC_RULES, unscheduledPodOutcomes } from '../common/unscheduled-pods';
import { Outcome, Rule, RuleContext } from '../rule';

/**
 * Pods that the plan leaves without a node because of their constraints on nodes, volumes and other pods.
 *
 * @see https://github.com/aws/karpenter-provider-aws/issues/4407
 */
export const affinityUnsatisfiableByAnyPool: Rule = {
  id: 'KARP-213',
  name: 'affinity-unsatisfiable-by-any-pool',
  severity: 'error',
  summary: 'No NodePool can meet what pods require of their node, their volumes or other pods: the pods stay Pending.',
  supersededBy: [...MORE_SPECIFIC_RULES, GANG_RULE],
  check(context: RuleContext): Outcome[] {
    return unscheduledPodOutcomes(context, isRefusedByConstraints);
  },
};
