import { addProblems, preventsUse } from './custom-resource';
import { DefaultSpread } from './default-spread';
import { BufferedPods, CapacityBufferManifest, FieldPath, ManifestObject } from './model';
import { ProblemLog } from './problem-log';
import { PlainRecord } from './records';
import { readVirtualPod } from './virtual-pod';
import { asRecord, FieldProblem } from '../../contract';
import { Quantity } from '../../model';
import { PodShape } from '../../scheduling';

interface Template {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  /** Of a workload. */
  readonly replicas?: number;
}

interface BufferSurroundings {
  /** Those of the input, among which the template of the buffer's pods is looked for. */
  readonly objects: readonly ManifestObject[];
  readonly defaultSpread: DefaultSpread;
}

export function readCapacityBuffer(
  object: ManifestObject, problems: readonly FieldProblem[], { objects, defaultSpread }: BufferSurroundings, log: ProblemLog,
): CapacityBufferManifest {
  const { tokens, kept } = addProblems(object, problems, log);
  const spec = asRecord(object.raw.spec);
  const manifest = { object, namespace: object.namespace ?? 'default', name: object.name, tokens: tokens.map(({ text }) => text) };
  if (!spec || tokens.length > 0 || kept.some(({ consequence }) => preventsUse(consequence))) return manifest;
  return { ...manifest, pods: bufferedPods(spec, manifest.namespace, { objects, defaultSpread }, log) };
}

function bufferedPods(spec: PlainRecord, namespace: string, { objects, defaultSpread }: BufferSurroundings, log: ProblemLog): BufferedPods {
  const found = templateOf(spec, namespace, objects);
  if (typeof found === 'string') return { missing: found };
  const isWorkload = found.replicas !== undefined;
  // What is wrong with a workload's template is said of the workload.
  const shape = readVirtualPod(found.object, found.path, isWorkload ? new ProblemLog() : log, defaultSpread);
  return shape ? { shape, count: bufferSize(spec, found.replicas, shape) } : { missing: `${found.object.kind} ${namespace}/${found.object.name} as the API server would take it` };
}

/** In words what is missing where it is not in the input. */
function templateOf(spec: PlainRecord, namespace: string, objects: readonly ManifestObject[]): Template | string {
  const podTemplate = asRecord(spec.podTemplateRef);
  const kind = podTemplate ? 'PodTemplate' : String(asRecord(spec.scalableRef)?.kind);
  const name = (podTemplate ?? asRecord(spec.scalableRef))?.name;
  const apiVersion = podTemplate ? 'v1' : 'apps/v1';
  const object = objects.filter((candidate) => candidate.apiVersion === apiVersion && candidate.kind === kind
    && candidate.name === name && (candidate.namespace ?? 'default') === namespace).pop();
  if (object === undefined) return `${kind} ${namespace}/${String(name)}, which is not in the input`;
  if (podTemplate) return { object, path: ['template'] };
  const replicas = asRecord(object.raw.spec)?.replicas;
  return { object, path: ['spec', 'template'], replicas: typeof replicas === 'number' ? replicas : 1 };
}

/**
 * The larger of `replicas` and the percentage, as far as the limits have room for it; where neither is set, as many as they have.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/capacitybuffer/controller.go
 */
export function bufferSize({ replicas, percentage, limits }: PlainRecord, scale: number | undefined, shape: PodShape): number {
  const sizes = [
    ...(typeof percentage === 'number' && scale !== undefined && scale > 0 ? [Math.ceil(scale * percentage / 100)] : []),
    ...(typeof replicas === 'number' ? [replicas] : []),
  ];
  const within = limitedSize(asRecord(limits) ?? {}, shape);
  return Math.max(0, sizes.length === 0 ? within ?? 0 : Math.min(Math.max(...sizes), within ?? Infinity));
}

/** Undefined where no limit is on what the pods request. */
function limitedSize(limits: PlainRecord, { requests }: PodShape): number | undefined {
  const sizes = Object.entries(limits).flatMap(([resource, raw]) => {
    const request = requests.get(resource) ?? 0n;
    const limit = Quantity.tryParse(raw);
    if (request === 0n || !limit) return [];
    const milli = resource === 'cpu' ? request : request * 1000n;
    return [Math.floor(Number(limit.milliValue()) / Number(milli))];
  });
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}
