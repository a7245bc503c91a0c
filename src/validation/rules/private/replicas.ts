import { findUnresolved } from './unresolved';
import { ManifestModel, ManifestObject, WorkloadKind, WorkloadManifest } from '../../manifest/model';

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
  const { kind, name, replicas, object } = workload;
  if (!SCALABLE.includes(kind)) {
    return { pods: 0, unknown: `it selects ${kind} ${name}, for whose pods a budget has no number of replicas to go by` };
  }
  const scaler = scalerOf(model, workload, 'HorizontalPodAutoscaler');
  if (scaler !== undefined) {
    return replicasOfScaler(scaler);
  }
  const keda = scalerOf(model, workload, 'ScaledObject');
  if (keda !== undefined) {
    return { pods: 0, unknown: `ScaledObject ${keda.name} decides how many replicas ${kind} ${name} has` };
  }
  const unresolved = findUnresolved(object.raw?.spec?.replicas);
  return unresolved === undefined ? { pods: replicas } : { pods: 0, unknown: `the value of ${unresolved} is known only at deployment` };
}

/** The autoscaler of a kind that decides on the replicas of a workload. */
export function scalerOf(model: ManifestModel, workload: WorkloadManifest, kind: 'HorizontalPodAutoscaler' | 'ScaledObject'): ManifestObject | undefined {
  return scalersIn(model).find((candidate) => candidate.kind === kind && scales(candidate, workload));
}

/** Several rules ask for thousands of workloads. */
const KNOWN = new WeakMap<ManifestModel, readonly ManifestObject[]>();

function scalersIn(model: ManifestModel): readonly ManifestObject[] {
  const known = KNOWN.get(model) ?? model.objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject');
  KNOWN.set(model, known);
  return known;
}

function replicasOfScaler({ raw, name }: ManifestObject): Replicas {
  const least = raw?.spec?.minReplicas ?? 1;
  return Number.isInteger(least) && least >= 0
    ? { pods: least, source: `minReplicas of HorizontalPodAutoscaler ${name}` }
    : { pods: 0, unknown: `minReplicas of HorizontalPodAutoscaler ${name} is no number` };
}

/** A ScaledObject's target is a Deployment unless it says otherwise. */
function scales(scaler: ManifestObject, { kind, name, namespace }: WorkloadManifest): boolean {
  const target = scaler.raw?.spec?.scaleTargetRef;
  return (scaler.namespace ?? 'default') === namespace && target?.name === name && (target?.kind ?? 'Deployment') === kind;
}
