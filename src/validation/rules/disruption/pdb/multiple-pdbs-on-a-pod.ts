import { listText, shortListText } from '../../../../model';
import { PdbManifest, WorkloadManifest } from '../../../manifest/model';
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
    const pdbs = pdbsSelecting(model, workload);
    if (pdbs.length < 2) return pdbs.length === 0 ? NOT_APPLICABLE : undefined;
    const [kept, ...others] = [...pdbs].sort((one, other) => likeness(other, workload) - likeness(one, workload));
    const extra = others.at(-1)!;
    const rest = pdbs.filter((pdb) => pdb !== extra).map(({ name }) => name);
    return {
      object: extra.object,
      path: ['spec', 'selector'],
      message: `selects the pods of ${workload.kind} ${workload.name}, which ${rest.length === 1 ? 'PodDisruptionBudget' : 'PodDisruptionBudgets'} ${listText(rest.sort())} ${rest.length === 1 ? 'selects' : 'select'}, too: Kubernetes refuses every eviction of a pod with two of them, so Karpenter cannot drain their nodes`,
      remedy: `remove ${rest.length === 1 ? 'it' : 'all but one'}, or narrow their selectors so that each pod has one`,
      evidence: { podDisruptionBudgets: pdbs.map(({ name }) => name).sort(), workload: workload.name },
      related: { object: kept.object, path: ['spec', 'selector'], label: 'selects them, too' },
    };
  },
});

/** How much a budget looks as if it was made for the workload: by its name, then by the labels of its selector. */
function likeness({ name, selector }: PdbManifest, workload: WorkloadManifest): number {
  const labels = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0);
  return (name === workload.name ? 1000 : name.includes(workload.name) ? 500 : 0) + labels;
}

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
      const workload = context.model.workloads.find(
        (one) =>
          one.name === outcome.finding.evidence.workload &&
          pdbsSelecting(context.model, one).some(({ object }) => object === outcome.finding.object),
      )!;
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
