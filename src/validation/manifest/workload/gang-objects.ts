import { asRecord } from '../../../contract';
import { isCount } from '../field-reader';
import { FieldPath, ManifestObject } from '../object';
import { PlainRecord, recordsOf } from '../records';

const JOB_SET = 'JobSet';
const LEADER_WORKER_SET = 'LeaderWorkerSet';
/** The labels that the controllers give the pods. */
const JOB_SET_LABEL = 'jobset.sigs.k8s.io/jobset-name';
const LEADER_WORKER_SET_LABEL = 'leaderworkerset.sigs.k8s.io/name';
/** The controllers add affinities to pods of objects with such annotations. */
const EXCLUSIVE_TOPOLOGY = /exclusive-topology$/;

/**
 * What stands for the pods of a JobSet, a Job of Volcano or a LeaderWorkerSet: Jobs and StatefulSets, as their
 * controllers make. Undefined for other objects, and if the pods are not known.
 *
 * @see https://jobset.sigs.k8s.io/docs/overview/
 * @see https://lws.sigs.k8s.io/docs/overview/
 * @see https://volcano.sh/en/docs/vcjob/
 */
export function gangParts(object: ManifestObject): ManifestObject[] | undefined {
  const { apiVersion, kind, raw } = object;
  const annotations = Object.keys(asRecord(asRecord(raw.metadata)?.annotations) ?? {});
  if (annotations.some((name) => EXCLUSIVE_TOPOLOGY.test(name))) return undefined;
  if (kind === JOB_SET && apiVersion.startsWith('jobset.x-k8s.io/')) return jobsOf(object);
  if (kind === 'Job' && apiVersion.startsWith('batch.volcano.sh/')) return volcanoTasksOf(object);
  if (kind === LEADER_WORKER_SET && apiVersion.startsWith('leaderworkerset.x-k8s.io/')) return setsOf(object);
  return undefined;
}

/** One Job stands for all replicas of a replicated Job. */
function jobsOf(object: ManifestObject): ManifestObject[] | undefined {
  const spec = asRecord(object.raw.spec);
  const jobs = recordsOf(spec?.replicatedJobs).map((replicated, index) => {
    const { name, replicas = 1 } = replicated;
    const job = asRecord(asRecord(replicated.template)?.spec);
    const { parallelism = 1, completions = parallelism } = job ?? {};
    if (typeof name !== 'string' || !isCount(replicas) || !isCount(parallelism) || !isCount(completions))
      return undefined;
    const path = ['spec', 'replicatedJobs', index, 'template'];
    const counts = { parallelism: parallelism * replicas, completions: completions * replicas };
    const suspend = spec?.suspend === true || job?.suspend === true || replicas === 0;
    const template = withLabel(job?.template, JOB_SET_LABEL, object.name);
    const place = [...path, 'spec', 'template'];
    return partOf(object, 'batch/v1', 'Job', `${object.name}-${name}`, place, { ...job, ...counts, suspend, template });
  });
  return allOf(jobs);
}

function volcanoTasksOf(object: ManifestObject): ManifestObject[] | undefined {
  const tasks = recordsOf(asRecord(object.raw.spec)?.tasks).map(({ name, replicas = 1, template }, index) => {
    if (typeof name !== 'string' || !isCount(replicas)) return undefined;
    const counts = { parallelism: replicas, completions: replicas, suspend: replicas === 0 };
    const place = ['spec', 'tasks', index, 'template'];
    return partOf(object, 'batch/v1', 'Job', `${object.name}-${name}`, place, { ...counts, template });
  });
  return allOf(tasks);
}

/** Undefined if the pods of one part are not known. */
function allOf(parts: ReadonlyArray<ManifestObject | undefined>): ManifestObject[] | undefined {
  return parts.length === 0 || parts.some((part) => part === undefined) ? undefined : parts.map((part) => part!);
}

function setsOf(object: ManifestObject): ManifestObject[] | undefined {
  const spec = asRecord(object.raw.spec);
  const templates = asRecord(spec?.leaderWorkerTemplate);
  const { replicas = 1 } = spec ?? {};
  const { size = 1 } = templates ?? {};
  if (!isCount(replicas) || !isCount(size) || size === 0 || templates?.workerTemplate === undefined) return undefined;
  const setOf = (name: string, field: string, count: number) => {
    const labels = { [LEADER_WORKER_SET_LABEL]: object.name };
    const template = withLabel(templates[field], LEADER_WORKER_SET_LABEL, object.name);
    const set = { replicas: count, serviceName: name, selector: { matchLabels: labels }, template };
    return partOf(object, 'apps/v1', 'StatefulSet', name, ['spec', 'leaderWorkerTemplate', field], set);
  };
  const leader = templates.leaderTemplate === undefined ? 'workerTemplate' : 'leaderTemplate';
  return [
    setOf(object.name, leader, replicas),
    ...(size > 1 ? [setOf(`${object.name}-workers`, 'workerTemplate', replicas * (size - 1))] : []),
  ];
}

function withLabel(template: unknown, label: string, value: string): PlainRecord {
  const record = asRecord(template) ?? {};
  const metadata = asRecord(record.metadata) ?? {};
  return { ...record, metadata: { ...metadata, labels: { ...asRecord(metadata.labels), [label]: value } } };
}

/** @param place where the template of the pods is written */
function partOf(
  owner: ManifestObject,
  apiVersion: string,
  kind: string,
  name: string,
  place: FieldPath,
  spec: PlainRecord,
): ManifestObject {
  const isOfTemplate = (path: FieldPath) => path[0] === 'spec' && path[1] === 'template';
  return {
    apiVersion,
    kind,
    name,
    namespace: owner.namespace,
    raw: { apiVersion, kind, metadata: { name, namespace: owner.namespace }, spec },
    madeBy: owner,
    locate: (path) => owner.locate(isOfTemplate(path) ? [...place, ...path.slice(2)] : place),
  };
}
