import { budgetsOf } from './private/budgets-of-pods';
import { fail, pass } from './private/outcome';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go */
export class MultiplePdbsOnAPod implements Rule {
  public readonly id = 'KARP-411';
  public readonly name = 'multiple-pdbs-on-a-pod';
  public readonly severity = 'error';
  public readonly summary = 'Two PodDisruptionBudgets select one pod: Kubernetes refuses its eviction whatever they allow, so its node can never be drained.';

  public check({ model }: RuleContext): Outcome[] {
    return model.workloads.flatMap((workload) => {
      const budgets = budgetsOf(model, workload).map(({ name }) => name).sort();
      if (budgets.length < 2) return budgets.length === 0 ? [] : [pass(workload.object)];
      return [fail({
        object: workload.object,
        path: [...workload.podPath.slice(0, -1), 'metadata', 'labels'],
        message: `${budgets.length} PodDisruptionBudgets select its pods, ${joinNames(budgets)}: no eviction of them ever succeeds, and Karpenter leaves their nodes alone`,
        remedy: 'keep one of them, or narrow their selectors until each pod has one',
        evidence: { podDisruptionBudgets: budgets },
      })];
    });
  }
}
