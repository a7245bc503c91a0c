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

/**
 * Kinds whose objects have no namespace, by their apiVersion.
 *
 * `precomputedIsNamespaceScoped` of kyaml 0.21.1.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/kyaml/v0.21.1/kyaml/openapi/openapi.go
 */
const KINDS = `
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
apiextensions.k8s.io/v1 CustomResourceDefinition
apiextensions.k8s.io/v1beta1 CustomResourceDefinition
apiregistration.k8s.io/v1 APIService
apiregistration.k8s.io/v1beta1 APIService
certificates.k8s.io/v1 CertificateSigningRequest
certificates.k8s.io/v1beta1 CertificateSigningRequest
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema PriorityLevelConfiguration
networking.k8s.io/v1 IngressClass
networking.k8s.io/v1beta1 IngressClass
node.k8s.io/v1 RuntimeClass
node.k8s.io/v1beta1 RuntimeClass
policy/v1beta1 PodSecurityPolicy
rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding
rbac.authorization.k8s.io/v1beta1 ClusterRole ClusterRoleBinding
scheduling.k8s.io/v1 PriorityClass
scheduling.k8s.io/v1beta1 PriorityClass
storage.k8s.io/v1 CSIDriver CSINode StorageClass VolumeAttachment
storage.k8s.io/v1beta1 CSIDriver CSINode StorageClass VolumeAttachment
v1 ComponentStatus Namespace Node NodeProxyOptions PersistentVolume
`;

/** Each as apiVersion, space and kind. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set(
  KINDS.trim()
    .split('\n')
    .flatMap((line) => {
      const [apiVersion, ...kinds] = line.split(' ');
      return kinds.map((kind) => `${apiVersion} ${kind}`);
    }),
);
