import { CLUSTER_KINDS } from '../facts/cluster-kinds';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ResourceId extends GroupVersionKind {
  readonly name: string;
  readonly namespace: string;
}

/** Stands for the namespace of an object that has none, as in kustomize. */
const NO_NAMESPACE = '_non_namespaceable_';

/** Selects objects: an empty field selects all values. */
export type KindSelector = Partial<GroupVersionKind>;

/** @see https://github.com/kubernetes-sigs/kustomize/blob/master/kyaml/resid/gvk.go */
export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export function apiVersionOf({ group, version }: GroupVersionKind): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Whether kustomize is certain that objects of the kind have no namespace. It knows the kinds of Kubernetes only. */
export function isClusterKind(id: GroupVersionKind): boolean {
  return CLUSTER_KINDS.has(`${apiVersionOf(id)} ${id.kind}`);
}

export function effectiveNamespace(id: ResourceId): string {
  if (isClusterKind(id)) return NO_NAMESPACE;
  return id.namespace === '' ? 'default' : id.namespace;
}

export function isSelectedKind(id: GroupVersionKind, selector: KindSelector): boolean {
  return (
    (!selector.group || selector.group === id.group) &&
    (!selector.version || selector.version === id.version) &&
    (!selector.kind || selector.kind === id.kind)
  );
}

/** Equal for ids that kustomize takes for the same object. */
export function idKey(id: ResourceId): string {
  return [id.group, id.version, id.kind, effectiveNamespace(id), id.name].join('\0');
}

/** The id as kustomize prints it. */
export function idText({ group, version, kind, name, namespace }: ResourceId): string {
  const part = (value: string, missing: string) => (value === '' ? `[${missing}]` : value);
  return `${part(kind, 'noKind')}.${part(version, 'noVer')}.${part(group, 'noGrp')}/${part(name, 'noName')}.${part(namespace, 'noNs')}`;
}
