import { readEffectiveRequests } from './effective-requests';
import { FieldReader } from './field-reader';
import { FieldPath } from './model';
import { readNodeSelector, readPreferredTerms, readRequiredTerms, readTolerations } from './node-affinity';
import { hasResourceClaims, unmodelledFeatures } from './pod-features';
import { PlainRecord } from './records';
import { readPodAffinity, readTopologySpread } from './topology';
import { Toleration } from '../../model';
import { PodShape } from '../../scheduling';

type Labels = Readonly<Record<string, string>>;

/** What decides where a pod can run; undefined where the API server would refuse it. */
export function readPodShape(reader: FieldReader, path: FieldPath, spec: PlainRecord, labels: Labels): PodShape | undefined {
  const requests = readEffectiveRequests(reader, path, spec);
  const affinityPath = [...path, 'affinity', 'nodeAffinity'];
  const allAffinity = reader.record([...path, 'affinity'], spec.affinity);
  const affinity = reader.record(affinityPath, allAffinity?.nodeAffinity);
  const shape = {
    requests,
    nodeSelector: readNodeSelector(reader, [...path, 'nodeSelector'], spec.nodeSelector),
    requiredNodeAffinity: readRequiredTerms(reader, affinityPath, affinity),
    preferredNodeAffinity: readPreferredTerms(reader, affinityPath, affinity),
    tolerations: readTolerations(reader, [...path, 'tolerations'], spec.tolerations),
    labels,
    topologySpread: readTopologySpread(reader, [...path, 'topologySpreadConstraints'], spec.topologySpreadConstraints),
    podAffinity: readPodAffinity(reader, [...path, 'affinity', 'podAffinity'], allAffinity?.podAffinity),
    podAntiAffinity: readPodAffinity(reader, [...path, 'affinity', 'podAntiAffinity'], allAffinity?.podAntiAffinity),
    ...(hasResourceClaims(spec) ? { resourceClaims: true } : {}),
  };
  if (reader.broken) return undefined;
  return { ...shape, notEvaluated: [...unmodelledFeatures(spec), ...tokenFeatures(reader)] };
}

/** A DaemonSet's pods: for these only requests, selectors, required affinity and tolerations count. */
export function readDaemonShape(reader: FieldReader, path: FieldPath, spec: PlainRecord, labels: Labels): PodShape | undefined {
  const shape = readPodShape(reader, path, spec, labels);
  if (!shape) return undefined;
  const tolerations = [...shape.tolerations, ...controllerTolerations(spec.hostNetwork === true)];
  return { ...shape, tolerations, preferredNodeAffinity: [], notEvaluated: tokenFeatures(reader) };
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
