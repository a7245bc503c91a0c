import { allParts, countOr, jobPart, partOf, withLabels } from './part';
import { asRecord } from '../../../../contract';
import { Label, WELL_KNOWN_LABELS } from '../../../../model';
import { isCount } from '../../field-reader';
import { ManifestObject } from '../../object';
import { recordsOf } from '../../records';

/** The labels that the controllers give the pods. */
const JOB_SET_LABEL = 'jobset.sigs.k8s.io/jobset-name';
const LEADER_WORKER_SET_LABEL = 'leaderworkerset.sigs.k8s.io/name';

const JOB_KEY = 'jobset.sigs.k8s.io/job-key';
const JOB_SET_TOPOLOGY = 'alpha.jobset.sigs.k8s.io/exclusive-topology';
/** With it, a script labels the nodes of each Job beforehand. */
const NODE_SELECTOR_STRATEGY = 'alpha.jobset.sigs.k8s.io/node-selector';
/** Jobs, or groups, that are simulated one by one. */
const MOST_EXCLUSIVE_JOBS = 64;

const GROUP_KEY = 'leaderworkerset.sigs.k8s.io/group-key';
const GROUP_TOPOLOGY = 'leaderworkerset.sigs.k8s.io/exclusive-topology';

/** The controllers add affinities to pods of objects with such annotations. */
const EXCLUSIVE_TOPOLOGY = /exclusive-topology$/;

export function hasExclusiveTopology({ raw }: ManifestObject): boolean {
  const annotations = Object.keys(asRecord(raw.metadata?.annotations) ?? {});
  return annotations.some((name) => EXCLUSIVE_TOPOLOGY.test(name));
}

/** One Job stands for all replicas of a replicated Job, except if each has a topology domain of its own. */
export function jobSetParts(object: ManifestObject, objects: readonly ManifestObject[]): ManifestObject[] | undefined {
  const spec = asRecord(object.raw.spec);
  const jobs = recordsOf(spec?.replicatedJobs).flatMap((replicated, index): Array<ManifestObject | undefined> => {
    const { name, replicas = 1 } = replicated;
    const template = asRecord(replicated.template);
    const job = asRecord(template?.spec);
    const { parallelism = 1, completions = parallelism } = job ?? {};
    if (typeof name !== 'string' || !isCount(replicas) || !isCount(parallelism) || !isCount(completions))
      return [undefined];
    const domain = exclusiveDomain(object, template);
    if (domain === undefined || (domain.key !== '' && replicas > MOST_EXCLUSIVE_JOBS)) return [undefined];
    const copies = replicas > 0 && isLabelOfNodes(domain.key, objects) ? replicas : 1;
    const each = replicas / copies;
    return Array.from({ length: copies }, (_, copy) => {
      const key = `${object.name}-${name}-${copy}`;
      const labelled = withLabels(job?.template, { [JOB_SET_LABEL]: object.name });
      const counts = { parallelism: parallelism * each, completions: completions * each };
      const suspend = spec?.suspend === true || job?.suspend === true || replicas === 0;
      return partOf(object, {
        kind: 'Job',
        name: copies === 1 ? `${object.name}-${name}` : key,
        spec: {
          ...job,
          ...counts,
          suspend,
          template: domain.key === '' ? labelled : inDomainOfItsOwn(labelled, domain.key, [JOB_KEY, key]),
        },
        place: ['spec', 'replicatedJobs', index, 'template', 'spec', 'template'],
      });
    });
  });
  return allParts(jobs);
}

/** The topology key of the annotation, or none as `''`. Undefined if the pods depend on labels that others set. */
function exclusiveDomain(
  { raw }: ManifestObject,
  job: Readonly<Record<string, unknown>> | undefined,
): { readonly key: string } | undefined {
  const own = asRecord(asRecord(job?.metadata)?.annotations) ?? {};
  const annotations = { ...asRecord(raw.metadata?.annotations), ...own };
  const key = annotations[JOB_SET_TOPOLOGY] ?? '';
  return typeof key !== 'string' || (key !== '' && NODE_SELECTOR_STRATEGY in annotations) ? undefined : { key };
}

/** Without nodes that have the label, all Jobs stay Pending for the same reason. */
function isLabelOfNodes(key: string, objects: readonly ManifestObject[]): boolean {
  const isOfPool = ({ kind, raw }: ManifestObject) =>
    kind === 'NodePool' && JSON.stringify(raw.spec ?? '').includes(JSON.stringify(key));
  return key === Label.HOSTNAME || (key !== '' && (WELL_KNOWN_LABELS.has(key) || objects.some(isOfPool)));
}

/**
 * The affinities that JobSet adds to the first pod of a Job, and LeaderWorkerSet to the leader of a group; the others
 * follow it by a node selector.
 *
 * @see https://github.com/kubernetes-sigs/jobset/blob/main/pkg/webhooks/pod_mutating_webhook.go
 * @see https://github.com/kubernetes-sigs/lws/blob/main/pkg/webhooks/pod_webhook.go
 */
function inDomainOfItsOwn(template: unknown, topologyKey: string, [key, own]: readonly [string, string]): unknown {
  const labelled = asRecord(withLabels(template, { [key]: own }));
  const pod = asRecord(labelled?.spec);
  const affinity = asRecord(pod?.affinity);
  const term = (matchExpressions: readonly object[]) => ({
    labelSelector: { matchExpressions },
    namespaceSelector: {},
    topologyKey,
  });
  const others = [
    { key, operator: 'Exists' },
    { key, operator: 'NotIn', values: [own] },
  ];
  return {
    ...labelled,
    spec: {
      ...pod,
      affinity: {
        ...affinity,
        podAffinity: withRequired(affinity?.podAffinity, term([{ key, operator: 'In', values: [own] }])),
        podAntiAffinity: withRequired(affinity?.podAntiAffinity, term(others)),
      },
    },
  };
}

function withRequired(raw: unknown, term: object): object {
  const affinity = asRecord(raw);
  const required = recordsOf(affinity?.requiredDuringSchedulingIgnoredDuringExecution);
  return { ...affinity, requiredDuringSchedulingIgnoredDuringExecution: [...required, term] };
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

/** A set of leaders and one of workers; those of each group, if a group has a topology domain of its own. */
export function leaderWorkerSetParts(
  object: ManifestObject,
  objects: readonly ManifestObject[],
): ManifestObject[] | undefined {
  const spec = asRecord(object.raw.spec);
  const templates = asRecord(spec?.leaderWorkerTemplate);
  const { replicas = 1 } = spec ?? {};
  const { size = 1 } = templates ?? {};
  const topology = groupTopology(object);
  if (!isCount(replicas) || !isCount(size) || size === 0 || templates?.workerTemplate === undefined) return undefined;
  if (topology === undefined || (topology !== '' && replicas > MOST_EXCLUSIVE_JOBS)) return undefined;
  const copies = replicas > 0 && isLabelOfNodes(topology, objects) ? replicas : 1;
  const setOf = (copy: number, suffix: string, field: string, count: number) => {
    const group = copies === 1 ? object.name : `${object.name}-${copy}`;
    const name = `${group}${suffix}`;
    const labels = { [LEADER_WORKER_SET_LABEL]: object.name };
    const labelled = withLabels(templates[field], labels);
    const template = topology === '' ? labelled : inDomainOfItsOwn(labelled, topology, [GROUP_KEY, group]);
    return partOf(object, {
      kind: 'StatefulSet',
      name,
      spec: { replicas: count, serviceName: name, selector: { matchLabels: labels }, template },
      place: ['spec', 'leaderWorkerTemplate', field],
    });
  };
  const leader = templates.leaderTemplate === undefined ? 'workerTemplate' : 'leaderTemplate';
  const groups = replicas / copies;
  return Array.from({ length: copies }, (_, copy) => [
    setOf(copy, '', leader, groups),
    ...(size > 1 ? [setOf(copy, '-workers', 'workerTemplate', groups * (size - 1))] : []),
  ]).flat();
}

/** The topology key of the annotation, or `''`. Undefined with a topology of parts of groups, which is not read. */
function groupTopology({ raw }: ManifestObject): string | undefined {
  const { [GROUP_TOPOLOGY]: topology = '', ...others } = asRecord(raw.metadata?.annotations) ?? {};
  const isOther = Object.keys(others).some((name) => EXCLUSIVE_TOPOLOGY.test(name));
  return typeof topology !== 'string' || isOther ? undefined : topology;
}
