import { allParts, countOr, jobPart, partOf, withLabels } from './part';
import { asRecord } from '../../../../contract';
import { isCount } from '../../field-reader';
import { ManifestObject } from '../../object';
import { recordsOf } from '../../records';

/** The labels that the controllers give the pods. */
const JOB_SET_LABEL = 'jobset.sigs.k8s.io/jobset-name';
const LEADER_WORKER_SET_LABEL = 'leaderworkerset.sigs.k8s.io/name';

/** The controllers add affinities to pods of objects with such annotations. */
const EXCLUSIVE_TOPOLOGY = /exclusive-topology$/;

function hasExclusiveTopology({ raw }: ManifestObject): boolean {
  const annotations = Object.keys(asRecord(raw.metadata?.annotations) ?? {});
  return annotations.some((name) => EXCLUSIVE_TOPOLOGY.test(name));
}

/** One Job stands for all replicas of a replicated Job. */
export function jobSetParts(object: ManifestObject): ManifestObject[] | undefined {
  if (hasExclusiveTopology(object)) return undefined;
  const spec = asRecord(object.raw.spec);
  const jobs = recordsOf(spec?.replicatedJobs).map((replicated, index) => {
    const { name, replicas = 1 } = replicated;
    const job = asRecord(asRecord(replicated.template)?.spec);
    const { parallelism = 1, completions = parallelism } = job ?? {};
    if (typeof name !== 'string' || !isCount(replicas) || !isCount(parallelism) || !isCount(completions))
      return undefined;
    const counts = { parallelism: parallelism * replicas, completions: completions * replicas };
    const suspend = spec?.suspend === true || job?.suspend === true || replicas === 0;
    const template = withLabels(job?.template, { [JOB_SET_LABEL]: object.name });
    return partOf(object, {
      kind: 'Job',
      name: `${object.name}-${name}`,
      spec: { ...job, ...counts, suspend, template },
      place: ['spec', 'replicatedJobs', index, 'template', 'spec', 'template'],
    });
  });
  return allParts(jobs);
}

export function volcanoJobParts(object: ManifestObject): ManifestObject[] | undefined {
  if (hasExclusiveTopology(object)) return undefined;
  const tasks = recordsOf(object.raw.spec?.tasks).map(({ name, replicas, template }, index) => {
    const pods = countOr(replicas, 1);
    if (typeof name !== 'string' || pods === undefined) return undefined;
    return jobPart(object, `${object.name}-${name}`, pods, template, { place: ['spec', 'tasks', index, 'template'] });
  });
  return allParts(tasks);
}

export function leaderWorkerSetParts(object: ManifestObject): ManifestObject[] | undefined {
  if (hasExclusiveTopology(object)) return undefined;
  const spec = asRecord(object.raw.spec);
  const templates = asRecord(spec?.leaderWorkerTemplate);
  const { replicas = 1 } = spec ?? {};
  const { size = 1 } = templates ?? {};
  if (!isCount(replicas) || !isCount(size) || size === 0 || templates?.workerTemplate === undefined) return undefined;
  const setOf = (name: string, field: string, count: number) => {
    const labels = { [LEADER_WORKER_SET_LABEL]: object.name };
    const template = withLabels(templates[field], labels);
    return partOf(object, {
      kind: 'StatefulSet',
      name,
      spec: { replicas: count, serviceName: name, selector: { matchLabels: labels }, template },
      place: ['spec', 'leaderWorkerTemplate', field],
    });
  };
  const leader = templates.leaderTemplate === undefined ? 'workerTemplate' : 'leaderTemplate';
  return [
    setOf(object.name, leader, replicas),
    ...(size > 1 ? [setOf(`${object.name}-workers`, 'workerTemplate', replicas * (size - 1))] : []),
  ];
}
