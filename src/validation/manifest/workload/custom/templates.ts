import { allParts, countOr, jobPart, partOf, withLabels, withRestartPolicy } from './part';
import { asRecord } from '../../../../contract';
import { FieldPath, ManifestObject } from '../../object';
import { PlainRecord, recordsOf } from '../../records';

const RAY_LABEL = 'ray.io/cluster';
/** Default of `maxReplicas` in the API of Ray. */
const MAX_REPLICAS = 2 ** 31 - 1;

/** A head pod, and the worker groups: `replicas`, at least `minReplicas`, times the hosts of a replica. */
export function rayParts(object: ManifestObject, path: FieldPath): ManifestObject[] | undefined {
  const cluster = path.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), object.raw);
  const head = asRecord(cluster?.headGroupSpec);
  if (cluster === undefined || head?.template === undefined) return undefined;
  const isSuspended = cluster.suspend === true || object.raw.spec?.suspend === true;
  const partOfGroup = (name: string, pods: number | undefined, template: unknown, place: FieldPath) =>
    pods === undefined || template === undefined
      ? undefined
      : partOf(object, {
          kind: 'StatefulSet',
          name: `${object.name}-${name}`,
          spec: setSpec(object.name, name, isSuspended ? 0 : pods, template),
          place,
        });
  const workers = recordsOf(cluster.workerGroupSpecs).map((group, index) => {
    const pods = group.suspend === true ? 0 : workersOf(group);
    const name = typeof group.groupName === 'string' ? group.groupName : `workers-${index}`;
    return partOfGroup(name, pods, group.template, [...path, 'workerGroupSpecs', index, 'template']);
  });
  return allParts([partOfGroup('head', 1, head.template, [...path, 'headGroupSpec', 'template']), ...workers]);
}

function workersOf({ replicas, minReplicas, maxReplicas, numOfHosts }: PlainRecord): number | undefined {
  const hosts = countOr(numOfHosts, 1);
  const least = countOr(minReplicas, 0);
  const most = countOr(maxReplicas, MAX_REPLICAS);
  const wanted = countOr(replicas, least ?? 0);
  if (hosts === undefined || least === undefined || most === undefined || wanted === undefined) return undefined;
  return Math.min(most, Math.max(least, wanted)) * hosts;
}

function setSpec(cluster: string, group: string, replicas: number, template: unknown): PlainRecord {
  const labels = { [RAY_LABEL]: cluster, 'ray.io/group': group };
  const serviceName = `${cluster}-${group}`;
  return { replicas, serviceName, selector: { matchLabels: labels }, template: withLabels(template, labels) };
}

const REPLICA_TYPE = 'training.kubeflow.org/replica-type';

/** The replica types of a training job, such as `Master` and `Worker`. */
export function trainingJobParts(object: ManifestObject, field: string): ManifestObject[] | undefined {
  const spec = asRecord(object.raw.spec);
  const isSuspended = asRecord(spec?.runPolicy)?.suspend === true;
  const parts = Object.entries(asRecord(spec?.[field]) ?? {}).map(([type, value]) => {
    const { replicas, template } = asRecord(value) ?? {};
    const pods = isSuspended ? 0 : countOr(replicas, 1);
    if (pods === undefined || template === undefined) return undefined;
    const labels = { [REPLICA_TYPE]: type.toLowerCase() };
    const name = `${object.name}-${type.toLowerCase()}`;
    const place = ['spec', field, type, 'template'];
    return jobPart(object, name, pods, withRestartPolicy(withLabels(template, labels)), { place });
  });
  return allParts(parts);
}

/** Annotations of Knative that say how few pods a revision has. The older one has no hyphen. */
const MIN_SCALE = ['autoscaling.knative.dev/min-scale', 'autoscaling.knative.dev/minScale'];

/** The Deployment of the newest revision, with the fewest pods that a Service of Knative keeps: none by default. */
export function knativeParts(object: ManifestObject): ManifestObject[] | undefined {
  const template = asRecord(object.raw.spec?.template);
  if (template === undefined) return undefined;
  const annotations = asRecord(asRecord(template.metadata)?.annotations);
  const text = MIN_SCALE.map((key) => annotations?.[key]).find((value) => value !== undefined) ?? '0';
  if (typeof text !== 'string' || !/^\d{1,6}$/.test(text)) return undefined;
  const labels = { 'serving.knative.dev/service': object.name };
  const { name: _, ...metadata } = asRecord(template.metadata) ?? {};
  const spec = {
    replicas: Number(text),
    selector: { matchLabels: labels },
    template: withLabels({ ...template, metadata }, labels),
  };
  return [partOf(object, { kind: 'Deployment', name: object.name, spec, place: ['spec', 'template'] })];
}
