import { Admission } from './admission';
import { Autoscalers } from './autoscalers';
import { DefaultSpread } from './default-spread';
import { FieldReader } from './field-reader';
import { FieldPath, ManifestObject } from './model';
import { readPodShape } from './pod-shape';
import { ProblemLog } from './problem-log';
import { PlainRecord, recordsOf } from './records';
import { Storage } from './storage';
import { asRecord } from '../../contract';
import { PodShape } from '../../scheduling';

/** What is in a template: it never goes through what the API server does with pods. */
const UNTOUCHED = { admission: new Admission([], new ProblemLog()), storage: new Storage([]), autoscalers: new Autoscalers([]) };

/**
 * The pod that Karpenter makes up from a template, to keep room for one like it: without volumes that are claimed, and with no more
 * requests than the template writes out, since only for a pod limits and namespaces make up for those that are left out.
 *
 * @param log of what is wrong with the template
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/state/virtualpods/utilities.go
 */
export function readVirtualPod(
  object: ManifestObject, templatePath: FieldPath, log: ProblemLog, defaultSpread: DefaultSpread,
): PodShape | undefined {
  const template = templatePath.reduce<PlainRecord | undefined>((at, step) => asRecord(at?.[step]), object.raw);
  const spec = asRecord(template?.spec);
  if (!spec) return undefined;
  const labels = Object.entries(asRecord(asRecord(template?.metadata)?.labels) ?? {});
  const pod = {
    namespace: object.namespace ?? 'default',
    name: object.name,
    templates: [],
    labels: Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  };
  const shape = readPodShape(new FieldReader(object, log), [...templatePath, 'spec'], sanitized(spec), pod, { ...UNTOUCHED, defaultSpread });
  // Karpenter asks of no such pod whether it could be let in.
  return shape && { ...shape, ignored: undefined };
}

function sanitized({ nodeName: _node, schedulingGates: _gates, runtimeClassName: _class, ...spec }: PlainRecord): PlainRecord {
  const containers = (raw: unknown) => Array.isArray(raw) ? raw.map((item) => withoutLoneLimits(asRecord(item)) ?? item) : raw;
  return {
    ...withoutLoneLimits(spec),
    ...(spec.containers === undefined ? {} : { containers: containers(spec.containers) }),
    ...(spec.initContainers === undefined ? {} : { initContainers: containers(spec.initContainers) }),
    volumes: recordsOf(spec.volumes).filter((volume) => volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined),
  };
}

/** Without the limits of resources that are not requested. */
function withoutLoneLimits(holder: PlainRecord | undefined): PlainRecord | undefined {
  const resources = asRecord(holder?.resources);
  const limits = asRecord(resources?.limits);
  if (!holder || !limits) return holder;
  const requests = asRecord(resources?.requests) ?? {};
  const requested = Object.entries(limits).filter(([name]) => Object.hasOwn(requests, name));
  return { ...holder, resources: { ...resources, limits: Object.fromEntries(requested) } };
}
