import { asRecord, FieldPath, FieldProblem, rejected, renameField, setField, unsafeFix } from '../../../contract';
import { isCount } from '../field-reader';
import { KEDA_MAX } from './autoscalers';
import {
  priorityProblems,
  scaledObjectProblems,
  triggerZones,
  verticalProblems,
  volcanoProblems,
} from './scaler-fields';
import { logFieldProblems } from '../karpenter/custom-resource';
import { ManifestObject } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord } from '../records';
import { timeZoneProblem } from './time-zones';

const MAX_PATH = ['spec', 'maxReplicas'];

/** Logs fields of autoscalers, of Jobs of Volcano and of PriorityClasses that the API server or a webhook rejects. */
export function logAutoscalerProblems(object: ManifestObject, log: ProblemLog): void {
  const { apiVersion } = object;
  const spec = asRecord(object.raw.spec) ?? {};
  const problems: ReadonlyArray<FieldProblem | undefined> = isHorizontal(object)
    ? [versionProblem(apiVersion), limitProblem(spec), zeroProblem(spec), ...utilizationProblems(spec)]
    : isScaledObject(object)
      ? [scaledProblem(spec, 'the workload'), ...scaledObjectProblems(spec)]
      : isScaledJob(object)
        ? [scaledProblem(spec, 'the jobs'), ...triggerZones(spec)]
        : otherProblems(object, spec);
  const found = problems.flatMap((problem) => problem ?? []);
  // Placeholders of an object without problems are noted by the reader of its kind.
  if (found.length > 0) logFieldProblems(object, found, log);
}

function isHorizontal({ kind, apiVersion }: ManifestObject): boolean {
  return kind === 'HorizontalPodAutoscaler' && apiVersion.startsWith('autoscaling/');
}

function otherProblems(object: ManifestObject, spec: PlainRecord): FieldProblem[] {
  const { kind, apiVersion } = object;
  if (kind === 'VerticalPodAutoscaler' && apiVersion.startsWith('autoscaling.k8s.io/')) return verticalProblems(spec);
  if (kind === 'Job' && apiVersion.startsWith('batch.volcano.sh/')) return volcanoProblems(spec);
  if (isCronWorkflow(object)) {
    const effect = ', otherwise Argo Workflows never starts the workflow';
    return [timeZoneProblem(['spec', 'timezone'], spec.timezone, effect) ?? []].flat();
  }
  return kind === 'PriorityClass' && apiVersion.startsWith('scheduling.k8s.io/') ? priorityProblems(object) : [];
}

/** Whether the object is of other controllers, whose webhooks refuse some of their fields. */
export function isOfWebhook(object: ManifestObject): boolean {
  const group = object.apiVersion.split('/')[0];
  return (
    isScaledObject(object) ||
    isScaledJob(object) ||
    (object.kind === 'VerticalPodAutoscaler' && group === 'autoscaling.k8s.io') ||
    (object.kind === 'Job' && group === 'batch.volcano.sh') ||
    isCronWorkflow(object)
  );
}

function isCronWorkflow({ kind, apiVersion }: ManifestObject): boolean {
  return kind === 'CronWorkflow' && apiVersion.startsWith('argoproj.io/');
}

/** Whether the object is of KEDA, which makes a HorizontalPodAutoscaler from it. */
export function isScaledObject({ kind, apiVersion }: ManifestObject): boolean {
  return kind === 'ScaledObject' && apiVersion.startsWith('keda.sh/');
}

/** Whether the object is of KEDA, which makes Jobs from it. */
export function isScaledJob({ kind, apiVersion }: ManifestObject): boolean {
  return kind === 'ScaledJob' && apiVersion.startsWith('keda.sh/');
}

/** Kubernetes 1.25 and 1.26 have removed the versions before `autoscaling/v2`. */
function versionProblem(apiVersion: string): FieldProblem | undefined {
  if (!/^autoscaling\/v2beta[12]$/.test(apiVersion)) return undefined;
  const isSame = apiVersion.endsWith('2');
  return rejected(
    ['apiVersion'],
    'must be autoscaling/v2 for a HorizontalPodAutoscaler, because Kubernetes serves no older version with metrics',
    apiVersion,
    `write apiVersion: autoscaling/v2${isSame ? '' : ', with target: {type, averageUtilization} in each metric'}`,
    isSame ? unsafeFix(setField(['apiVersion'], 'autoscaling/v2')) : undefined,
  );
}

/** A workload without pods has no use of resources that could wake it. */
function zeroProblem({ minReplicas, metrics }: Readonly<Record<string, unknown>>): FieldProblem | undefined {
  const sources = (Array.isArray(metrics) ? metrics : []).map((metric: unknown) => asRecord(metric)?.type);
  if (minReplicas !== 0 || sources.includes('Object') || sources.includes('External')) return undefined;
  const path = ['spec', 'minReplicas'];
  return rejected(
    path,
    'must be at least 1, because pods that do not run have no metrics',
    minReplicas,
    'write 1, or let KEDA scale the workload to 0',
    unsafeFix(setField(path, 1)),
  );
}

function utilizationProblems({ metrics }: Readonly<Record<string, unknown>>): FieldProblem[] {
  return (Array.isArray(metrics) ? metrics : []).flatMap((metric: unknown, index): FieldProblem[] =>
    (['resource', 'containerResource'] as const).flatMap((source) => {
      const target = asRecord(asRecord(asRecord(metric)?.[source])?.target);
      const share = target?.averageUtilization;
      if (target !== undefined && isWithoutAmount(target))
        return [amountProblem(['spec', 'metrics', index, source], target)];
      if (typeof share !== 'number' || (Number.isInteger(share) && share > 0)) return [];
      const path = ['spec', 'metrics', index, source, 'target', 'averageUtilization'];
      const percent = share > 0 && share < 1 ? Math.round(share * 100) : undefined;
      return [
        rejected(
          path,
          'must be a whole number of percent above 0',
          share,
          `write ${percent ?? 'for example 70'}`,
          percent === undefined ? undefined : unsafeFix(setField(path, percent)),
        ),
      ];
    }),
  );
}

function isWithoutAmount({ averageUtilization, averageValue }: Readonly<Record<string, unknown>>): boolean {
  return (averageUtilization ?? averageValue ?? undefined) === undefined;
}

/** `value` is for metrics of other objects. */
function amountProblem(path: FieldPath, { value }: Readonly<Record<string, unknown>>): FieldProblem {
  const targetPath = [...path, 'target'];
  const isPercent = typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 100;
  return rejected(
    [...targetPath, 'averageUtilization'],
    'must be set, or averageValue',
    undefined,
    value === undefined ? 'write for example averageUtilization: 70' : 'write averageUtilization instead of value',
    isPercent ? unsafeFix(renameField([...targetPath, 'value'], 'averageUtilization')) : undefined,
  );
}

/** @see https://keda.sh/docs/latest/reference/scaledobject-spec/ */
function scaledProblem(spec: Readonly<Record<string, unknown>>, scaled: string): FieldProblem | undefined {
  const { minReplicaCount: min = 0, maxReplicaCount: max = KEDA_MAX, idleReplicaCount: idle } = spec;
  if (!isCount(min) || !isCount(max)) return undefined;
  if (min > max)
    return rejected(
      ['spec', spec.maxReplicaCount === undefined ? 'minReplicaCount' : 'maxReplicaCount'],
      spec.maxReplicaCount === undefined
        ? `must be at most maxReplicaCount, which is ${KEDA_MAX} by default`
        : `must be at least minReplicaCount (${min}): KEDA does not scale ${scaled}`,
      spec.maxReplicaCount ?? min,
      `write maxReplicaCount: ${min} or more, or lower minReplicaCount`,
    );
  if (!isCount(idle) || idle < min) return undefined;
  return rejected(
    ['spec', 'idleReplicaCount'],
    `must be less than minReplicaCount (${min}): KEDA does not scale ${scaled}`,
    idle,
    'write idleReplicaCount: 0, and minReplicaCount: 1 or more',
  );
}

function limitProblem({ minReplicas = 1, maxReplicas }: Readonly<Record<string, unknown>>): FieldProblem | undefined {
  if (maxReplicas === undefined || maxReplicas === null)
    return rejected(
      MAX_PATH,
      'must be set, because the API server has no default',
      maxReplicas,
      'write the most replicas that the workload may have',
    );
  if (!isCount(maxReplicas)) return undefined;
  if (maxReplicas < 1) return rejected(MAX_PATH, 'must be at least 1', maxReplicas, 'write 1 or more');
  if (!isCount(minReplicas) || maxReplicas >= minReplicas) return undefined;
  return rejected(
    MAX_PATH,
    `must be at least minReplicas (${minReplicas})`,
    maxReplicas,
    `write ${minReplicas} or more, or lower minReplicas`,
  );
}
