import { pdbsSelecting } from '../../common/pod-disruption-budgets';
import { joinNames } from '../../common/wording';
import { fail, Outcome, pass, Rule, RuleContext } from '../../rule';

/** @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go */
export const multiplePdbsOnAPod: Rule = {
  id: 'KARP-411',
  name: 'multiple-pdbs-on-a-pod',
  severity: 'error',
  isWorkloadAdvice: true,
  summary:
    'Two PodDisruptionBudgets select the same pod: Kubernetes refuses every eviction of it, so its node can never be drained.',
  check({ model }: RuleContext): Outcome[] {
    return model.workloads.flatMap((workload) => {
      const pdbs = pdbsSelecting(model, workload)
        .map(({ name }) => name)
        .sort();
      if (pdbs.length < 2) return pdbs.length === 0 ? [] : [pass(workload.object)];
      return [
        fail({
          object: workload.object,
          path: [...workload.podPath.slice(0, -1), 'metadata', 'labels'],
          message: `${pdbs.length} PodDisruptionBudgets select its pods, ${joinNames(pdbs)}: Kubernetes refuses every eviction, so Karpenter cannot drain their nodes`,
          remedy: 'keep one of them, or narrow their selectors so that each pod has one',
          evidence: { podDisruptionBudgets: pdbs },
        }),
      ];
    });
  },
};
