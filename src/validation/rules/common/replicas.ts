import { memoizeByIdentity } from '../../../model';
import { isCount } from '../../manifest/field-reader';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, ManifestObject, WorkloadKind, WorkloadManifest } from '../../manifest/model';
import { Autoscalers } from '../../manifest/workload/autoscalers';
import { Severity } from '../rule';

/**
 * Kinds with a scale subresource, from which Kubernetes reads the number of pods that a PodDisruptionBudget needs.
 */
const SCALABLE: readonly WorkloadKind[] = ['Deployment', 'ReplicaSet', 'StatefulSet'];

/** How many pods a workload runs at least while all are healthy. */
export interface Replicas {
  readonly pods: number;
  /** Where the number comes from, if not from the workload itself. */
  readonly source?: string;
  /** Why the number is unknown. */
  readonly unknown?: string;
}

export function minimumReplicas(model: ManifestModel, workload: WorkloadManifest): Replicas {
  const { kind, namespace, name, replicas, object } = workload;
  if (!SCALABLE.includes(kind)) {
    return {
      pods: 0,
      unknown: `it selects pods of ${kind} ${name}, which has no replica count that a PodDisruptionBudget could use`,
    };
  }
  const scaler = horizontalAutoscalerOf(model, workload);
  // A HorizontalPodAutoscaler does not change a workload with 0 replicas.
  if (scaler !== undefined && replicas > 0) {
    const range = autoscalersIn(model).rangeOf(kind, namespace, name);
    return range
      ? { pods: range.min, source: `minReplicas of HorizontalPodAutoscaler ${scaler.name}` }
      : { pods: 0, unknown: `minReplicas of HorizontalPodAutoscaler ${scaler.name} is not a number` };
  }
  const keda = autoscalersIn(model).scaledObjectOf(kind, namespace, name);
  if (keda !== undefined) {
    const least = autoscalersIn(model).rangeOf(kind, namespace, name)?.min ?? 0;
    if (least > 0) return { pods: least, source: `minReplicaCount of ScaledObject ${keda.name}` };
    return { pods: 0, unknown: `ScaledObject ${keda.name} sets the replicas of ${kind} ${name}` };
  }
  const unresolved = findUnresolved(object.raw?.spec?.replicas);
  if (unresolved !== undefined) return { pods: 0, unknown: `the value of ${unresolved} is known only at deployment` };
  return isCount(object.raw?.spec?.replicas ?? 1)
    ? { pods: replicas }
    : { pods: 0, unknown: 'its replicas are not a valid number' };
}

/** The most pods that the workload may have: its replicas, or the maximum of its autoscaler. */
export function mostReplicas(model: ManifestModel, { kind, namespace, name, replicas }: WorkloadManifest): number {
  return Math.max(replicas, autoscalersIn(model).rangeOf(kind, namespace, name)?.max ?? 0);
}

/** The HorizontalPodAutoscaler that sets the workload's replicas. */
export function horizontalAutoscalerOf(
  model: ManifestModel,
  { kind, namespace, name }: WorkloadManifest,
): ManifestObject | undefined {
  return autoscalersIn(model).horizontalAutoscalerOf(kind, namespace, name);
}

/** A lower severity for a workload that is scaled to 0: the mistake harms no pod yet. */
export interface IdleSeverity {
  /** @default - the rule's severity */
  readonly severity?: Severity;
  /** Suffix of the message. */
  readonly note: string;
}

export function idleSeverityOf(
  model: ManifestModel,
  { kind, namespace, name, replicas }: WorkloadManifest,
): IdleSeverity {
  const isIdle = replicas === 0 && autoscalersIn(model).scaledObjectOf(kind, namespace, name) === undefined;
  return isIdle ? { severity: 'warning', note: '; it is scaled to 0, so no pod is affected yet' } : { note: '' };
}

const autoscalersIn = memoizeByIdentity((model: ManifestModel) => new Autoscalers(model.objects));
