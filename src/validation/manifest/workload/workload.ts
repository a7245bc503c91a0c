import { isDeepStrictEqual } from 'node:util';
import { UNADMITTED } from './admission';
import { checkClaimTemplates } from './claim-size';
import { controllerSelectorOf } from './default-spread';
import { checkFieldsTogether } from './fields-together';
import { claimedOrdinalRanges } from './ordinals';
import { checkPodFields } from './pod-fields';
import { readDaemonPodShape, readPodShape, RelatedObjects } from './pod-shape';
import { asRecord, FieldFix, isSubdomain, NAME_REMEDY, setField, unsafeFix } from '../../../contract';
import { listText, selects, valueText } from '../../../model';
import { DaemonSetSpec } from '../../../scheduling';
import { FieldReader, isToken } from '../field-reader';
import { FieldPath, ManifestObject, WorkloadKind, WorkloadManifest } from '../model';
import { hasPlaceholder, isNameToFillIn } from '../placeholders/placeholder';
import { ProblemLog } from '../problem-log';
import { PlainRecord, recordsOf, scalarText, stringMapOf } from '../records';
import { logWrongValues } from '../wrong-values';

const TEMPLATE: FieldPath = ['spec', 'template'];
const JOB_TEMPLATE: FieldPath = ['spec', 'jobTemplate'];

/** The path of the pod template: the parent of the pod's `metadata` and `spec`. */
const TEMPLATE_PATHS: Readonly<Record<WorkloadKind, FieldPath>> = {
  Deployment: TEMPLATE,
  ReplicaSet: TEMPLATE,
  StatefulSet: TEMPLATE,
  DaemonSet: TEMPLATE,
  Job: TEMPLATE,
  CronJob: [...JOB_TEMPLATE, ...TEMPLATE],
  Pod: [],
};

/** What the cluster knows about a workload of the manifests. */
export interface ClusterFacts {
  /** The `pod-template-hash` of its running pods. @default - the name of the workload */
  readonly templateHash?: string;
  /** Its current replicas, which stay if the manifest does not set `replicas`. @default 1 */
  readonly replicas?: number;
  /** Whether the cluster has a pod of the DaemonSet. @default false */
  readonly hasDaemonPod?: boolean;
}

export function readWorkload(
  object: ManifestObject,
  log: ProblemLog,
  related: RelatedObjects,
  clusterFacts: ClusterFacts = {},
): WorkloadManifest {
  const kind = object.kind as WorkloadKind;
  const reader = new FieldReader(object, log);
  const templatePath = TEMPLATE_PATHS[kind];
  const podPath = [...templatePath, 'spec'];
  const template = readNested(reader, templatePath, object.raw);
  const spec = template && readNested(reader, ['spec'], template, templatePath);
  const podLabels = stringMapOf(asRecord(template?.metadata)?.labels);
  checkMetadata(reader, [], object.raw);
  if (kind !== 'Pod' && template) checkMetadata(reader, templatePath, template);
  const namespace = object.namespace ?? 'default';
  if (isNameToFillIn(object.name)) log.notePlaceholder(object, ['metadata', 'name'], object.name);
  else if (object.name !== '' && !hasPlaceholder(object.name) && !isSubdomain(object.name))
    reader.reject(['metadata', 'name'], 'must be a DNS name', object.name, NAME_REMEDY);
  const specReplicas = readReplicas(reader, kind, object.raw, clusterFacts.replicas);
  const replicas =
    specReplicas === undefined
      ? undefined
      : related.autoscalers.clampReplicas(kind, namespace, object.name, specReplicas);
  const templates = kind === 'StatefulSet' ? recordsOf(object.raw.spec?.volumeClaimTemplates) : [];
  if (kind === 'StatefulSet') checkClaimTemplates(reader, object);
  // What an operator makes of its own object is not refused with that object.
  if (spec && !object.madeBy) {
    checkFieldsTogether(reader, kind, podPath, spec);
    const claims = templates.map(({ metadata }) => scalarText(asRecord(metadata)?.name));
    checkPodFields(reader, podPath, spec, claims);
  }
  const labels = podLabelsOf(kind, object.name, clusterFacts.templateHash ?? object.name, podLabels);
  const pod = {
    namespace,
    name: object.name,
    templates,
    labels,
    controllerSelector: controllerSelectorOf(kind, object.raw, labels),
  };
  const admitted = spec && related.queues ? related.queues.admitted(object.madeBy ?? object, spec) : spec;
  const shape =
    admitted && (kind === 'DaemonSet' ? readDaemonPodShape : readPodShape)(reader, podPath, admitted, pod, related);
  const templateShape =
    kind === 'DaemonSet' && spec && shape && !clusterFacts.hasDaemonPod
      ? readDaemonPodShape(new FieldReader(object, new ProblemLog()), podPath, spec, pod, {
          ...related,
          admission: UNADMITTED,
        })
      : undefined;
  const pods = { object, podPath, pod, replicas: replicas ?? 1 };
  const ordinals =
    spec && shape && templates.length > 0 ? claimedOrdinalRanges({ ...pods, spec, shape }, related) : undefined;
  const isRefused = logWrongValues(object, log);
  return {
    object,
    kind,
    namespace,
    name: object.name,
    replicas: replicas ?? 1,
    podLabels,
    podPath,
    shape: reader.invalid || isRefused ? undefined : shape,
    ...(templateShape && !isDeepStrictEqual(templateShape, shape) ? { templateShape } : {}),
    ...(ordinals ? { ordinals } : {}),
  };
}

/** The DaemonSet as Karpenter plans with it; undefined for other workloads, and if its pods would be rejected. */
export function daemonSetSpecOf({
  kind,
  namespace,
  name,
  shape,
  templateShape,
}: WorkloadManifest): DaemonSetSpec | undefined {
  if (kind !== 'DaemonSet' || !shape) return undefined;
  return { namespace, name, shape: templateShape ?? shape, ...(templateShape ? { podShape: shape } : {}) };
}

/**
 * Rejects labels and annotations such as `version: 1.10`, which YAML reads as a number. An empty value is an empty
 * text.
 */
function checkMetadata(reader: FieldReader, path: FieldPath, { metadata }: PlainRecord): void {
  for (const field of ['labels', 'annotations']) {
    for (const [key, value] of Object.entries(asRecord(asRecord(metadata)?.[field]) ?? {})) {
      if (value !== null) reader.comparedText([...path, 'metadata', field, key], value);
    }
  }
}

/** Reads an object inside other objects; each of them is required. */
function readNested(
  reader: FieldReader,
  path: FieldPath,
  root: PlainRecord,
  rootPath: FieldPath = [],
): PlainRecord | undefined {
  let current: PlainRecord = root;
  for (let i = 0; i < path.length; i += 1) {
    const currentPath = [...rootPath, ...path.slice(0, i + 1)];
    const value = current[path[i]];
    const next =
      value === undefined
        ? reader.reject(currentPath, 'must be set', value, `write ${path[i]} with the pod in it`)
        : reader.record(currentPath, value);
    if (!next) return undefined;
    current = next;
  }
  return current;
}

/** The number of pods that run at a time, before an autoscaler changes it. */
function readReplicas(
  reader: FieldReader,
  kind: WorkloadKind,
  raw: PlainRecord,
  clusterReplicas = 1,
): number | undefined {
  if (kind === 'DaemonSet') return 0;
  if (kind === 'Pod') return 1;
  const path = kind === 'CronJob' ? [...JOB_TEMPLATE, 'spec'] : ['spec'];
  const spec = path.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), raw);
  if (kind !== 'Job' && kind !== 'CronJob')
    return reader.count([...path, 'replicas'], spec?.replicas ?? clusterReplicas);
  // A suspended CronJob makes no Jobs, and a suspended Job makes no pods.
  if (spec?.suspend === true || asRecord(raw.spec)?.suspend === true) return 0;
  const parallelism = reader.count([...path, 'parallelism'], spec?.parallelism ?? 1);
  const completions = reader.count([...path, 'completions'], spec?.completions);
  return parallelism === undefined ? undefined : Math.min(parallelism, completions ?? parallelism);
}

/**
 * The labels of the template and the labels that controllers add. Spread constraints often select by the template hash
 * of a Deployment. The hash and the name of a CronJob's Job need not be real: they only have to be unique to the
 * workload.
 */
function podLabelsOf(
  kind: WorkloadKind,
  name: string,
  templateHash: string,
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  if (kind === 'Deployment') return { 'pod-template-hash': templateHash, ...labels };
  const job = kind === 'Job' ? name : kind === 'CronJob' ? `${name}-run` : undefined;
  return job === undefined ? { ...labels } : { 'job-name': job, 'batch.kubernetes.io/job-name': job, ...labels };
}

const SELECTOR_PATH = ['spec', 'selector'];
const HASH = { 'pod-template-hash': 'x' };

/**
 * Removes the pods of a workload whose selector the API server would reject: the selector is required, and has to
 * select the pods of its own template.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector
 */
export function checkSelector(workload: WorkloadManifest, log: ProblemLog): WorkloadManifest {
  const { object, kind, podLabels, shape } = workload;
  // A DaemonSet's selector has the same form as a ReplicaSet's.
  const selector = controllerSelectorOf(kind === 'DaemonSet' ? 'ReplicaSet' : kind, object.raw, HASH);
  const rawSelector = object.raw.spec?.selector;
  const text = JSON.stringify([rawSelector, podLabels]);
  if (!selector || !shape || isToken(text)) return workload;
  const { matchLabels, matchExpressions } = asRecord(rawSelector) ?? {};
  const reader = new FieldReader(object, log);
  if (isEmpty(matchLabels) && isEmpty(matchExpressions)) {
    reader.reject(
      SELECTOR_PATH,
      'must select the pods of its own template',
      rawSelector,
      `write matchLabels with labels that the template has${labelsText(podLabels)}`,
    );
  } else if (!selects(selector, { ...podLabels, ...HASH })) {
    reader.reject(
      SELECTOR_PATH,
      `must select the pods of its own template${labelsText(podLabels)}`,
      rawSelector,
      ...sameLabels(matchLabels, isEmpty(matchExpressions)),
    );
  }
  return reader.invalid ? { ...workload, shape: undefined } : workload;
}

/** Budgets and Services select by the labels of the selector, too, and it cannot be changed later. */
function sameLabels(matchLabels: unknown, isWhole: boolean): [remedy: string, fix?: FieldFix] {
  const labels = Object.entries(asRecord(matchLabels) ?? {});
  if (!isWhole || labels.length === 0) return ['write the same labels in both'];
  const texts = labels.map(([key, value]) => `${key}: ${valueText(value)}`);
  const edits = labels.map(([key, value]) => setField([...TEMPLATE, 'metadata', 'labels', key], value));
  return [`write ${listText(texts)} in spec.template.metadata.labels, too`, unsafeFix(...edits)];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || Object.keys(value).length === 0;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels).length === 0 ? ', which has none' : `: ${JSON.stringify(labels)}`;
}
