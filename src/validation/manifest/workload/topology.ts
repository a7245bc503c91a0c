import { readOptionalSelector } from './label-selector';
import { readWeight, rejectBareTerm } from './node-affinity';
import { misread, removeField, setField, unsafeFix } from '../../../contract';
import { LabelSelector, nearestName, valueText } from '../../../model';
import { PodAffinity, PodAffinityTerm, TopologySpread } from '../../../scheduling';
import { FieldReader } from '../field-reader';
import { FieldPath } from '../model';
import { PlainRecord } from '../records';

const POLICIES = ['Honor', 'Ignore'] as const;

export function readTopologySpread(
  reader: FieldReader,
  path: FieldPath,
  raw: unknown,
  podLabels?: Labels,
): TopologySpread[] {
  const earlierConstraints = new Set<string>();
  return reader.records(path, raw).map(({ itemPath, item }) => {
    const pathOf = (field: string) => [...itemPath, field];
    const constraint = JSON.stringify([item.topologyKey, item.whenUnsatisfiable]);
    if (earlierConstraints.has(constraint)) {
      reader.reject(
        pathOf('topologyKey'),
        `must be unique among the ${valueText(item.whenUnsatisfiable)} constraints`,
        item.topologyKey,
        'remove one of them',
      );
    }
    earlierConstraints.add(constraint);
    const maxSkew = reader.count(pathOf('maxSkew'), item.maxSkew ?? 0) ?? 1;
    if (maxSkew === 0) reader.reject(pathOf('maxSkew'), 'must be an integer of 1 or more', item.maxSkew, 'write 1');
    const minDomains = reader.count(pathOf('minDomains'), item.minDomains);
    if (minDomains === 0)
      reader.reject(
        pathOf('minDomains'),
        'must be an integer of 1 or more',
        0,
        'write the number of domains wanted, or remove it',
      );
    const whenUnsatisfiable = reader.oneOf(pathOf('whenUnsatisfiable'), item.whenUnsatisfiable ?? '', [
      'DoNotSchedule',
      'ScheduleAnyway',
    ]);
    if (minDomains !== undefined && whenUnsatisfiable === 'ScheduleAnyway') {
      reader.reject(
        pathOf('minDomains'),
        'requires whenUnsatisfiable DoNotSchedule',
        minDomains,
        'remove it, or write DoNotSchedule',
      );
    }
    const labelSelector = readOptionalSelector(reader, pathOf('labelSelector'), item.labelSelector);
    return {
      maxSkew,
      topologyKey: readTopologyKey(reader, itemPath, item),
      whenUnsatisfiable: whenUnsatisfiable === 'ScheduleAnyway' ? whenUnsatisfiable : 'DoNotSchedule',
      labelSelector,
      minDomains,
      nodeAffinityPolicy: readPolicy(reader, pathOf('nodeAffinityPolicy'), item.nodeAffinityPolicy),
      nodeTaintsPolicy: readPolicy(reader, pathOf('nodeTaintsPolicy'), item.nodeTaintsPolicy),
      matchLabelKeys: checkedLabelKeys(
        reader,
        pathOf('matchLabelKeys'),
        readLabelKeys(reader, pathOf('matchLabelKeys'), item.matchLabelKeys, { selector: labelSelector, podLabels }),
        podLabels,
      ),
    };
  });
}

type Labels = Readonly<Record<string, string>>;

/** Reads podAffinity or podAntiAffinity; undefined if it is not written. */
export function readPodAffinity(
  reader: FieldReader,
  path: FieldPath,
  raw: unknown,
  labels: Labels,
): PodAffinity | undefined {
  const affinity = reader.record(path, raw);
  if (affinity === undefined) return undefined;
  const requiredPath = [...path, 'requiredDuringSchedulingIgnoredDuringExecution'];
  const preferredPath = [...path, 'preferredDuringSchedulingIgnoredDuringExecution'];
  return {
    required: reader
      .records(requiredPath, affinity.requiredDuringSchedulingIgnoredDuringExecution)
      .map(({ itemPath, item }) => readTerm(reader, itemPath, item, labels)),
    preferred: reader
      .records(preferredPath, affinity.preferredDuringSchedulingIgnoredDuringExecution)
      .flatMap(({ itemPath, item }) => {
        if (item.topologyKey !== undefined && item.podAffinityTerm === undefined)
          return rejectBareTerm(reader, itemPath, item, 'podAffinityTerm');
        const weight = readWeight(reader, [...itemPath, 'weight'], item.weight);
        const termPath = [...itemPath, 'podAffinityTerm'];
        return [
          {
            weight,
            term: readTerm(reader, termPath, reader.record(termPath, item.podAffinityTerm ?? {}) ?? {}, labels),
          },
        ];
      }),
  };
}

function readTerm(reader: FieldReader, path: FieldPath, raw: PlainRecord, labels: Labels): PodAffinityTerm {
  const labelSelector = readOptionalSelector(reader, [...path, 'labelSelector'], raw.labelSelector);
  const matchKeys = readLabelKeys(reader, [...path, 'matchLabelKeys'], raw.matchLabelKeys, {
    selector: labelSelector,
    podLabels: labels,
  });
  const mismatchKeys = readLabelKeys(reader, [...path, 'mismatchLabelKeys'], raw.mismatchLabelKeys, {
    selector: labelSelector,
    takenKeys: matchKeys,
  });
  return {
    topologyKey: readTopologyKey(reader, path, raw),
    labelSelector: labelSelector && withPodLabels(labelSelector, labels, matchKeys, mismatchKeys),
    namespaces: reader.strings([...path, 'namespaces'], raw.namespaces),
    namespaceSelector: readOptionalSelector(reader, [...path, 'namespaceSelector'], raw.namespaceSelector),
  };
}

/**
 * Reads keys of pod labels that are added to a selector. The API server adds them when it admits a pod, and refuses the
 * pod if the selector already has the key. It accepts the template of a workload.
 *
 * @param podLabels - labels of the pods, if the selector must not have their keys
 * @param takenKeys - keys that must not be repeated
 * @see https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/apis/core/validation/validation.go ValidateMatchLabelKeysAndMismatchLabelKeys
 */
function readLabelKeys(
  reader: FieldReader,
  path: FieldPath,
  raw: unknown,
  { selector, podLabels = {}, takenKeys = [] }: KeyOwner,
): string[] {
  const keys = reader.strings(path, raw);
  if (keys.length > 0 && !selector)
    reader.reject(path, 'requires a labelSelector', raw, 'add the labelSelector, or remove the keys');
  const repeated = keys.find((key) => takenKeys.includes(key));
  if (repeated !== undefined)
    reader.reject(path, `must not repeat ${repeated} of matchLabelKeys`, raw, `remove one ${repeated}`);
  const selected = [
    ...Object.keys(selector?.matchLabels ?? {}),
    ...(selector?.matchExpressions ?? []).map(({ key }) => key),
  ];
  const index = keys.findIndex((key) => selected.includes(key) && key in podLabels);
  if (index >= 0)
    reader.reject(
      [...path, index],
      'must not be a key of labelSelector, or the API server refuses the pods',
      keys[index],
      `remove ${keys[index]} from matchLabelKeys`,
      unsafeFix(removeField(keys.length === 1 ? path : [...path, index])),
    );
  return keys;
}

interface KeyOwner {
  readonly selector?: LabelSelector;
  readonly podLabels?: Labels;
  readonly takenKeys?: readonly string[];
}

/** The API server accepts any key, and the scheduler ignores one that the pod has no label for. */
function checkedLabelKeys(
  reader: FieldReader,
  path: FieldPath,
  keys: readonly string[],
  podLabels: Labels | undefined,
): string[] {
  const labels = Object.keys(podLabels ?? {});
  keys.forEach((key, index) => {
    const meant = labels.length === 0 || labels.includes(key) ? undefined : nearestName(key, labels);
    if (meant === undefined) return;
    const problem = 'is no label of the pods, so that the scheduler ignores it';
    reader.add(misread([...path, index], problem, key, `write ${meant}`, unsafeFix(setField([...path, index], meant))));
  });
  return [...keys];
}

/**
 * The selector with the pod's own values of the keys. The API server writes these into the selector when it admits a
 * pod. Keys that the pod has no label for are ignored.
 *
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#matchlabelkeys
 */
function withPodLabels(
  selector: LabelSelector,
  labels: Labels,
  matchKeys: readonly string[],
  mismatchKeys: readonly string[],
): LabelSelector {
  const expressionsOf = (keys: readonly string[], operator: string) =>
    keys
      .filter((key) => Object.prototype.hasOwnProperty.call(labels, key))
      .map((key) => ({ key, operator, values: [labels[key]] }));
  const matchExpressions = [
    ...(selector.matchExpressions ?? []),
    ...expressionsOf(matchKeys, 'In'),
    ...expressionsOf(mismatchKeys, 'NotIn'),
  ];
  return { ...selector, matchExpressions };
}

function readTopologyKey(reader: FieldReader, path: FieldPath, raw: PlainRecord): string {
  const key = reader.string([...path, 'topologyKey'], raw.topologyKey ?? '');
  if (key === '')
    reader.reject(
      [...path, 'topologyKey'],
      'must be a label key',
      raw.topologyKey,
      'write for example topology.kubernetes.io/zone',
    );
  return key ?? '';
}

function readPolicy(reader: FieldReader, path: FieldPath, raw: unknown): 'Honor' | 'Ignore' | undefined {
  const value = reader.oneOf(path, raw, POLICIES);
  return POLICIES.find((policy) => policy === value);
}
