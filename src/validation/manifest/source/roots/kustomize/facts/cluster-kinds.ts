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
export const CLUSTER_KINDS: ReadonlySet<string> = new Set(
  KINDS.trim()
    .split('\n')
    .flatMap((line) => {
      const [apiVersion, ...kinds] = line.split(' ');
      return kinds.map((kind) => `${apiVersion} ${kind}`);
    }),
);
