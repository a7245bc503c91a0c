import { DISRUPTED_TAINT } from '../../../../contract';
import { Toleration, tolerates } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { podSpecOf, targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { findUnresolved } from '../../common/unresolved';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** @see https://karpenter.sh/docs/concepts/disruption/#termination-controller */
export const toleratesDisruptedTaint: Rule = {
  id: 'KARP-423',
  name: 'tolerates-disrupted-taint',
  severity: 'error',
  summary:
    'Pods tolerate the taint of nodes that Karpenter is disrupting: the drain skips them, so they die with the instance.',
  check({ model }: RuleContext): Outcome[] {
    return model.workloads
      .filter((workload) => workload.kind !== 'DaemonSet' && !targetsNonKarpenterNodes(workload))
      .flatMap((workload) => {
        const tolerations: unknown = podSpecOf(workload)?.tolerations;
        if (!Array.isArray(tolerations)) return [];
        const unknown = findUnresolved(tolerations);
        if (unknown !== undefined)
          return [notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
        const index = tolerations.findIndex(
          (toleration: Toleration | null) => toleration !== null && tolerates(toleration, DISRUPTED_TAINT),
        );
        return [index < 0 ? pass(workload.object) : finding(workload, tolerations[index], index)];
      });
  },
};

function finding(workload: WorkloadManifest, toleration: Toleration, index: number): Outcome {
  const tolerated = toleration.key ? toleration.key : `every taint, and so ${DISRUPTED_TAINT.key}`;
  return fail({
    object: workload.object,
    path: [...workload.podPath, 'tolerations', index],
    message:
      `tolerates ${tolerated}: Karpenter does not drain its pods, so they die with the instance, without a PodDisruptionBudget or a grace period, ` +
      'and new ones may start on a node that is being removed',
    remedy: 'list the taints that the pods should tolerate by their keys',
    evidence: { toleration },
  });
}
