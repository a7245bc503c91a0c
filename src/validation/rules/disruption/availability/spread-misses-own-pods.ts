import { asRecord, FieldFix, setField, unsafeFix } from '../../../../contract';
import { listText } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { selectsOwnPods } from '../../common/pod-constraints';
import { defineRule } from '../../define-rule';
import { workloads } from '../../subjects';

/**
 * @see
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#spread-constraint-definition
 */
export const spreadMissesOwnPods = defineRule({
  id: 'KARP-428',
  name: 'spread-misses-own-pods',
  severity: 'warning',
  summary:
    "The label selector of a topology spread constraint does not match the workload's own pods, so nothing spreads them.",
  subjects: workloads({
    where: ({ shape, kind }) => kind !== 'DaemonSet' && (shape?.topologySpread?.length ?? 0) > 0,
  }),
  judge(workload) {
    const spreads = workload.shape!.topologySpread!;
    const wrong = spreads.flatMap((spread, position) => (selectsOwnPods(spread, workload) ? [] : [position]));
    const [index] = wrong;
    if (index === undefined) return undefined;
    const { topologyKey, labelSelector } = spreads[index];
    return {
      path: [...workload.podPath, 'topologySpreadConstraints', index],
      message:
        `${labelSelector ? 'labelSelector does not match the labels of its own pods' : 'labelSelector is missing, so no pod is counted'}: ` +
        `nothing spreads the pods over ${listText([...new Set(wrong.map((position) => spreads[position].topologyKey))])}`,
      remedy: 'write the labels of the pod template as labelSelector',
      evidence: { topologyKey },
      fix: selectorFix(workload, wrong),
    };
  },
});

/** The selector of the workload selects exactly its own pods. */
function selectorFix({ object, podPath }: WorkloadManifest, wrong: readonly number[]): FieldFix | undefined {
  const labels = asRecord(asRecord(object.raw.spec?.selector)?.matchLabels);
  return (
    labels &&
    unsafeFix(
      ...wrong.map((index) =>
        setField([...podPath, 'topologySpreadConstraints', index, 'labelSelector'], { matchLabels: labels }),
      ),
    )
  );
}
