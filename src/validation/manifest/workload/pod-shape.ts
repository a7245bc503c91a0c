import { isIPv6 } from 'node:net';
import { AdmissionDefaults } from './admission';
import { Autoscalers } from './autoscalers';
import { DefaultSpread, SpreadPod } from './default-spread';
import { KueueQueues } from './kueue';
import { readNodeSelector, readPreferredTerms, readRequiredTerms, readTolerations } from './node-affinity';
import { readEffectiveRequests } from './pod-resources';
import { readPodVolumes } from './pod-volumes';
import { Storage, VolumeOwner } from './storage';
import { readPodAffinity, readTopologySpread } from './topology';
import { asRecord } from '../../../contract';
import { Toleration } from '../../../model';
import { PodShape, HostPort } from '../../../scheduling';
import { FieldReader } from '../field-reader';
import { FieldPath } from '../model';
import { PlainRecord, recordsOf, scalarText } from '../records';

/** The properties of a pod that are not in its spec. */
export interface PodContext extends VolumeOwner, SpreadPod {
  /** The controller of the pod if it is not in the input. It would decide which pods the default spread counts. */
  readonly unknownController?: string;
}

/** Other objects of the input that influence what a pod needs. */
export interface RelatedObjects {
  readonly admission: Pick<AdmissionDefaults, 'containerDefaults' | 'runtimeClass' | 'defaultsHostPorts'>;
  readonly storage: Storage;
  readonly defaultSpread: DefaultSpread;
  readonly autoscalers: Autoscalers;
  /** @default - Kueue admits no workloads */
  readonly queues?: KueueQueues;
}

/** Everything that decides where a pod can run; undefined if the API server would reject the pod. */
export function readPodShape(
  reader: FieldReader,
  path: FieldPath,
  rawSpec: PlainRecord,
  pod: PodContext,
  related: RelatedObjects,
): PodShape | undefined {
  const spec = withRuntimeClass(rawSpec, related.admission);
  const requests = readEffectiveRequests(reader, path, spec, related.admission.containerDefaults(pod.namespace));
  const nodeAffinityPath = [...path, 'affinity', 'nodeAffinity'];
  const affinity = reader.record([...path, 'affinity'], spec.affinity);
  const nodeAffinity = reader.record(nodeAffinityPath, affinity?.nodeAffinity);
  const { unknown, ignored, ...volumes } = readPodVolumes(spec, pod, related.storage);
  const spread = readTopologySpread(
    reader,
    [...path, 'topologySpreadConstraints'],
    spec.topologySpreadConstraints,
    pod.labels,
  );
  const defaultSpread = spread.length === 0 ? related.defaultSpread.constraintsFor(pod) : [];
  const reasons = [...ignoreReasons(spec), ...(ignored === undefined ? [] : [ignored])];
  const shape = {
    requests,
    nodeSelector: readNodeSelector(reader, [...path, 'nodeSelector'], spec.nodeSelector),
    requiredNodeAffinity: readRequiredTerms(reader, nodeAffinityPath, nodeAffinity),
    preferredNodeAffinity: readPreferredTerms(reader, nodeAffinityPath, nodeAffinity),
    tolerations: readTolerations(reader, [...path, 'tolerations'], spec.tolerations),
    labels: pod.labels,
    topologySpread: [...spread, ...defaultSpread],
    podAffinity: readPodAffinity(reader, [...path, 'affinity', 'podAffinity'], affinity?.podAffinity, pod.labels),
    podAntiAffinity: readPodAffinity(
      reader,
      [...path, 'affinity', 'podAntiAffinity'],
      affinity?.podAntiAffinity,
      pod.labels,
    ),
    ...(hasResourceClaims(spec) ? { resourceClaims: true } : {}),
    hostPorts: readHostPorts(reader, path, spec, related.admission.defaultsHostPorts),
    ...volumes,
    ...(reasons.length > 0 ? { ignored: reasons.join('; ') } : {}),
  };
  if (reader.invalid) return undefined;
  const unknownSpread =
    spread.length === 0 && related.defaultSpread.configured && pod.unknownController !== undefined
      ? [`the default spread among the pods of ${pod.unknownController}, which is not in the input`]
      : [];
  return {
    ...shape,
    notEvaluated: [
      ...unknown,
      ...unknownSpread,
      ...unmodelledFeatures(spec, related.admission),
      ...tokenFeatures(reader),
    ],
  };
}

/** The shape of a DaemonSet's pods: only requests, selectors, required affinity, tolerations and host ports count. */
export function readDaemonPodShape(
  reader: FieldReader,
  path: FieldPath,
  spec: PlainRecord,
  pod: PodContext,
  related: RelatedObjects,
): PodShape | undefined {
  const shape = readPodShape(reader, path, spec, pod, related);
  if (!shape) return undefined;
  const tolerations = [...shape.tolerations, ...controllerTolerations(spec.hostNetwork === true)];
  return { ...shape, tolerations, preferredNodeAffinity: [], notEvaluated: tokenFeatures(reader), ignored: undefined };
}

/** Adds the overhead, node selector and tolerations of the pod's RuntimeClass. */
function withRuntimeClass(spec: PlainRecord, admission: RelatedObjects['admission']): PlainRecord {
  const runtimeClass =
    typeof spec.runtimeClassName === 'string' ? admission.runtimeClass(spec.runtimeClassName) : undefined;
  if (runtimeClass === undefined) return spec;
  const scheduling = asRecord(runtimeClass.scheduling);
  const nodeSelector = { ...asRecord(scheduling?.nodeSelector), ...asRecord(spec.nodeSelector) };
  const tolerations = [
    ...(Array.isArray(spec.tolerations) ? spec.tolerations : []),
    ...recordsOf(scheduling?.tolerations),
  ];
  return { ...spec, overhead: spec.overhead ?? asRecord(runtimeClass.overhead)?.podFixed, nodeSelector, tolerations };
}

function tokenFeatures(reader: FieldReader): string[] {
  return reader.tokens.map((path) => `${path}, which is known only at deployment`);
}

/**
 * The tolerations that the DaemonSet controller adds to its pods.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations
 */
function controllerTolerations(hostNetwork: boolean): Toleration[] {
  const tolerate = (name: string, effect: string) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect,
  });
  return [
    tolerate('not-ready', 'NoExecute'),
    tolerate('unreachable', 'NoExecute'),
    ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
      tolerate(name, 'NoSchedule'),
    ),
    ...(hostNetwork ? [tolerate('network-unavailable', 'NoSchedule')] : []),
  ];
}

/** The features of a pod that are not modelled: such a pod is reported as not evaluated. */
function unmodelledFeatures(spec: PlainRecord, admission: Pick<AdmissionDefaults, 'runtimeClass'>): string[] {
  const { runtimeClassName } = spec;
  const features: Array<[isPresent: boolean, name: string]> = [
    [
      typeof runtimeClassName === 'string' &&
        spec.overhead === undefined &&
        admission.runtimeClass(runtimeClassName) === undefined,
      `RuntimeClass ${scalarText(runtimeClassName)}, which is not in the input`,
    ],
    [typeof spec.nodeName === 'string' && spec.nodeName !== '', 'a fixed node (nodeName)'],
    [recordsOf(spec.schedulingGates).length > 0, 'scheduling gates'],
  ];
  return features.filter(([isPresent]) => isPresent).map(([, name]) => name);
}

/** Whether a container may use devices of a resource claim. */
function hasResourceClaims(spec: PlainRecord): boolean {
  const containers = [...recordsOf(spec.initContainers), ...recordsOf(spec.containers)];
  return (
    recordsOf(spec.resourceClaims).length > 0 ||
    containers.some(({ resources }) => recordsOf(asRecord(resources)?.claims).length > 0)
  );
}

/** Why Karpenter ignores the pod, in Karpenter's own words. */
function ignoreReasons(spec: PlainRecord): string[] {
  return hasMatchFields(spec) ? ['node selector term with matchFields is not supported'] : [];
}

function hasMatchFields(spec: PlainRecord): boolean {
  const affinity = asRecord(asRecord(spec.affinity)?.nodeAffinity);
  const required = asRecord(affinity?.requiredDuringSchedulingIgnoredDuringExecution);
  return recordsOf(required?.nodeSelectorTerms).some((term) => term.matchFields !== undefined);
}

const MAX_PORT = 65_535;

/**
 * The host ports of regular containers. Karpenter ignores those of init containers and sidecars.
 *
 * @param defaultsHostPorts whether the API server has defaulted the ports, as it does for pods, but not for templates
 */
function readHostPorts(
  reader: FieldReader,
  path: FieldPath,
  spec: PlainRecord,
  defaultsHostPorts: boolean,
): HostPort[] {
  // A wrong type of the list or its items was reported when the requests were read.
  const containers: readonly unknown[] = Array.isArray(spec.containers) ? spec.containers : [];
  return containers.flatMap((container, i) =>
    reader
      .records([...path, 'containers', i, 'ports'], asRecord(container)?.ports)
      .flatMap(
        ({ itemPath, item }) => readPort(reader, itemPath, item, spec.hostNetwork === true && defaultsHostPorts) ?? [],
      ),
  );
}

/** With hostNetwork every container port is a host port. */
function readPort(reader: FieldReader, path: FieldPath, item: PlainRecord, hostNetwork: boolean): HostPort | undefined {
  const containerPort = readPortNumber(reader, [...path, 'containerPort'], item.containerPort);
  const writtenHostPort = readPortNumber(reader, [...path, 'hostPort'], item.hostPort) ?? 0;
  const protocol = reader.oneOf([...path, 'protocol'], item.protocol ?? 'TCP', ['TCP', 'UDP', 'SCTP']) ?? 'TCP';
  const ip = reader.string([...path, 'hostIP'], item.hostIP) ?? '';
  const port = writtenHostPort === 0 && hostNetwork ? (containerPort ?? 0) : writtenHostPort;
  return port === 0 ? undefined : { ip: ip === '' ? '0.0.0.0' : canonicalAddress(ip), port, protocol };
}

function readPortNumber(reader: FieldReader, path: FieldPath, value: unknown): number | undefined {
  const port = reader.count(path, value);
  return port !== undefined && port > MAX_PORT
    ? reader.reject(path, `must be at most ${MAX_PORT}`, port, `write 1 to ${MAX_PORT}`)
    : port;
}

/** One spelling for each IPv6 address. */
function canonicalAddress(ip: string): string {
  return isIPv6(ip) && !ip.includes('%') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}
