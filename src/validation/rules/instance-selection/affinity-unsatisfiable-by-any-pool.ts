import { isRefusedByConstraints, unscheduledPodOutcomes, MORE_SPECIFIC_RULES } from '../common/unscheduled-pods';
import { Outcome, Rule, RuleContext } from '../rule';

/**
 * Pods that the plan leaves without a node because of their constraints on nodes, volumes and other pods.
 *
 * @see https://github.com/aws/karpenter-provider-aws/issues/4407
 */
export class AffinityUnsatisfiableByAnyPool implements Rule {
  public readonly id = 'KARP-213';
  public readonly name = 'affinity-unsatisfiable-by-any-pool';
  public readonly severity = 'error';
  public readonly summary =
    'No NodePool can meet what pods require of their node, their volumes or other pods: the pods stay Pending.';
  public readonly supersededBy = MORE_SPECIFIC_RULES;

  public check(context: RuleContext): Outcome[] {
    return unscheduledPodOutcomes(context, isRefusedByConstraints);
  }
}
