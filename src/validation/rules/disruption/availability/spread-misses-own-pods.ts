import { asRecord, FieldFix, setField, unsafeFix } from '../../../../contract';
import { WorkloadManifest } from '../../../manifest/model';
import { selectsOwnPods } from '../../common/pod-constraints';
import { fail, Outcome, pass, Rule, RuleContext } from '../../rule';

/**
 * @see
 * https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#spread-constraint-definition
 */
export const spreadMissesOwnPods: Rule = {
  id: 'KARP-428',
  name: 'spread-misses-own-pods',
  severity: 'warning',
  summary:
    "The label selector of a topology spread constraint does not match the workload's own pods, so nothing spreads them.",
  check({ model }: RuleContext): Outcome[] {
    return model.workloads.flatMap((workload) => {
      const { shape, object, podPath } = workload;
      if (!shape?.topologySpread?.length || workload.kind === 'DaemonSet') return [];
      const index = shape.topologySpread.findIndex((spread) => !selectsOwnPods(spread, workload));
      if (index < 0) return [pass(object)];
      const { topologyKey, labelSelector } = shape.topologySpread[index];
      return [
        fail({
          object,
          path: [...podPath, 'topologySpreadConstraints', index],
          message:
            `${labelSelector ? 'labelSelector does not match the labels of its own pods' : 'labelSelector is missing, so no pod is counted'}: ` +
            `nothing spreads the pods over ${topologyKey}`,
          remedy: 'write the labels of the pod template as labelSelector',
          evidence: { topologyKey },
          fix: selectorFix(workload, index),
        }),
      ];
    });
  },
};

/** The selector of the workload selects exactly its own pods. */
function selectorFix({ object, podPath }: WorkloadManifest, index: number): FieldFix | undefined {
  const labels = asRecord(asRecord(asRecord(object.raw.spec)?.selector)?.matchLabels);
  return (
    labels &&
    unsafeFix(setField([...podPath, 'topologySpreadConstraints', index, 'labelSelector'], { matchLabels: labels }))
  );
}
