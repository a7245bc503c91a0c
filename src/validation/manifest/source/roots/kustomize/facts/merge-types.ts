/**
 * Lists that a strategic merge patch merges by keys instead of replacing them. A line is a type: its fields that are
 * such a list, with the keys in brackets, or that contain one, with the type after a colon. Types with equal fields are
 * one type here. All other lists are replaced.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/tree/kyaml/v0.21.1/kyaml/openapi/kubernetesapi/v1_21_2 the extensions
 * `x-kubernetes-patch-strategy`, `x-kubernetes-patch-merge-key` and `x-kubernetes-list-map-keys`
 */
export const TYPES = `
CSINode = metadata:ObjectMeta, spec:CSINodeSpec
CSINodeSpec = drivers[name]
ComponentStatus = conditions[type], metadata:ObjectMeta
Container = env[name], ports[containerPort protocol], volumeDevices[devicePath], volumeMounts[mountPath]
CronJob = metadata:ObjectMeta, spec:CronJobSpec
CronJobSpec = jobTemplate:JobTemplateSpec
EphemeralContainer = env[name], volumeDevices[devicePath], volumeMounts[mountPath]
EphemeralVolumeSource = volumeClaimTemplate:Other
Controller = metadata:ObjectMeta, spec:ControllerSpec, status:Conditions
ControllerSpec = template:PodTemplateSpec
Conditions = conditions[type]
JobTemplateSpec = metadata:ObjectMeta, spec:ControllerSpec
WebhookConfiguration = metadata:ObjectMeta, webhooks[name]
WithConditions = metadata:ObjectMeta, status:Conditions
Node = metadata:ObjectMeta, spec:NodeSpec, status:NodeStatus
NodeSpec = podCIDRs[]
NodeStatus = addresses[type], conditions[type]
ObjectMeta = finalizers[], ownerReferences[uid]
Pod = metadata:ObjectMeta, spec:PodSpec, status:PodStatus
PodSpec = containers[name]:Container, ephemeralContainers[name]:EphemeralContainer, hostAliases[ip], imagePullSecrets[name], initContainers[name]:Container,
  topologySpreadConstraints[topologyKey whenUnsatisfiable], volumes[name]:Volume
PodStatus = conditions[type], podIPs[ip]
PodTemplate = metadata:ObjectMeta, template:PodTemplateSpec
PodTemplateSpec = metadata:ObjectMeta, spec:PodSpec
Other = metadata:ObjectMeta
Service = metadata:ObjectMeta, spec:ServiceSpec, status:Conditions
ServiceAccount = metadata:ObjectMeta, secrets[name]
ServiceSpec = ports[port protocol]
Volume = ephemeral:EphemeralVolumeSource
`;

/** The types of the kinds that kustomize has a schema of: below each type, the kinds by their apiVersion. */
export const KINDS = `
CSINode
  storage.k8s.io/v1 CSINode
  storage.k8s.io/v1beta1 CSINode
ComponentStatus
  v1 ComponentStatus
Controller
  apps/v1 DaemonSet Deployment ReplicaSet StatefulSet
  batch/v1 Job
  v1 ReplicationController
CronJob
  batch/v1 CronJob
  batch/v1beta1 CronJob
Node
  v1 Node
Other
  apiextensions.k8s.io/v1 CustomResourceDefinition
  apiextensions.k8s.io/v1beta1 CustomResourceDefinition
  apps/v1 ControllerRevision
  authentication.k8s.io/v1 TokenRequest TokenReview
  authentication.k8s.io/v1beta1 TokenReview
  authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
  authorization.k8s.io/v1beta1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
  autoscaling/v1 HorizontalPodAutoscaler Scale
  autoscaling/v2beta1 HorizontalPodAutoscaler
  autoscaling/v2beta2 HorizontalPodAutoscaler
  certificates.k8s.io/v1 CertificateSigningRequest
  certificates.k8s.io/v1beta1 CertificateSigningRequest
  coordination.k8s.io/v1 Lease
  coordination.k8s.io/v1beta1 Lease
  discovery.k8s.io/v1 EndpointSlice
  discovery.k8s.io/v1beta1 EndpointSlice
  events.k8s.io/v1 Event
  events.k8s.io/v1beta1 Event
  extensions/v1beta1 Ingress
  flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema PriorityLevelConfiguration
  networking.k8s.io/v1 Ingress IngressClass NetworkPolicy
  networking.k8s.io/v1beta1 Ingress IngressClass
  node.k8s.io/v1 RuntimeClass
  node.k8s.io/v1beta1 RuntimeClass
  policy/v1beta1 Eviction PodSecurityPolicy
  rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding Role RoleBinding
  rbac.authorization.k8s.io/v1beta1 ClusterRole ClusterRoleBinding Role RoleBinding
  scheduling.k8s.io/v1 PriorityClass
  scheduling.k8s.io/v1beta1 PriorityClass
  storage.k8s.io/v1 CSIDriver StorageClass VolumeAttachment
  storage.k8s.io/v1beta1 CSIDriver CSIStorageCapacity StorageClass VolumeAttachment
  v1 Binding ConfigMap Endpoints Event LimitRange PersistentVolume ResourceQuota Secret
Pod
  v1 Pod
PodTemplate
  v1 PodTemplate
Service
  v1 Service
ServiceAccount
  v1 ServiceAccount
WebhookConfiguration
  admissionregistration.k8s.io/v1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
  admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration ValidatingWebhookConfiguration
WithConditions
  apiregistration.k8s.io/v1 APIService
  apiregistration.k8s.io/v1beta1 APIService
  policy/v1 PodDisruptionBudget
  policy/v1beta1 PodDisruptionBudget
  v1 Namespace PersistentVolumeClaim
`;
