import { controllerSelectorOf } from './default-spread';
import { FieldReader } from './field-reader';
import { FieldPath, ManifestObject, WorkloadKind, WorkloadManifest } from './model';
import { ordinalRanges } from './ordinals';
import { PodSurroundings, readDaemonShape, readPodShape } from './pod-shape';
import { ProblemLog } from './problem-log';
import { PlainRecord, recordsOf } from './records';
import { asRecord, isSubdomain, NAME_REMEDY } from '../../contract';

const TEMPLATE: FieldPath = ['spec', 'template'];
const JOB_TEMPLATE: FieldPath = ['spec', 'jobTemplate'];

/** Where the pod is in each kind of workload: the parent of its `metadata` and `spec`. */
const POD_AT: Readonly<Record<WorkloadKind, FieldPath>> = {
  Deployment: TEMPLATE,
  ReplicaSet: TEMPLATE,
  StatefulSet: TEMPLATE,
  DaemonSet: TEMPLATE,
  Job: TEMPLATE,
  CronJob: [...JOB_TEMPLATE, ...TEMPLATE],
  Pod: [],
};

/** What the cluster tells of a workload of the manifests. */
export interface InCluster {
  /** The hash of its template, where pods of it run. @default - its name */
  readonly revision?: string;
  /** As many as it has, whoever has said so: they stay where its manifest does not say how many. @default 1 */
  readonly replicas?: number;
}

export function readWorkload(object: ManifestObject, log: ProblemLog, around: PodSurroundings, known: InCluster = {}): WorkloadManifest {
  const kind = object.kind as WorkloadKind;
  const reader = new FieldReader(object, log);
  const podAt = POD_AT[kind];
  const podPath = [...podAt, 'spec'];
  const template = enter(reader, podAt, object.raw);
  const spec = template && enter(reader, ['spec'], template, podAt);
  const podLabels = labelsOf(template);
  const namespace = object.namespace ?? 'default';
  if (object.name !== '' && !isSubdomain(object.name)) reader.reject(['metadata', 'name'], 'must be a DNS name', object.name, NAME_REMEDY);
  const written = readReplicas(reader, kind, object.raw, known.replicas);
  const replicas = written && around.autoscalers.replicasOf(kind, namespace, object.name, written);
  const templates = kind === 'StatefulSet' ? recordsOf(asRecord(object.raw.spec)?.volumeClaimTemplates) : [];
  const labels = runningLabels(kind, object.name, known.revision ?? object.name, podLabels);
  const pod = { namespace, name: object.name, templates, labels, controllerSelector: controllerSelectorOf(kind, object.raw, labels) };
  const shape = spec && (kind === 'DaemonSet' ? readDaemonShape : readPodShape)(reader, podPath, spec, pod, around);
  const set = { object, podPath, pod, replicas: replicas ?? 1 };
  const ranges = spec && shape && templates.length > 0 ? ordinalRanges({ ...set, spec, shape }, around) : undefined;
  return {
    object,
    kind,
    namespace,
    name: object.name,
    replicas: replicas ?? 1,
    podLabels,
    podPath,
    shape: reader.broken ? undefined : shape,
    ...ranges ? { ordinals: ranges } : {},
  };
}

/** Walks down objects that must be there. */
function enter(reader: FieldReader, path: FieldPath, from: PlainRecord, above: FieldPath = []): PlainRecord | undefined {
  let here: PlainRecord = from;
  for (let i = 0; i < path.length; i += 1) {
    const at = [...above, ...path.slice(0, i + 1)];
    const value = here[path[i]];
    const next = value === undefined ? reader.reject(at, 'must be there', value, `write ${path[i]} with the pod in it`) : reader.record(at, value);
    if (!next) return undefined;
    here = next;
  }
  return here;
}

/** Pods that run at a time, as far as no autoscaler has a say in it. */
function readReplicas(reader: FieldReader, kind: WorkloadKind, raw: PlainRecord, inCluster = 1): number | undefined {
  if (kind === 'DaemonSet') return 0;
  if (kind === 'Pod') return 1;
  const path = kind === 'CronJob' ? [...JOB_TEMPLATE, 'spec'] : ['spec'];
  const spec = path.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), raw);
  if (kind !== 'Job' && kind !== 'CronJob') return reader.count([...path, 'replicas'], spec?.replicas ?? inCluster);
  // A CronJob makes no Jobs, or makes ones that wait for somebody.
  if (spec?.suspend === true || asRecord(raw.spec)?.suspend === true) return 0;
  const parallelism = reader.count([...path, 'parallelism'], spec?.parallelism ?? 1);
  const completions = reader.count([...path, 'completions'], spec?.completions);
  return parallelism === undefined ? undefined : Math.min(parallelism, completions ?? parallelism);
}

/**
 * With what the controllers add: spread constraints often match by the hash of a Deployment's template, which only has to be its own, as
 * has the name of the Job that a CronJob makes for a run.
 */
function runningLabels(kind: WorkloadKind, name: string, revision: string, labels: Readonly<Record<string, string>>): Record<string, string> {
  if (kind === 'Deployment') return { 'pod-template-hash': revision, ...labels };
  const job = kind === 'Job' ? name : kind === 'CronJob' ? `${name}-run` : undefined;
  return job === undefined ? { ...labels } : { 'job-name': job, 'batch.kubernetes.io/job-name': job, ...labels };
}

function labelsOf(template: PlainRecord | undefined): Record<string, string> {
  const labels = asRecord(asRecord(template?.metadata)?.labels) ?? {};
  return Object.fromEntries(Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
