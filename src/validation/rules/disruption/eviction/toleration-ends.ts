import { removeField, unsafeFix } from '../../../../contract';
import { formatTaint, Taint, tolerates } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { poolNamesOf } from '../../common/placements';
import { podSpecOf } from '../../common/pod-constraints';
import { poolsOf } from '../../common/pool';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { workloads } from '../../subjects';

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions */
export const tolerationEnds = defineRule({
  id: 'KARP-439',
  name: 'toleration-ends',
  severity: 'error',
  summary: 'A workload tolerates a taint of its NodePool for some seconds only: its pods are evicted again and again.',
  subjects: workloads({
    where: ({ shape }) => shape?.tolerations.some(({ tolerationSeconds }) => tolerationSeconds !== undefined) ?? false,
  }),
  judge(workload, context) {
    const names = poolNamesOf(context, workload);
    if (names.length === 0) return NOT_APPLICABLE;
    for (const { name, spec } of poolsOf(context)) {
      if (!names.includes(name)) continue;
      for (const taint of spec?.taints ?? []) {
        const finding = taint.effect === 'NoExecute' ? evicted(workload, name, taint) : undefined;
        if (finding !== undefined) return finding;
      }
    }
    return undefined;
  },
});

/** The taint manager takes the first toleration that matches. */
function evicted(workload: WorkloadManifest, pool: string, taint: Taint): SubjectFinding | undefined {
  const written = recordsOf(podSpecOf(workload)?.tolerations);
  const index = written.findIndex((toleration) => tolerates(toleration, taint));
  const seconds = written[index]?.tolerationSeconds;
  if (typeof seconds !== 'number') return undefined;
  const path = [...workload.podPath, 'tolerations', index, 'tolerationSeconds'];
  return {
    path,
    message:
      `tolerates ${formatTaint(taint)} of NodePool ${pool} for ${seconds} s: each pod is evicted ${seconds} s after its start, ` +
      'and its successor starts on the same kind of node',
    remedy: 'remove tolerationSeconds',
    evidence: { taint: formatTaint(taint), nodePool: pool, tolerationSeconds: seconds },
    fix: unsafeFix(removeField(path)),
  };
}
