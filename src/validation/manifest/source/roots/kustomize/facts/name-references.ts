/**
 * Names that follow the name of another object. A line without indentation is the kind of that object; the lines below
 * it are the places that may name such an object, as in `field-specs.ts`.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/api/v0.21.1/api/internal/konfig/builtinpluginconsts/namereference.go
 */
export const NAME_REFERENCES = `
Deployment
  spec/scaleTargetRef/name HorizontalPodAutoscaler
ReplicationController
  spec/scaleTargetRef/name HorizontalPodAutoscaler
ReplicaSet
  spec/scaleTargetRef/name HorizontalPodAutoscaler
StatefulSet
  spec/scaleTargetRef/name HorizontalPodAutoscaler
/v1/ConfigMap
  spec/volumes/configMap/name /v1/Pod
  spec/containers/env/valueFrom/configMapKeyRef/name /v1/Pod
  spec/initContainers/env/valueFrom/configMapKeyRef/name /v1/Pod
  spec/containers/envFrom/configMapRef/name /v1/Pod
  spec/initContainers/envFrom/configMapRef/name /v1/Pod
  spec/volumes/projected/sources/configMap/name /v1/Pod
  template/spec/volumes/configMap/name PodTemplate
  template/spec/containers/env/valueFrom/configMapKeyRef/name PodTemplate
  template/spec/initContainers/env/valueFrom/configMapKeyRef/name PodTemplate
  template/spec/containers/envFrom/configMapRef/name PodTemplate
  template/spec/initContainers/envFrom/configMapRef/name PodTemplate
  template/spec/volumes/projected/sources/configMap/name PodTemplate
  spec/template/spec/volumes/configMap/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/containers/env/valueFrom/configMapKeyRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/containers/envFrom/configMapRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/initContainers/envFrom/configMapRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/volumes/projected/sources/configMap/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/jobTemplate/spec/template/spec/volumes/configMap/name CronJob
  spec/jobTemplate/spec/template/spec/volumes/projected/sources/configMap/name CronJob
  spec/jobTemplate/spec/template/spec/containers/env/valueFrom/configMapKeyRef/name CronJob
  spec/jobTemplate/spec/template/spec/initContainers/env/valueFrom/configMapKeyRef/name CronJob
  spec/jobTemplate/spec/template/spec/containers/envFrom/configMapRef/name CronJob
  spec/jobTemplate/spec/template/spec/initContainers/envFrom/configMapRef/name CronJob
  spec/configSource/configMap Node
  rules/resourceNames Role ClusterRole
  metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap Ingress
/v1/Secret
  spec/volumes/secret/secretName /v1/Pod
  spec/containers/env/valueFrom/secretKeyRef/name /v1/Pod
  spec/initContainers/env/valueFrom/secretKeyRef/name /v1/Pod
  spec/containers/envFrom/secretRef/name /v1/Pod
  spec/initContainers/envFrom/secretRef/name /v1/Pod
  spec/imagePullSecrets/name /v1/Pod
  spec/volumes/projected/sources/secret/name /v1/Pod
  template/spec/volumes/secret/secretName PodTemplate
  template/spec/containers/env/valueFrom/secretKeyRef/name PodTemplate
  template/spec/initContainers/env/valueFrom/secretKeyRef/name PodTemplate
  template/spec/containers/envFrom/secretRef/name PodTemplate
  template/spec/initContainers/envFrom/secretRef/name PodTemplate
  template/spec/imagePullSecrets/name PodTemplate
  template/spec/volumes/projected/sources/secret/name PodTemplate
  spec/template/spec/volumes/secret/secretName Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/containers/env/valueFrom/secretKeyRef/name Deployment ReplicaSet DaemonSet StatefulSet Job serving.knative.dev/v1/Service
  spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/containers/envFrom/secretRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/initContainers/envFrom/secretRef/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/imagePullSecrets/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/template/spec/volumes/projected/sources/secret/name Deployment ReplicaSet DaemonSet StatefulSet Job
  spec/jobTemplate/spec/template/spec/volumes/secret/secretName CronJob
  spec/jobTemplate/spec/template/spec/volumes/projected/sources/secret/name CronJob
  spec/jobTemplate/spec/template/spec/containers/env/valueFrom/secretKeyRef/name CronJob
  spec/jobTemplate/spec/template/spec/initContainers/env/valueFrom/secretKeyRef/name CronJob
  spec/jobTemplate/spec/template/spec/containers/envFrom/secretRef/name CronJob
  spec/jobTemplate/spec/template/spec/initContainers/envFrom/secretRef/name CronJob
  spec/jobTemplate/spec/template/spec/imagePullSecrets/name CronJob
  spec/tls/secretName Ingress
  metadata/annotations/ingress.kubernetes.io\\/auth-secret Ingress
  metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret Ingress
  metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret Ingress
  imagePullSecrets/name ServiceAccount
  parameters/secretName StorageClass
  parameters/adminSecretName StorageClass
  parameters/userSecretName StorageClass
  parameters/secretRef StorageClass
  rules/resourceNames Role ClusterRole
  spec/azureFile/secretName PersistentVolume
/v1/Service
  spec/serviceName apps//StatefulSet
  spec/rules/http/paths/backend/serviceName Ingress
  spec/backend/serviceName Ingress
  spec/rules/http/paths/backend/service/name Ingress
  spec/defaultBackend/service/name Ingress
  spec/service/name apiregistration.k8s.io//APIService
  webhooks/clientConfig/service admissionregistration.k8s.io//ValidatingWebhookConfiguration admissionregistration.k8s.io//MutatingWebhookConfiguration
rbac.authorization.k8s.io//Role
  roleRef/name rbac.authorization.k8s.io//RoleBinding
rbac.authorization.k8s.io//ClusterRole
  roleRef/name rbac.authorization.k8s.io//RoleBinding rbac.authorization.k8s.io//ClusterRoleBinding
/v1/ServiceAccount
  subjects rbac.authorization.k8s.io//RoleBinding rbac.authorization.k8s.io//ClusterRoleBinding
  spec/serviceAccountName Pod
  spec/template/spec/serviceAccountName StatefulSet Deployment ReplicationController Job DaemonSet
  spec/jobTemplate/spec/template/spec/serviceAccountName CronJob
/v1/PersistentVolumeClaim
  spec/volumes/persistentVolumeClaim/claimName Pod
  spec/template/spec/volumes/persistentVolumeClaim/claimName StatefulSet Deployment ReplicationController Job DaemonSet
  spec/jobTemplate/spec/template/spec/volumes/persistentVolumeClaim/claimName CronJob
/v1/PersistentVolume
  spec/volumeName PersistentVolumeClaim
  rules/resourceNames ClusterRole
storage.k8s.io/v1/StorageClass
  spec/storageClassName PersistentVolume PersistentVolumeClaim
  spec/volumeClaimTemplates/spec/storageClassName StatefulSet
scheduling.k8s.io/v1/PriorityClass
  spec/priorityClassName Pod
  spec/template/spec/priorityClassName StatefulSet Deployment ReplicationController Job DaemonSet
  spec/jobTemplate/spec/template/spec/priorityClassName CronJob
networking.k8s.io/v1/v1/IngressClass
  spec/ingressClassName Ingress
admissionregistration.k8s.io//ValidatingAdmissionPolicy
  spec/policyName admissionregistration.k8s.io//ValidatingAdmissionPolicyBinding
`;
