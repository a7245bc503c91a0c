import { onlyPauses } from './brief-pods';
import { targetsNonKarpenterNodes } from './pod-constraints';
import { asRecord, optOutNoteReason } from '../../../contract';
import { memoizeByIdentity } from '../../../model';
import { ManifestModel, WorkloadKind, WorkloadManifest } from '../../manifest/model';
import { isRollout } from '../../manifest/workload/custom/rollout';

const SERVING: readonly WorkloadKind[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/**
 * Long-running workloads on nodes of Karpenter. Left out are workloads without a spec, because the API server rejects
 * them, parts of gangs and of other custom objects except Rollouts, and pods that only pause or sleep: nobody misses
 * these.
 */
export const servingWorkloads = memoizeByIdentity(({ workloads }: ManifestModel): readonly WorkloadManifest[] =>
  workloads.filter(
    (workload) =>
      SERVING.includes(workload.kind) &&
      hasSpec(workload) &&
      (workload.object.madeBy === undefined || isRollout(workload.object.madeBy)) &&
      !onlyPauses(workload) &&
      !targetsNonKarpenterNodes(workload),
  ),
);

function hasSpec({ object }: WorkloadManifest): boolean {
  return asRecord(object.raw?.spec) !== undefined;
}

/** The reason that an annotation gives for opting out of a safeguard; undefined if the workload does not opt out. */
export function optOutReason({ object }: WorkloadManifest, safeguard: string): string | undefined {
  return optOutNoteReason(object.raw?.metadata?.annotations ?? {}, safeguard);
}
