import { listText } from '../../../../model';
import { pdbsSelecting } from '../../common/pod-disruption-budgets';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';
import { workloads } from '../../subjects';

/** @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go */
export const multiplePdbsOnAPod = defineRule({
  id: 'KARP-411',
  name: 'multiple-pdbs-on-a-pod',
  severity: 'error',
  isWorkloadAdvice: true,
  summary:
    'Two PodDisruptionBudgets select the same pod: Kubernetes refuses every eviction of it, so its node can never be drained.',
  subjects: workloads(),
  judge(workload, { model }) {
    const pdbs = pdbsSelecting(model, workload)
      .map(({ name }) => name)
      .sort();
    if (pdbs.length < 2) return pdbs.length === 0 ? NOT_APPLICABLE : undefined;
    return {
      path: [...workload.podPath.slice(0, -1), 'metadata', 'labels'],
      message: `${pdbs.length} PodDisruptionBudgets select its pods, ${listText(pdbs)}: Kubernetes refuses every eviction, so Karpenter cannot drain their nodes`,
      remedy: 'keep one of them, or narrow their selectors so that each pod has one',
      evidence: { podDisruptionBudgets: pdbs },
    };
  },
});
