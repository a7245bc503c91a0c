import { logFieldProblems, preventsUse } from './custom-resource';
import { asRecord, FieldProblem } from '../../../contract';
import { milliAmount, Quantity, valueText } from '../../../model';
import { PodShape } from '../../../scheduling';
import { FieldReader } from '../field-reader';
import { ResolvedBufferPods, CapacityBufferManifest, FieldPath, ManifestObject } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord, recordsOf, stringMapOf } from '../records';
import { UNADMITTED } from '../workload/admission';
import { Autoscalers } from '../workload/autoscalers';
import { DefaultSpread } from '../workload/default-spread';
import { readPodShape } from '../workload/pod-shape';
import { Storage } from '../workload/storage';

/** The object that a buffer takes its pod template from. */
interface Template {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  /** Set if the object is a workload. */
  readonly replicas?: number;
}

interface BufferContext {
  /** All objects of the input: the buffer's template is one of them. */
  readonly objects: readonly ManifestObject[];
  readonly defaultSpread: DefaultSpread;
}

export function readCapacityBuffer(
  object: ManifestObject,
  problems: readonly FieldProblem[],
  { objects, defaultSpread }: BufferContext,
  log: ProblemLog,
): CapacityBufferManifest {
  const { tokens, logged } = logFieldProblems(object, problems, log);
  const spec = asRecord(object.raw.spec);
  const manifest = {
    object,
    namespace: object.namespace ?? 'default',
    name: object.name,
    tokens: tokens.map(({ text }) => text),
  };
  if (!spec || tokens.length > 0 || logged.some(({ consequence }) => preventsUse(consequence))) return manifest;
  return { ...manifest, pods: bufferedPods(spec, manifest.namespace, { objects, defaultSpread }, log) };
}

function bufferedPods(
  spec: PlainRecord,
  namespace: string,
  { objects, defaultSpread }: BufferContext,
  log: ProblemLog,
): ResolvedBufferPods {
  const template = templateOf(spec, namespace, objects);
  if (typeof template === 'string') return { missing: template };
  const isWorkload = template.replicas !== undefined;
  // Problems in the template of a workload are reported for the workload.
  const shape = readVirtualPod(template.object, template.path, isWorkload ? new ProblemLog() : log, defaultSpread);
  if (!shape) return { missing: `a valid ${template.object.kind} ${namespace}/${template.object.name}` };
  return { shape, count: bufferSize(spec, template.replicas, shape) };
}

/** A string describes a template that is not in the input. */
function templateOf(spec: PlainRecord, namespace: string, objects: readonly ManifestObject[]): Template | string {
  const podTemplate = asRecord(spec.podTemplateRef);
  const kind = podTemplate ? 'PodTemplate' : valueText(asRecord(spec.scalableRef)?.kind);
  const name = (podTemplate ?? asRecord(spec.scalableRef))?.name;
  const apiVersion = podTemplate ? 'v1' : 'apps/v1';
  const object = objects
    .filter(
      (candidate) =>
        candidate.apiVersion === apiVersion &&
        candidate.kind === kind &&
        candidate.name === name &&
        (candidate.namespace ?? 'default') === namespace,
    )
    .pop();
  if (object === undefined) return `${kind} ${namespace}/${valueText(name)}, which is not in the input`;
  if (podTemplate) return { object, path: ['template'] };
  const replicas = object.raw.spec?.replicas;
  return { object, path: ['spec', 'template'], replicas: typeof replicas === 'number' ? replicas : 1 };
}

/**
 * The number of pods in a buffer: the larger one of `replicas` and the percentage of the workload's replicas, within
 * the limits. If neither is set, as many pods as fit in the limits.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/capacitybuffer/controller.go
 */
export function bufferSize(
  { replicas, percentage, limits }: PlainRecord,
  workloadReplicas: number | undefined,
  shape: PodShape,
): number {
  const sizes = [
    ...(typeof percentage === 'number' && workloadReplicas !== undefined && workloadReplicas > 0
      ? [Math.ceil((workloadReplicas * percentage) / 100)]
      : []),
    ...(typeof replicas === 'number' ? [replicas] : []),
  ];
  const maxSize = maxSizeWithin(asRecord(limits) ?? {}, shape);
  return Math.max(0, sizes.length === 0 ? (maxSize ?? 0) : Math.min(Math.max(...sizes), maxSize ?? Infinity));
}

/** Undefined if no limit is on a resource that the pods request. */
function maxSizeWithin(limits: PlainRecord, { requests }: PodShape): number | undefined {
  const sizes = Object.entries(limits).flatMap(([resource, raw]) => {
    const request = requests.get(resource) ?? 0n;
    const limit = Quantity.tryParse(raw);
    if (request === 0n || !limit) return [];
    return [Math.floor(Number(limit.milliValue()) / Number(milliAmount(resource, request)))];
  });
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** A virtual pod is never admitted, so the API server adds no defaults. */
const NOT_ADMITTED = { admission: UNADMITTED, storage: new Storage([]), autoscalers: new Autoscalers([]) };

/**
 * The virtual pod that Karpenter makes from a template to reserve capacity. It has no volumes with claims. Its requests
 * are only those that the template writes: limits and namespace defaults replace missing requests of real pods only.
 *
 * @param log - for the problems of the template
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/state/virtualpods/utilities.go
 */
function readVirtualPod(
  object: ManifestObject,
  templatePath: FieldPath,
  log: ProblemLog,
  defaultSpread: DefaultSpread,
): PodShape | undefined {
  const template = templatePath.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), object.raw);
  const spec = asRecord(template?.spec);
  if (!spec) return undefined;
  const pod = {
    namespace: object.namespace ?? 'default',
    name: object.name,
    templates: [],
    labels: stringMapOf(asRecord(template?.metadata)?.labels),
  };
  const shape = readPodShape(new FieldReader(object, log), [...templatePath, 'spec'], withoutPodOnlyFields(spec), pod, {
    ...NOT_ADMITTED,
    defaultSpread,
  });
  // Karpenter does not validate virtual pods, so it never ignores one.
  return shape && { ...shape, ignored: undefined };
}

function withoutPodOnlyFields({
  nodeName: _node,
  schedulingGates: _gates,
  runtimeClassName: _class,
  ...spec
}: PlainRecord): PlainRecord {
  const containers = (raw: unknown) =>
    Array.isArray(raw) ? raw.map((item) => withoutUnrequestedLimits(asRecord(item)) ?? item) : raw;
  return {
    ...withoutUnrequestedLimits(spec),
    ...(spec.containers === undefined ? {} : { containers: containers(spec.containers) }),
    ...(spec.initContainers === undefined ? {} : { initContainers: containers(spec.initContainers) }),
    ...(asRecord(spec.affinity) ? { affinity: withoutLabelKeys(spec.affinity) } : {}),
    volumes: recordsOf(spec.volumes).filter(
      (volume) => volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined,
    ),
  };
}

/** Removes label keys: the API server adds labels to the selector of a term only when it admits a pod. */
function withoutLabelKeys(affinity: unknown): unknown {
  if (Array.isArray(affinity)) return affinity.map(withoutLabelKeys);
  const record = asRecord(affinity);
  if (!record) return affinity;
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      if (key === 'matchLabelKeys' || key === 'mismatchLabelKeys') return [];
      return [[key, key === 'nodeAffinity' || key === 'labelSelector' ? value : withoutLabelKeys(value)]];
    }),
  );
}

/** Removes the limits of resources that are not requested. */
function withoutUnrequestedLimits(holder: PlainRecord | undefined): PlainRecord | undefined {
  const resources = asRecord(holder?.resources);
  const limits = asRecord(resources?.limits);
  if (!holder || !limits) return holder;
  const requests = asRecord(resources?.requests) ?? {};
  const requested = Object.entries(limits).filter(([name]) => Object.hasOwn(requests, name));
  return { ...holder, resources: { ...resources, limits: Object.fromEntries(requested) } };
}
