import { pointerSteps } from './json-patch';
import { ReplacedList } from '../../../../model';
import { withNulls } from '../resources/read-resources';
import { Resource } from '../resources/resource';
import { clone, isEqual, isFields } from '../values';

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
  apply();
  for (const { resource, ...list } of listed) {
    const after = listAt(resource.fields, list.path);
    if (after && !isEqual(list.before, after))
      resource.replacedLists = [...resource.replacedLists, { ...place, ...list, after: clone(after) }];
  }
}

/** Applies a JSON patch, and notes in each object of Karpenter which of its values the patch has written. */
function notingPatchedFields(
  resources: readonly Resource[],
  place: PatchPlace,
  operations: readonly unknown[],
  apply: () => void,
): void {
  const before = resources
    .filter(({ apiVersion }) => isOfKarpenter(apiVersion))
    .map((resource) => ({ resource, kind: resource.kind, name: resource.name, text: JSON.stringify(resource.fields) }));
  apply();
  for (const { resource, kind, name, text } of before) {
    if (JSON.stringify(resource.fields) === text) continue;
    const written = operations.flatMap((operation, index) => {
      if (!isFields(operation) || (operation.op !== 'replace' && operation.op !== 'add')) return [];
      const path = pointerSteps(String(operation.path));
      return [{ ...place, kind, name, operation: index, path, value: withNulls(operation.value) }];
    });
    resource.patchedFields = [...resource.patchedFields, ...written];
  }
}

function hasDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasDirective);
  return isFields(value) && ('$patch' in value || Object.values(value).some(hasDirective));
}
