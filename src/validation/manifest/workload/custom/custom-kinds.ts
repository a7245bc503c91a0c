import { argoParts } from './argo';
import { jobSetParts, leaderWorkerSetParts, volcanoJobParts } from './gangs';
import { rolloutParts } from './rollout';
import { sparkParts } from './spark';
import { knativeParts, rayParts, trainingJobParts } from './templates';
import { ManifestObject } from '../../object';

/** A custom kind whose manifest says which pods its controller makes. */
interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** Whether the pods are useful only together. */
  readonly isGang?: boolean;
  /** Objects of known kinds with the same pods; undefined if the manifest does not say which pods these are. */
  readonly parts: (object: ManifestObject, objects: readonly ManifestObject[]) => ManifestObject[] | undefined;
}

const trainingJob = (kind: string, field: string, group = 'kubeflow.org'): CustomKind => ({
  group,
  kind,
  isGang: true,
  parts: (object) => trainingJobParts(object, field),
});

/**
 * @see https://argo-rollouts.readthedocs.io/en/stable/features/specification/
 * @see https://jobset.sigs.k8s.io/docs/overview/
 * @see https://lws.sigs.k8s.io/docs/overview/
 * @see https://volcano.sh/en/docs/vcjob/
 * @see https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html
 * @see https://www.kubeflow.org/docs/components/spark-operator/user-guide/writing-sparkapplication/
 * @see https://www.kubeflow.org/docs/components/trainer/legacy-v1/user-guides/pytorch/
 * @see https://knative.dev/docs/serving/autoscaling/scale-bounds/
 */
const CUSTOM_KINDS: readonly CustomKind[] = [
  { group: 'argoproj.io', kind: 'Rollout', parts: rolloutParts },
  { group: 'jobset.x-k8s.io', kind: 'JobSet', isGang: true, parts: jobSetParts },
  { group: 'leaderworkerset.x-k8s.io', kind: 'LeaderWorkerSet', isGang: true, parts: leaderWorkerSetParts },
  { group: 'batch.volcano.sh', kind: 'Job', isGang: true, parts: volcanoJobParts },
  { group: 'ray.io', kind: 'RayCluster', parts: (object) => rayParts(object, ['spec']) },
  { group: 'ray.io', kind: 'RayService', parts: (object) => rayParts(object, ['spec', 'rayClusterConfig']) },
  { group: 'ray.io', kind: 'RayJob', parts: (object) => rayParts(object, ['spec', 'rayClusterSpec']) },
  { group: 'sparkoperator.k8s.io', kind: 'SparkApplication', parts: (object) => sparkParts(object, ['spec']) },
  {
    group: 'sparkoperator.k8s.io',
    kind: 'ScheduledSparkApplication',
    parts: (object) => sparkParts(object, ['spec', 'template']),
  },
  trainingJob('PyTorchJob', 'pytorchReplicaSpecs'),
  trainingJob('TFJob', 'tfReplicaSpecs'),
  trainingJob('XGBoostJob', 'xgbReplicaSpecs'),
  trainingJob('PaddleJob', 'paddleReplicaSpecs'),
  trainingJob('MPIJob', 'mpiReplicaSpecs'),
  { group: 'serving.knative.dev', kind: 'Service', parts: knativeParts },
  { group: 'argoproj.io', kind: 'Workflow', parts: (object, objects) => argoParts(object, ['spec'], objects) },
  {
    group: 'argoproj.io',
    kind: 'CronWorkflow',
    parts: (object, objects) => argoParts(object, ['spec', 'workflowSpec'], objects),
  },
];

/** The kinds, as `Rollout.argoproj.io`. */
export const CUSTOM_WORKLOAD_KINDS: readonly string[] = CUSTOM_KINDS.map(({ kind, group }) => `${kind}.${group}`);

/** Objects of known kinds that stand for the pods of a custom object; none for objects of other kinds. */
export function customParts(object: ManifestObject, objects: readonly ManifestObject[]): ManifestObject[] {
  return customKindOf(object)?.parts(object, objects) ?? [];
}

export function isCustomWorkload(object: ManifestObject): boolean {
  return customKindOf(object) !== undefined;
}

/** Whether the pods of the object are useful only together. */
export function isGang(object: ManifestObject): boolean {
  return customKindOf(object)?.isGang === true && object.raw.spec?.elasticPolicy === undefined;
}

function customKindOf({ apiVersion, kind }: ManifestObject): CustomKind | undefined {
  const [group, version] = apiVersion.split('/');
  return version === undefined
    ? undefined
    : CUSTOM_KINDS.find((custom) => custom.kind === kind && custom.group === group);
}
