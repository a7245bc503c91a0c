import {
  compareKarpenterVersions,
  DISRUPTED_TAINT,
  LEGACY_DISRUPTION_TAINT,
  removeField,
  unsafeFix,
} from '../../../../contract';
import { Toleration, tolerates } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { WorkloadManifest } from '../../../manifest/model';
import { podSpecOf, targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { workloads } from '../../subjects';

/** The taint of nodes that a release before 1.0 is disrupting. */
const EARLIER_TAINT_SINCE = '0.32.0';
const EARLIER_TAINT = { ...LEGACY_DISRUPTION_TAINT, effect: 'NoSchedule' } as const;

/** @see https://karpenter.sh/docs/concepts/disruption/#termination-controller */
export const toleratesDisruptedTaint = defineRule({
  id: 'KARP-423',
  name: 'tolerates-disrupted-taint',
  severity: 'error',
  summary:
    'Pods tolerate the taint of nodes that Karpenter is disrupting: the drain skips them, so they die with the instance.',
  subjects: workloads({ where: (workload) => workload.kind !== 'DaemonSet' && !targetsNonKarpenterNodes(workload) }),
  judge(workload, { options: { servingVersion } }) {
    if (servingVersion !== undefined && compareKarpenterVersions(servingVersion, EARLIER_TAINT_SINCE) < 0)
      return NOT_APPLICABLE;
    const taint = servingVersion === undefined ? DISRUPTED_TAINT : EARLIER_TAINT;
    const tolerations: unknown = podSpecOf(workload)?.tolerations;
    if (!Array.isArray(tolerations)) return NOT_APPLICABLE;
    const why = whyUnresolved(tolerations);
    if (why !== undefined) return unknown(why);
    const index = tolerations.findIndex(
      (toleration: Toleration | null) => toleration !== null && tolerates(toleration, taint),
    );
    return index < 0 ? undefined : finding(workload, tolerations[index], index, taint.key);
  },
});

function finding(workload: WorkloadManifest, toleration: Toleration, index: number, taint: string): SubjectFinding {
  const path = [...workload.podPath, 'tolerations', index];
  const tolerated = toleration.key ? toleration.key : `every taint, and so ${taint}`;
  return {
    path,
    message:
      `tolerates ${tolerated}: Karpenter does not drain its pods, so they die with the instance, without a PodDisruptionBudget or a grace period, ` +
      'and new ones may start on a node that is being removed',
    ...(toleration.key
      ? { remedy: 'remove the toleration', fix: unsafeFix(removeField(path)) }
      : { remedy: 'list the taints that the pods should tolerate by their keys' }),
    evidence: { toleration },
  };
}
