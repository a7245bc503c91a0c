import { FieldReader } from './field-reader';
import { readOptionalSelector } from './label-selector';
import { FieldPath } from './model';
import { PlainRecord } from './records';
import { LabelSelector } from '../../model';
import { PodAffinity, PodAffinityTerm, TopologySpread } from '../../scheduling';

const POLICIES = ['Honor', 'Ignore'] as const;

export function readTopologySpread(reader: FieldReader, path: FieldPath, raw: unknown): TopologySpread[] {
  const known = new Set<string>();
  return reader.records(path, raw).map(({ at, item }) => {
    const { topologyKey: over, whenUnsatisfiable: how } = item;
    const kind = JSON.stringify([over, how]);
    if (known.has(kind)) reader.reject([...at, 'topologyKey'], `must not be that of another constraint that is ${how}, too`, over, 'remove one of them');
    known.add(kind);
    const maxSkew = reader.count([...at, 'maxSkew'], item.maxSkew ?? 0) ?? 1;
    if (maxSkew === 0) reader.reject([...at, 'maxSkew'], 'must be an integer of 1 or more', item.maxSkew, 'write 1');
    const minDomains = reader.count([...at, 'minDomains'], item.minDomains);
    if (minDomains === 0) reader.reject([...at, 'minDomains'], 'must be an integer of 1 or more', 0, 'write the number of domains wanted, or remove it');
    const when = reader.oneOf([...at, 'whenUnsatisfiable'], item.whenUnsatisfiable ?? '', ['DoNotSchedule', 'ScheduleAnyway']);
    if (minDomains !== undefined && when === 'ScheduleAnyway') {
      reader.reject([...at, 'minDomains'], 'can only go with whenUnsatisfiable DoNotSchedule', minDomains, 'remove it, or write DoNotSchedule');
    }
    const labelSelector = readOptionalSelector(reader, [...at, 'labelSelector'], item.labelSelector);
    return {
      maxSkew,
      topologyKey: topologyKey(reader, at, item),
      whenUnsatisfiable: when === 'ScheduleAnyway' ? when : 'DoNotSchedule',
      labelSelector,
      minDomains,
      nodeAffinityPolicy: policy(reader, [...at, 'nodeAffinityPolicy'], item.nodeAffinityPolicy),
      nodeTaintsPolicy: policy(reader, [...at, 'nodeTaintsPolicy'], item.nodeTaintsPolicy),
      matchLabelKeys: readKeys(reader, [...at, 'matchLabelKeys'], item.matchLabelKeys, labelSelector),
    };
  });
}

type Labels = Readonly<Record<string, string>>;

/** Of podAffinity or podAntiAffinity; undefined where there is none. */
export function readPodAffinity(reader: FieldReader, path: FieldPath, raw: unknown, labels: Labels): PodAffinity | undefined {
  const affinity = reader.record(path, raw);
  if (affinity === undefined) return undefined;
  const required = [...path, 'requiredDuringSchedulingIgnoredDuringExecution'];
  const preferred = [...path, 'preferredDuringSchedulingIgnoredDuringExecution'];
  return {
    required: reader.records(required, affinity.requiredDuringSchedulingIgnoredDuringExecution)
      .map(({ at, item }) => readTerm(reader, at, item, labels)),
    preferred: reader.records(preferred, affinity.preferredDuringSchedulingIgnoredDuringExecution).map(({ at, item }) => {
      const weight = reader.count([...at, 'weight'], item.weight ?? 0) ?? 1;
      if (weight < 1 || weight > 100) reader.reject([...at, 'weight'], 'must be an integer from 1 to 100', weight, 'write 1 to 100');
      const term = [...at, 'podAffinityTerm'];
      return { weight, term: readTerm(reader, term, reader.record(term, item.podAffinityTerm ?? {}) ?? {}, labels) };
    }),
  };
}

function readTerm(reader: FieldReader, path: FieldPath, raw: PlainRecord, labels: Labels): PodAffinityTerm {
  const labelSelector = readOptionalSelector(reader, [...path, 'labelSelector'], raw.labelSelector);
  const same = readKeys(reader, [...path, 'matchLabelKeys'], raw.matchLabelKeys, labelSelector);
  const other = readKeys(reader, [...path, 'mismatchLabelKeys'], raw.mismatchLabelKeys, labelSelector, same);
  return {
    topologyKey: topologyKey(reader, path, raw),
    labelSelector: labelSelector && withOwnLabels(labelSelector, labels, same, other),
    namespaces: reader.texts([...path, 'namespaces'], raw.namespaces),
    namespaceSelector: readOptionalSelector(reader, [...path, 'namespaceSelector'], raw.namespaceSelector),
  };
}

/** Keys of labels that are added to a selector; what it says already must not be said again. */
function readKeys(
  reader: FieldReader, path: FieldPath, raw: unknown, selector?: LabelSelector, taken: readonly string[] = Object.keys(selector?.matchLabels ?? {}),
): string[] {
  const keys = reader.texts(path, raw);
  if (keys.length > 0 && !selector) reader.reject(path, 'must not be set where there is no labelSelector', raw, 'add the labelSelector, or remove the keys');
  const repeated = keys.find((key) => taken.includes(key));
  if (repeated !== undefined) reader.reject(path, `must not hold ${repeated}, which is selected by already`, raw, `remove ${repeated} from one of the two`);
  return keys;
}

/**
 * The API server writes them into the selector as it admits a pod, so that nobody after it sees the difference; keys that the pod has no
 * label of count for nothing.
 *
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#matchlabelkeys
 */
function withOwnLabels(selector: LabelSelector, labels: Labels, same: readonly string[], other: readonly string[]): LabelSelector {
  const ownOf = (keys: readonly string[], operator: string) => keys.filter((key) => Object.prototype.hasOwnProperty.call(labels, key))
    .map((key) => ({ key, operator, values: [labels[key]] }));
  return { ...selector, matchExpressions: [...selector.matchExpressions ?? [], ...ownOf(same, 'In'), ...ownOf(other, 'NotIn')] };
}

function topologyKey(reader: FieldReader, path: FieldPath, raw: PlainRecord): string {
  const key = reader.text([...path, 'topologyKey'], raw.topologyKey ?? '');
  if (key === '') reader.reject([...path, 'topologyKey'], 'must be a label key', raw.topologyKey, 'write for example topology.kubernetes.io/zone');
  return key ?? '';
}

function policy(reader: FieldReader, path: FieldPath, raw: unknown): 'Honor' | 'Ignore' | undefined {
  const read = reader.oneOf(path, raw, POLICIES);
  return POLICIES.find((word) => word === read);
}
