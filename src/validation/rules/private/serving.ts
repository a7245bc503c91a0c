import { targetsOtherNodes } from './pod-constraints';
import { asRecord, offReason } from '../../../contract';
import { ManifestModel, WorkloadKind, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';

const SERVING: readonly WorkloadKind[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/** Workloads that are meant to be there all the time, on nodes of Karpenter; of one without a spec nothing is known but that the API server refuses it. */
export const servingWorkloads = oncePer(({ workloads }: ManifestModel): readonly WorkloadManifest[] =>
  workloads.filter((workload) => SERVING.includes(workload.kind) && hasSpec(workload) && !targetsOtherNodes(workload)));

function hasSpec({ object }: WorkloadManifest): boolean {
  return asRecord(object.raw?.spec) !== undefined;
}

/** Why its author does without a safeguard, where an annotation says so. */
export function waiverOf({ object }: WorkloadManifest, safeguard: string): string | undefined {
  return offReason(object.raw?.metadata?.annotations, safeguard);
}
