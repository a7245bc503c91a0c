import { selectionEdits } from './pod-selection-change';
import {
  appendItem,
  asRecord,
  FieldEdit,
  FieldFix,
  FieldPath,
  removeField,
  renameField,
  setField,
  unsafeFix,
} from '../../contract';
import { formatAmount, LabelSelector, parseResourceList, ResourceList, Toleration, valueText } from '../../model';
import { HostPort, PodAffinity, PodShape, TopologySpread } from '../../scheduling';
import { valueAt } from '../manifest/edit/edited-value';
import { recordsOf } from '../manifest/records';

type Edits = readonly FieldEdit[] | undefined;

/**
 * The change of a pod as an edit of the object with its template; undefined if its fields are written in another way.
 *
 * @param path the path of the pod's spec
 */
export function podFix(before: PodShape, after: PodShape, raw: unknown, path: FieldPath): FieldFix | undefined {
  const pod = { raw, path };
  const parts: Edits[] = [
    requestEdits(before.requests, after.requests, pod),
    tolerationEdits(before.tolerations, after.tolerations, pod),
    selectionEdits(before, after, raw, path),
    spreadEdits(before.topologySpread, after.topologySpread, pod),
    affinityEdits('podAffinity', before.podAffinity, after.podAffinity, pod),
    affinityEdits('podAntiAffinity', before.podAntiAffinity, after.podAntiAffinity, pod),
    hostPortEdits(before.hostPorts, after.hostPorts, pod),
  ];
  if (parts.some((part) => part === undefined)) return undefined;
  const edits = parts.flatMap((part) => part!);
  return edits.length === 0 ? undefined : unsafeFix(...edits);
}

interface WrittenPod {
  readonly raw: unknown;
  readonly path: FieldPath;
}

/** Only the request of a single container is known to be the one that is meant. */
function requestEdits(before: ResourceList, after: ResourceList, { raw, path }: WrittenPod): Edits {
  const changed = [...after].filter(([resource, amount]) => before.get(resource) !== amount);
  const removed = [...before.keys()].filter((resource) => !after.has(resource));
  if (changed.length === 0 && removed.length === 0) return [];
  if (changed.length !== 1 || removed.length > 1 || valueAt(raw, [...path, 'overhead']) !== undefined) return undefined;
  const [[resource, amount]] = changed;
  const written = removed[0] ?? resource;
  const owners = ['containers', 'initContainers'].flatMap((field) => {
    const containers = recordsOf(valueAt(raw, [...path, field]));
    return containers.flatMap((container, index) => {
      const resources = asRecord(container.resources);
      const [requests, limits] = [asRecord(resources?.requests), asRecord(resources?.limits)];
      return (requests?.[written] ?? limits?.[written]) === undefined
        ? []
        : [{ path: [...path, field, index, 'resources'], requests, limits }];
    });
  });
  const [owner] = owners;
  if (owners.length !== 1) return undefined;
  return (['requests', 'limits'] as const).flatMap((field): FieldEdit[] => {
    const value = owner[field]?.[written];
    if (value === undefined) return [];
    const place = [...owner.path, field, written];
    if (written !== resource) return [renameField(place, resource)];
    // A limit above the request stays, except if the amount is in another unit.
    const isSame = parseResourceList({ [resource]: value as string }).get(resource) === before.get(resource);
    return isSame ? [setField(place, formatAmount(resource, amount))] : [];
  });
}

function tolerationEdits(
  before: readonly Toleration[],
  after: readonly Toleration[],
  { raw, path }: WrittenPod,
): Edits {
  const place = [...path, 'tolerations'];
  const written = recordsOf(valueAt(raw, place));
  const added = after.filter((toleration) => !before.includes(toleration));
  const removed = before
    .filter((toleration) => !after.includes(toleration))
    .map(({ key = '', value = '', effect = '' }) =>
      written.findIndex(
        (item) => (item.key ?? '') === key && valueText(item.value ?? '') === value && (item.effect ?? '') === effect,
      ),
    );
  if (removed.includes(-1)) return undefined;
  return [
    ...added.flatMap(({ key, operator, value, effect }, index) => {
      const item = { key, operator, ...(value === undefined || value === '' ? {} : { value }), effect };
      const at = removed[index];
      return at === undefined ? [appendItem(place, item)] : changedFields(written[at], item, [...place, at]);
    }),
    ...removed.slice(added.length).map((index) => removeField([...place, index])),
  ];
}

/** Only what differs, so that a correction is one line. */
function changedFields(
  written: Readonly<Record<string, unknown>>,
  meant: Readonly<Record<string, unknown>>,
  path: FieldPath,
): FieldEdit[] {
  const given = { operator: 'Equal', ...written };
  return ['key', 'operator', 'value', 'effect']
    .filter((field) => valueText(asRecord(given)?.[field] ?? '') !== valueText(meant[field] ?? ''))
    .map((field) =>
      meant[field] === undefined ? removeField([...path, field]) : setField([...path, field], meant[field]),
    );
}

const SPREAD_FIELDS = ['maxSkew', 'topologyKey', 'whenUnsatisfiable', 'minDomains'] as const;

function spreadEdits(
  before: readonly TopologySpread[] = [],
  after: readonly TopologySpread[] = [],
  { raw, path }: WrittenPod,
): Edits {
  const place = [...path, 'topologySpreadConstraints'];
  const written = recordsOf(valueAt(raw, place));
  const changed = before.flatMap((spread, index) => (spread === after[index] ? [] : [index]));
  if (changed.some((index) => written[index]?.topologyKey !== before[index].topologyKey)) return undefined;
  return changed.flatMap((index) =>
    SPREAD_FIELDS.filter((field) => before[index][field] !== after[index][field]).map((field) => {
      const value = after[index][field];
      return value === undefined ? removeField([...place, index, field]) : setField([...place, index, field], value);
    }),
  );
}

/** Renames topology keys, corrects label selectors, names namespaces, or turns required terms into preferences. */
function affinityEdits(
  kind: 'podAffinity' | 'podAntiAffinity',
  before: PodAffinity | undefined,
  after: PodAffinity | undefined,
  { raw, path }: WrittenPod,
): Edits {
  if (before === after || before === undefined || after === undefined) return [];
  const place = [...path, 'affinity', kind];
  const requiredPath = [...place, 'requiredDuringSchedulingIgnoredDuringExecution'];
  const written = recordsOf(valueAt(raw, requiredPath));
  if (written.length !== before.required.length) return undefined;
  if (after.required.length === before.required.length)
    return before.required.flatMap(({ topologyKey, namespaces, labelSelector }, index) => {
      const term = after.required[index];
      return [
        ...(topologyKey === term.topologyKey
          ? []
          : [setField([...requiredPath, index, 'topologyKey'], term.topologyKey)]),
        ...(namespaces === term.namespaces ? [] : [setField([...requiredPath, index, 'namespaces'], term.namespaces)]),
        ...selectorEdits(labelSelector, term.labelSelector, [...requiredPath, index, 'labelSelector']),
      ];
    });
  const softened = before.required.flatMap((term, index) => (after.required.includes(term) ? [] : [index]));
  const preferences = softened.map((index) => ({ weight: 100, podAffinityTerm: written[index] }));
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  if (after.required.length === 0 && before.preferred.length === 0)
    return [setField(place, { [preferred]: preferences })];
  return [
    ...(after.required.length === 0
      ? [removeField(requiredPath)]
      : softened.map((index) => removeField([...requiredPath, index]))),
    ...preferences.map((preference) => appendItem([...place, preferred], preference)),
  ];
}

/** Corrected values of a label selector. */
function selectorEdits(before: LabelSelector = {}, after: LabelSelector = {}, path: FieldPath): FieldEdit[] {
  if (before === after) return [];
  const [gone] = Object.keys(before.matchLabels ?? {}).filter((key) => after.matchLabels?.[key] === undefined);
  const [added] = Object.keys(after.matchLabels ?? {}).filter((key) => before.matchLabels?.[key] === undefined);
  if (gone !== undefined && added !== undefined) return [renameField([...path, 'matchLabels', gone], added)];
  const ofLabels = Object.entries(after.matchLabels ?? {})
    .filter(([key, value]) => before.matchLabels?.[key] !== value)
    .map(([key, value]) => setField([...path, 'matchLabels', key], value));
  const ofExpressions = (after.matchExpressions ?? []).flatMap((expression, index) =>
    expression === before.matchExpressions?.[index]
      ? []
      : [setField([...path, 'matchExpressions', index, 'values'], [...expression.values!])],
  );
  return [...ofLabels, ...ofExpressions];
}

function hostPortEdits(
  before: readonly HostPort[] = [],
  after: readonly HostPort[] = [],
  { raw, path }: WrittenPod,
): Edits {
  const removed = before.filter((port) => !after.includes(port)).map(({ port }) => port);
  return recordsOf(valueAt(raw, [...path, 'containers'])).flatMap(({ ports }, container) =>
    recordsOf(ports).flatMap(({ hostPort }, index) =>
      removed.includes(hostPort as number)
        ? [removeField([...path, 'containers', container, 'ports', index, 'hostPort'])]
        : [],
    ),
  );
}
