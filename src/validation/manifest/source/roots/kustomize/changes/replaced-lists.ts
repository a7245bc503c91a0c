import { pointerSteps } from './json-patch';
import { ReplacedList } from '../../../../model';
import { withNulls } from '../resources/read-resources';
import { Resource } from '../resources/resource';
import { clone, isEqual, isFields, PlainFields } from '../values';

export type PatchPlace = Pick<ReplacedList, 'file' | 'inline'>;

const TERMS = [
  'subnetSelectorTerms',
  'securityGroupSelectorTerms',
  'capacityReservationSelectorTerms',
  'blockDeviceMappings',
];

/** By kind, the lists whose entries do not depend on each other. kustomize has no merge keys for them. */
const LISTS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  [
    'NodePool',
    [
      ['spec', 'template', 'spec', 'requirements'],
      ['spec', 'template', 'spec', 'taints'],
      ['spec', 'template', 'spec', 'startupTaints'],
      ['spec', 'disruption', 'budgets'],
    ],
  ],
  ['EC2NodeClass', TERMS.map((name) => ['spec', name])],
  ['NodeOverlay', [['spec', 'requirements']]],
]);
const API_GROUP = /^karpenter\.(sh|k8s\.aws)\//;

export function isOfKarpenter(apiVersion: string): boolean {
  return API_GROUP.test(apiVersion);
}

/** The list at a path; undefined if there is something else. */
export function listAt(fields: unknown, path: readonly string[]): readonly unknown[] | undefined {
  const value = path.reduce((inner, step) => (isFields(inner) ? inner[step] : undefined), fields);
  return Array.isArray(value) ? value : undefined;
}

/**
 * Applies a patch, and notes in each object of Karpenter which of its lists the patch has replaced.
 *
 * @param documents those of the patch. A JSON patch, or one with a directive, replaces what it means to
 */
export function notingReplacedLists(
  resources: readonly Resource[],
  place: PatchPlace | undefined,
  documents: readonly unknown[],
  apply: () => void,
): void {
  if (place && Array.isArray(documents[0])) return notingPatchedFields(resources, place, documents[0], apply);
  if (!place || documents.some((document) => Array.isArray(document) || hasDirective(document))) return apply();
  const listed = resources.flatMap((resource) => {
    const { apiVersion, kind, name, fields } = resource;
    if (!isOfKarpenter(apiVersion)) return [];
    return (LISTS.get(kind) ?? []).flatMap((path) => {
      const before = listAt(fields, path);
      return before ? [{ resource, apiVersion, kind, name, path, before: clone(before) }] : [];
    });
  });
  if (place.inline) notingMergedFields(resources, place, documents, apply);
  else apply();
  for (const { resource, ...list } of listed) {
    const after = listAt(resource.fields, list.path);
    if (after && !isEqual(list.before, after))
      resource.replacedLists = [...resource.replacedLists, { ...place, ...list, after: clone(after) }];
  }
}

/** More objects than these are not compared before and after each patch, except those of Karpenter. */
const MOST_COMPARED = 100;

interface Compared {
  readonly resource: Resource;
  readonly kind: string;
  readonly name: string;
}

/** Applies a patch, and returns the objects that it has changed. */
function changedBy(resources: readonly Resource[], apply: () => void): Compared[] {
  const before = resources
    .filter(({ apiVersion }) => resources.length <= MOST_COMPARED || isOfKarpenter(apiVersion))
    .map((resource) => ({ resource, kind: resource.kind, name: resource.name, text: JSON.stringify(resource.fields) }));
  apply();
  return before.filter(({ resource, text }) => JSON.stringify(resource.fields) !== text);
}

/** Applies a JSON patch, and notes in each object which of its values the patch has written. */
function notingPatchedFields(
  resources: readonly Resource[],
  place: PatchPlace,
  operations: readonly unknown[],
  apply: () => void,
): void {
  for (const { resource, kind, name } of changedBy(resources, apply)) {
    const written = operations.flatMap((operation, index) => {
      if (!isFields(operation) || (operation.op !== 'replace' && operation.op !== 'add')) return [];
      const value = withNulls(operation.value);
      const path = pointerSteps(String(operation.path));
      if (path.at(-1) === '-')
        path.splice(-1, 1, String(lastIndexOf(valueOf(resource.fields, path.slice(0, -1)), value)));
      return [{ ...place, kind, name, operation: index, path, value }];
    });
    resource.patchedFields = [...resource.patchedFields, ...written];
  }
}

/** Applies a merge patch of the kustomization itself, and notes which values it has written. */
function notingMergedFields(
  resources: readonly Resource[],
  place: PatchPlace,
  documents: readonly unknown[],
  apply: () => void,
): void {
  for (const { resource, kind, name } of changedBy(resources, apply)) {
    const written = documents
      .filter((document) => isFields(document) && document.kind === kind)
      .flatMap((document) => {
        const { apiVersion: _, kind: __, metadata: ___, ...fields } = document as PlainFields;
        return [...writtenIn(fields, resource.fields, [])];
      });
    const fields = written.map(({ path, value }) => ({ ...place, kind, name, operation: 0, path, value }));
    resource.patchedFields = [...resource.patchedFields, ...fields];
  }
}

/** The values of a patch with their paths in the patched object. Entries of lists are found by their name. */
function* writtenIn(
  patch: unknown,
  patched: unknown,
  path: readonly string[],
): Generator<{ readonly path: readonly string[]; readonly value: unknown }> {
  if (isFields(patch) && isFields(patched)) {
    for (const [key, value] of Object.entries(patch)) yield* writtenIn(value, patched[key], [...path, key]);
  } else if (Array.isArray(patch) && Array.isArray(patched) && !isEqual(patch, patched)) {
    for (const entry of patch) {
      const index = patched.findIndex((one) => isFields(one) && isFields(entry) && one.name === entry.name);
      if (index >= 0 && isFields(entry) && entry.name !== undefined)
        yield* writtenIn(entry, patched[index], [...path, String(index)]);
    }
  } else if (isEqual(patch, patched)) yield { path, value: patch };
}

function valueOf(fields: unknown, path: readonly string[]): unknown {
  return path.reduce<any>((inner, step) => inner?.[step], fields);
}

function lastIndexOf(list: unknown, value: unknown): number {
  return Array.isArray(list) ? list.map((entry) => isEqual(entry, value)).lastIndexOf(true) : -1;
}

function hasDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDirective);
  return isFields(value) && ('$patch' in value || Object.values(value).some(hasDirective));
}
