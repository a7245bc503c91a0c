import { targetsOtherNodes } from './pod-constraints';
import { offReason } from '../../../contract';
import { ManifestModel, WorkloadKind, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';

const SERVING: readonly WorkloadKind[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/** Workloads that are meant to be there all the time, on nodes of Karpenter. */
export const servingWorkloads = oncePer(({ workloads }: ManifestModel): readonly WorkloadManifest[] =>
  workloads.filter((workload) => SERVING.includes(workload.kind) && !targetsOtherNodes(workload)));

/** Why its author does without a safeguard, where an annotation says so. */
export function waiverOf({ object }: WorkloadManifest, safeguard: string): string | undefined {
  return offReason(object.raw?.metadata?.annotations, safeguard);
}
