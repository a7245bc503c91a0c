import { targetsOtherNodes } from './pod-constraints';
import { offReason } from '../../../contract';
import { ManifestModel, WorkloadKind, WorkloadManifest } from '../../manifest/model';

const SERVING: readonly WorkloadKind[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/** Workloads that are meant to be there all the time, on nodes of Karpenter. */
export function servingWorkloads({ workloads }: ManifestModel): WorkloadManifest[] {
  return workloads.filter((workload) => SERVING.includes(workload.kind) && !targetsOtherNodes(workload));
}

/** Why its author does without a safeguard, where an annotation says so. */
export function waiverOf({ object }: WorkloadManifest, safeguard: string): string | undefined {
  return offReason(object.raw?.metadata?.annotations, safeguard);
}
