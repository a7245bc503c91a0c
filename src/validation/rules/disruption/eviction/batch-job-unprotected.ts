import { isBatch, podAnnotations, podAnnotationsPath, protectionOfPods } from './pod-protection';
import { DO_NOT_DISRUPT, setField, unsafeFix } from '../../../../contract';
import { listText } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { disruptionsByName, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { WorkloadManifest } from '../../../manifest/model';
import { deadlineSeconds, needNoCare } from '../../common/brief-pods';
import { poolNamesOf } from '../../common/placements';
import { targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { optOutReason } from '../../common/serving-workloads';
import { defineRule, NOT_APPLICABLE, unknown, SubjectFinding } from '../../define-rule';
import { workloads } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export const batchJobUnprotected = defineRule({
  id: 'KARP-424',
  name: 'batch-job-unprotected',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary: 'The pods of a Job run on nodes that Karpenter consolidates: an eviction restarts the work.',
  subjects: workloads({ where: (workload) => isBatch(workload) && !targetsNonKarpenterNodes(workload) }),
  judge(workload, context) {
    if (
      needNoCare(workload) ||
      protectionOfPods(workload).kind !== 'none' ||
      optOutReason(workload, 'do-not-disrupt') !== undefined
    )
      return undefined;
    const why = whyUnresolved(podAnnotations(workload));
    if (why !== undefined) return unknown(why);
    const poolNames = poolNamesOf(context, workload);
    if (poolNames.length === 0) return NOT_APPLICABLE;
    const deadline = deadlineSeconds(workload);
    const consolidated = poolNames
      .flatMap((name) => disruptionsByName(context).get(name) ?? [])
      .filter((pool) => evictsToConsolidate(pool) && (deadline ?? Infinity) * 1000 > pool.consolidateAfter!);
    if (consolidated.length === 0) return undefined;
    // The start of a pod restarts this time, so that most runs end before it is over.
    const isLate = consolidated.every(({ consolidateAfter }) => consolidateAfter! >= LATE_MS);
    return { ...finding(workload, consolidated), ...(isLate ? { severity: 'info' as const } : {}) };
  },
});

const LATE_MS = 600_000;

function finding(workload: WorkloadManifest, pools: readonly ManifestDisruption[]): SubjectFinding {
  const names = pools.map(({ name }) => name);
  return {
    path: podAnnotationsPath(workload),
    message:
      `${workload.replicas === 1 ? 'its pod runs' : 'its pods run'} in NodePool ${listText(names)}, which Karpenter consolidates: ` +
      `an evicted pod loses its work and ${isOfArgo(workload) ? 'starts again only with a retryStrategy' : 'restarts'}${workload.replicas === 1 ? '' : ', and nodes become candidates as other pods of the Job finish'}`,
    remedy:
      'annotate the pod template with karpenter.sh/do-not-disrupt: "true" or a duration, or use a NodePool with consolidationPolicy: WhenEmpty',
    evidence: { nodePools: names },
    fix: unsafeFix(setField([...podAnnotationsPath(workload), DO_NOT_DISRUPT], 'true')),
  };
}

/** Argo does not replace the pod of a step that fails. */
function isOfArgo({ object }: WorkloadManifest): boolean {
  return object.madeBy?.apiVersion.startsWith('argoproj.io/') === true;
}

function evictsToConsolidate({ consolidationPolicy, consolidateAfter }: ManifestDisruption): boolean {
  return consolidationPolicy !== 'WhenEmpty' && consolidateAfter !== undefined;
}
