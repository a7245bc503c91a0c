/**
 * The places that kustomize changes by default. A line is a path, which leads through lists, and the kinds that have
 * it; all kinds if there are none. A plus sign means that a missing path is created. A kind may have its group and
 * version before it, which are compared if they are not empty.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/tree/api/v0.21.1/api/internal/konfig/builtinpluginconsts
 */

/** Labels of objects and of the pods they make. */
export const LABELS = `
+metadata/labels
+spec/template/metadata/labels /v1/ReplicationController Deployment ReplicaSet DaemonSet apps//StatefulSet batch//Job
+spec/volumeClaimTemplates[]/metadata/labels apps//StatefulSet
+spec/jobTemplate/metadata/labels batch//CronJob
+spec/jobTemplate/spec/template/metadata/labels batch//CronJob
`;

/** Selectors that follow the labels of `commonLabels`, and of `labels` with `includeSelectors`. */
export const SELECTORS = `
+spec/selector /v1/Service /v1/ReplicationController
+spec/selector/matchLabels Deployment ReplicaSet DaemonSet apps//StatefulSet
spec/template/spec/affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels apps//Deployment apps//StatefulSet
spec/template/spec/affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels apps//Deployment apps//StatefulSet
spec/template/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels apps//Deployment apps//StatefulSet
spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels apps//Deployment apps//StatefulSet
spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels apps//Deployment apps//StatefulSet
spec/selector/matchLabels batch//Job policy//PodDisruptionBudget
spec/jobTemplate/spec/selector/matchLabels batch//CronJob
spec/podSelector/matchLabels networking.k8s.io//NetworkPolicy
spec/ingress/from/podSelector/matchLabels networking.k8s.io//NetworkPolicy
spec/egress/to/podSelector/matchLabels networking.k8s.io//NetworkPolicy
`;

/** Annotations of `commonAnnotations`. */
export const ANNOTATIONS = `
+metadata/annotations
+spec/template/metadata/annotations /v1/ReplicationController Deployment ReplicaSet DaemonSet StatefulSet batch//Job
+spec/jobTemplate/metadata/annotations batch//CronJob
+spec/jobTemplate/spec/template/metadata/annotations batch//CronJob
`;

/** Images of containers; those below `containers` and `initContainers` anywhere are changed, too. */
export const IMAGES = `
+spec/containers[]/image
+spec/initContainers[]/image
+spec/volumes[]/image/reference
+spec/template/spec/containers[]/image
+spec/template/spec/initContainers[]/image
+spec/template/spec/volumes[]/image/reference
`;

/** Namespaces other than `metadata.namespace`. */
export const NAMESPACES = `
+metadata/name Namespace
+spec/service/namespace apiregistration.k8s.io//APIService
spec/conversion/webhook/clientConfig/service/namespace apiextensions.k8s.io//CustomResourceDefinition
`;

/** Counts of `replicas`. */
export const REPLICAS = `
+spec/replicas Deployment ReplicationController ReplicaSet StatefulSet
`;

/** Texts in which `$(NAME)` of `vars` is replaced. */
export const VARIABLES = `
spec/jobTemplate/spec/template/spec/containers/args CronJob
spec/jobTemplate/spec/template/spec/containers/command CronJob
spec/jobTemplate/spec/template/spec/containers/env/value CronJob
spec/jobTemplate/spec/template/spec/containers/volumeMounts/mountPath CronJob
spec/jobTemplate/spec/template/spec/initContainers/args CronJob
spec/jobTemplate/spec/template/spec/initContainers/command CronJob
spec/jobTemplate/spec/template/spec/initContainers/env/value CronJob
spec/jobTemplate/spec/template/spec/initContainers/volumeMounts/mountPath CronJob
spec/jobTemplate/spec/template/volumes/nfs/server CronJob
spec/template/spec/containers/args DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/containers/command DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/containers/env/value DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/containers/volumeMounts/mountPath DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/initContainers/args DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/initContainers/command DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/initContainers/env/value DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/initContainers/volumeMounts/mountPath DaemonSet Deployment Job ReplicaSet StatefulSet
spec/template/spec/volumes/nfs/server DaemonSet Deployment Job ReplicaSet
spec/template/metadata/annotations Deployment
spec/rules/host Ingress
spec/tls/hosts Ingress
spec/tls/secretName Ingress
spec/containers/args Pod
spec/containers/command Pod
spec/containers/env/value Pod
spec/containers/volumeMounts/mountPath Pod
spec/initContainers/args Pod
spec/initContainers/command Pod
spec/initContainers/env/value Pod
spec/initContainers/volumeMounts/mountPath Pod
spec/volumes/nfs/server Pod
spec/ports/port Service
spec/ports/targetPort Service
spec/volumeClaimTemplates/spec/nfs/server StatefulSet
spec/nfs/server PersistentVolume
metadata/labels
metadata/annotations
`;
