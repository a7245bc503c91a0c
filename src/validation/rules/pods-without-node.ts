import { isOfConstraints, leftOverPods, NAMED_BY } from './private/left-over-pods';
import { Outcome, Rule, RuleContext } from './rule';

/**
 * What the plan comes to: pods that Karpenter finds no node for stay Pending. Where constraints are the reason it is KARP-213 that says so.
 *
 * @see https://karpenter.sh/docs/troubleshooting/#pods-pending
 */
export class PodsWithoutNode implements Rule {
  public readonly id = 'KARP-318';
  public readonly name = 'pods-without-node';
  public readonly severity = 'error';
  public readonly summary = 'Pods of a workload are too large for what is left, of nodes that are there and of the limits of the NodePools: they stay Pending.';
  public readonly unlessFoundBy = NAMED_BY;

  public check(context: RuleContext): Outcome[] {
    return leftOverPods(context, (reasons) => !isOfConstraints(reasons));
  }
}
