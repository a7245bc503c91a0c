import { FieldSpec, setEntry, setFields, setScalar } from './field-spec';
import { KustomizeRefusal } from '../refusal';
import { Resource } from '../resources/resource';
import { idKey, idText, isClusterKind, isSelectedKind } from '../resources/resource-id';
import { isFields, textOf } from '../values';

/** Kinds whose names stay. */
const UNCHANGED = [
  { kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', kind: 'APIService' },
  { kind: 'Namespace' },
];

/** @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/builtins/PrefixTransformer.go */
export function addAffix(
  resources: readonly Resource[],
  affix: string,
  position: 'prefixes' | 'suffixes',
  specs: readonly FieldSpec[],
): void {
  for (const resource of resources) {
    const { originalId } = resource;
    if (UNCHANGED.some((kind) => isSelectedKind(originalId, kind))) continue;
    for (const spec of specs.filter((each) => isSelectedKind(originalId, each))) {
      if (spec.path === 'metadata/name') {
        resource[position] = [...resource[position], affix];
        resource.keepId();
      }
      const changed = (name: string) => (position === 'prefixes' ? `${affix}${name}` : `${name}${affix}`);
      setFields(resource, spec, 'scalar', setScalar(changed));
    }
  }
}

/**
 * Sets the namespace of all objects that have one.
 *
 * @throws Refusal if two objects get the same id
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/filters/namespace/namespace.go
 */
export function setNamespace(resources: readonly Resource[], namespace: string, specs: readonly FieldSpec[]): void {
  const counts = new Map<string, number>();
  const count = (resource: Resource, change: number) => {
    const key = idKey(resource.id);
    const sum = (counts.get(key) ?? 0) + change;
    counts.set(key, sum);
    return sum;
  };
  for (const resource of resources) count(resource, 1);
  for (const resource of resources) {
    count(resource, -1);
    resource.keepId();
    setNamespaceOf(resource, namespace, specs);
    if (count(resource, 1) > 1)
      throw new KustomizeRefusal(`namespace transformation produces ID conflict: ${idText(resource.id)}`);
  }
}

function setNamespaceOf(resource: Resource, namespace: string, specs: readonly FieldSpec[]): void {
  const set = setScalar(() => namespace);
  if (!isClusterKind(resource.kindInfo))
    setFields(resource, { path: 'metadata/namespace', create: true }, 'scalar', set);
  const isBinding = /^(?:Cluster)?RoleBinding$/.test(resource.kind);
  if (isBinding) setNamespaceOfSubjects(resource, namespace);
  for (const spec of specs) {
    if (spec.path === 'metadata/namespace') continue;
    if (spec.path === 'metadata/name' && resource.apiVersion !== 'v1') continue;
    if (isBinding && /^(?:Cluster)?RoleBinding$/.test(spec.kind ?? '') && spec.path === 'subjects/namespace') continue;
    setFields(resource, spec, 'scalar', set);
  }
}

/** Only the service account of this name is in the namespace for certain. */
function setNamespaceOfSubjects({ fields }: Resource, namespace: string): void {
  const subjects = fields?.subjects;
  if (!Array.isArray(subjects)) return;
  for (const subject of subjects)
    if (isFields(subject) && textOf(subject.name) === 'default') subject.namespace = namespace;
}

/** Sets labels or annotations, in the order of their keys. */
export function setEntries(
  resources: readonly Resource[],
  entries: Readonly<Record<string, string>>,
  specs: readonly FieldSpec[],
): void {
  const sorted = Object.keys(entries).sort();
  for (const resource of resources)
    for (const key of sorted)
      for (const spec of specs) setFields(resource, spec, 'mapping', setEntry(key, entries[key]));
}
