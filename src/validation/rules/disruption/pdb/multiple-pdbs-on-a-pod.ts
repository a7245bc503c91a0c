import { listText, shortListText } from '../../../../model';
import { PdbManifest } from '../../../manifest/model';
import { pdbsSelecting, workloadsSelectedBy } from '../../common/pod-disruption-budgets';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';
import { fail, Outcome, Rule, RuleContext } from '../../rule';
import { workloads } from '../../subjects';

const ofOneWorkload = defineRule({
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

/**
 * A PodDisruptionBudget that overlaps with those of several workloads is one finding.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go
 */
export const multiplePdbsOnAPod: Rule = {
  ...ofOneWorkload,
  check(context) {
    const wide = new Map(context.model.pdbs.map((pdb) => [pdb, overlapsOf(context, pdb)] as const));
    const widest = [...wide].filter(([, names]) => names.length > 1).sort(([, a], [, b]) => b.length - a.length);
    const reported = new Map<PdbManifest, readonly string[]>();
    const outcomes = ofOneWorkload.check(context).flatMap((outcome): Outcome[] => {
      if (outcome.state !== 'fail') return [outcome];
      const workload = context.model.workloads.find(({ object }) => object === outcome.finding.object)!;
      const selecting = pdbsSelecting(context.model, workload);
      const found = widest.find(([pdb]) => selecting.includes(pdb));
      if (found === undefined) return [outcome];
      reported.set(...found);
      return [];
    });
    return [...outcomes, ...[...reported].map(([pdb, names]) => wideFinding(pdb, names))];
  },
};

/** The workloads that the budget selects together with another one. */
function overlapsOf({ model }: RuleContext, pdb: PdbManifest): string[] {
  return workloadsSelectedBy(model, pdb)
    .filter((workload) => pdbsSelecting(model, workload).length > 1)
    .map(({ kind, name }) => `${kind} ${name}`)
    .sort();
}

function wideFinding({ object }: PdbManifest, names: readonly string[]): Outcome {
  return fail({
    object,
    path: ['spec', 'selector'],
    message: `selects pods that other PodDisruptionBudgets select, too, of ${shortListText(names)}: Kubernetes refuses every eviction of a pod with two of them, so Karpenter cannot drain their nodes`,
    remedy: 'remove it, or narrow its selector to pods without a PodDisruptionBudget',
    evidence: { workloads: names },
  });
}
