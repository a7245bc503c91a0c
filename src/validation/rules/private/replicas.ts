import { findUnresolved } from './unresolved';
import { Autoscalers } from '../../manifest/autoscalers';
import { isCount } from '../../manifest/field-reader';
import { ManifestModel, ManifestObject, WorkloadKind, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';

/** Kinds whose number of pods Kubernetes can ask for (the scale subresource), as a budget needs it. */
const SCALABLE: readonly WorkloadKind[] = ['Deployment', 'ReplicaSet', 'StatefulSet'];

/** How many pods a workload runs at the least while nothing is wrong with it. */
export interface Replicas {
  readonly pods: number;
  /** Where the number is from, when not from the workload itself. */
  readonly source?: string;
  /** Why the number is not known. */
  readonly unknown?: string;
}

export function fullHealthReplicas(model: ManifestModel, workload: WorkloadManifest): Replicas {
  const { kind, namespace, name, replicas, object } = workload;
  if (!SCALABLE.includes(kind)) {
    return { pods: 0, unknown: `it selects ${kind} ${name}, for whose pods a budget has no number of replicas to go by` };
  }
  const scaler = horizontalAutoscalerOf(model, workload);
  // It leaves alone what is scaled to nothing.
  if (scaler !== undefined && replicas > 0) {
    const range = autoscalersIn(model).rangeOf(kind, namespace, name);
    return range
      ? { pods: range.least, source: `minReplicas of HorizontalPodAutoscaler ${scaler.name}` }
      : { pods: 0, unknown: `HorizontalPodAutoscaler ${scaler.name} does not say in numbers how many pods there are` };
  }
  const keda = autoscalersIn(model).kedaOf(kind, namespace, name);
  if (keda !== undefined) {
    return { pods: 0, unknown: `ScaledObject ${keda.name} decides how many replicas ${kind} ${name} has` };
  }
  const unresolved = findUnresolved(object.raw?.spec?.replicas);
  if (unresolved !== undefined) return { pods: 0, unknown: `the value of ${unresolved} is known only at deployment` };
  return isCount(object.raw?.spec?.replicas ?? 1) ? { pods: replicas } : { pods: 0, unknown: 'its replicas cannot be used as they are written' };
}

/** The HorizontalPodAutoscaler that decides on the replicas of a workload. */
export function horizontalAutoscalerOf(model: ManifestModel, { kind, namespace, name }: WorkloadManifest): ManifestObject | undefined {
  return autoscalersIn(model).horizontalOf(kind, namespace, name);
}

const autoscalersIn = oncePer((model: ManifestModel) => new Autoscalers(model.objects));
