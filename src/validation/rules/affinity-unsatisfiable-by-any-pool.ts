import { isOfConstraints, leftOverPods, NAMED_BY } from './private/left-over-pods';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * What pods require of nodes, volumes and other pods, held against all NodePools and all that is placed before them.
 *
 * @see https://github.com/aws/karpenter-provider-aws/issues/4407
 */
export class AffinityUnsatisfiableByAnyPool implements Rule {
  public readonly id = 'KARP-213';
  public readonly name = 'affinity-unsatisfiable-by-any-pool';
  public readonly severity = 'error';
  public readonly summary = 'What pods of a workload require of their node, of volumes or of other pods no NodePool can give them: they stay Pending.';
  public readonly unlessFoundBy = NAMED_BY;

  public check(context: RuleContext): Outcome[] {
    return leftOverPods(context, isOfConstraints);
  }
}
