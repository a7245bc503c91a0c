import { Admission } from './admission';
import { Autoscalers } from './autoscalers';
import { DefaultSpread, SpreadSubject } from './default-spread';
import { readEffectiveRequests } from './effective-requests';
import { FieldReader } from './field-reader';
import { readHostPorts } from './host-ports';
import { FieldPath } from './model';
import { readNodeSelector, readPreferredTerms, readRequiredTerms, readTolerations } from './node-affinity';
import { hasResourceClaims, ignoredBecause, unmodelledFeatures } from './pod-features';
import { readPodVolumes } from './pod-volumes';
import { PlainRecord, recordsOf } from './records';
import { Storage, VolumeOwner } from './storage';
import { readPodAffinity, readTopologySpread } from './topology';
import { asRecord } from '../../contract';
import { Toleration } from '../../model';
import { PodShape } from '../../scheduling';

/** What of a pod is not in its spec. */
export interface PodContext extends VolumeOwner, SpreadSubject {
  /** What made it, where that is in no file, though it decides which pods it is spread with by default. */
  readonly unknownController?: string;
}

/** The other objects of the input that have a say in what a pod needs. */
export interface PodSurroundings {
  readonly admission: Pick<Admission, 'containerDefaults' | 'runtimeClass'>;
  readonly storage: Storage;
  readonly defaultSpread: DefaultSpread;
  readonly autoscalers: Autoscalers;
}

/** What decides where a pod can run; undefined where the API server would refuse it. */
export function readPodShape(
  reader: FieldReader, path: FieldPath, written: PlainRecord, pod: PodContext, around: PodSurroundings,
): PodShape | undefined {
  const spec = withRuntimeClass(written, around.admission);
  const requests = readEffectiveRequests(reader, path, spec, around.admission.containerDefaults(pod.namespace));
  const affinityPath = [...path, 'affinity', 'nodeAffinity'];
  const allAffinity = reader.record([...path, 'affinity'], spec.affinity);
  const affinity = reader.record(affinityPath, allAffinity?.nodeAffinity);
  const { unknown, ignored, ...volumes } = readPodVolumes(spec, pod, around.storage);
  const spread = readTopologySpread(reader, [...path, 'topologySpreadConstraints'], spec.topologySpreadConstraints);
  const spreadByDefault = spread.length === 0 ? around.defaultSpread.of(pod) : [];
  const reasons = [...ignoredBecause(spec), ...ignored === undefined ? [] : [ignored]];
  const shape = {
    requests,
    nodeSelector: readNodeSelector(reader, [...path, 'nodeSelector'], spec.nodeSelector),
    requiredNodeAffinity: readRequiredTerms(reader, affinityPath, affinity),
    preferredNodeAffinity: readPreferredTerms(reader, affinityPath, affinity),
    tolerations: readTolerations(reader, [...path, 'tolerations'], spec.tolerations),
    labels: pod.labels,
    topologySpread: [...spread, ...spreadByDefault],
    podAffinity: readPodAffinity(reader, [...path, 'affinity', 'podAffinity'], allAffinity?.podAffinity, pod.labels),
    podAntiAffinity: readPodAffinity(reader, [...path, 'affinity', 'podAntiAffinity'], allAffinity?.podAntiAffinity, pod.labels),
    ...(hasResourceClaims(spec) ? { resourceClaims: true } : {}),
    hostPorts: readHostPorts(reader, path, spec),
    ...volumes,
    ...(reasons.length > 0 ? { ignored: reasons.join('; ') } : {}),
  };
  if (reader.broken) return undefined;
  const unknownSpread = spread.length === 0 && around.defaultSpread.configured && pod.unknownController !== undefined
    ? [`the default spread among the pods of ${pod.unknownController}, which is not in the input`] : [];
  return { ...shape, notEvaluated: [...unknown, ...unknownSpread, ...unmodelledFeatures(spec, around.admission), ...tokenFeatures(reader)] };
}

/** A DaemonSet's pods: for these only requests, selectors, required affinity, tolerations and host ports count. */
export function readDaemonShape(
  reader: FieldReader, path: FieldPath, spec: PlainRecord, pod: PodContext, around: PodSurroundings,
): PodShape | undefined {
  const shape = readPodShape(reader, path, spec, pod, around);
  if (!shape) return undefined;
  const tolerations = [...shape.tolerations, ...controllerTolerations(spec.hostNetwork === true)];
  return { ...shape, tolerations, preferredNodeAffinity: [], notEvaluated: tokenFeatures(reader), ignored: undefined };
}

/** A runtime class brings its overhead, and says on which nodes it is. */
function withRuntimeClass(spec: PlainRecord, admission: PodSurroundings['admission']): PlainRecord {
  const runtimeClass = typeof spec.runtimeClassName === 'string' ? admission.runtimeClass(spec.runtimeClassName) : undefined;
  if (runtimeClass === undefined) return spec;
  const scheduling = asRecord(runtimeClass.scheduling);
  const nodeSelector = { ...asRecord(scheduling?.nodeSelector), ...asRecord(spec.nodeSelector) };
  const tolerations = [...Array.isArray(spec.tolerations) ? spec.tolerations : [], ...recordsOf(scheduling?.tolerations)];
  return { ...spec, overhead: spec.overhead ?? asRecord(runtimeClass.overhead)?.podFixed, nodeSelector, tolerations };
}

function tokenFeatures(reader: FieldReader): string[] {
  return reader.tokens.map((path) => `${path}, which is known only at deployment`);
}

/**
 * What the DaemonSet controller adds to every pod of its.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations
 */
function controllerTolerations(hostNetwork: boolean): Toleration[] {
  const tolerate = (name: string, effect: string) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect });
  return [
    tolerate('not-ready', 'NoExecute'),
    tolerate('unreachable', 'NoExecute'),
    ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) => tolerate(name, 'NoSchedule')),
    ...(hostNetwork ? [tolerate('network-unavailable', 'NoSchedule')] : []),
  ];
}
