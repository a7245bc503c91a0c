package oracle

import (
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// priorities are the values of priority classes by name; the global default has the empty name.
type priorities map[string]int32

// builtInPriorities are the classes that every cluster has.
var builtInPriorities = priorities{"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}

// prioritiesOf reads the priority classes among the objects.
func prioritiesOf(known priorities, all []client.Object) priorities {
	result := lo.Assign(builtInPriorities, known)
	for _, object := range all {
		class, ok := object.(*schedulingv1.PriorityClass)
		if !ok {
			continue
		}
		result[class.Name] = class.Value
		if class.GlobalDefault {
			result[""] = class.Value
		}
	}
	return result
}

// admitPod changes a pod as the API server does when it is created, as far as Karpenter reads the result. Pod
// templates only get the changes of defaultTemplate.
//
// See, in k8s.io/kubernetes, SetDefaults_Pod in pkg/apis/core/v1/defaults.go,
// applyMatchLabelKeysAndMismatchLabelKeys in pkg/registry/core/pod/strategy.go, and plugin/pkg/admission/priority.
func admitPod(pod *corev1.Pod, known priorities) {
	defaultTemplate(&pod.Spec)
	defaultRequests(&pod.Spec)
	if pod.Spec.HostNetwork {
		defaultHostPorts(pod.Spec.InitContainers)
		defaultHostPorts(pod.Spec.Containers)
	}
	if pod.Spec.Priority == nil {
		pod.Spec.Priority = lo.ToPtr(known[pod.Spec.PriorityClassName])
	}
	for _, term := range affinityTerms(pod) {
		applyLabelKeys(term, pod.Labels)
	}
}

// defaultTemplate adds the defaults that pod templates get as well.
func defaultTemplate(spec *corev1.PodSpec) {
	roundAmounts(spec)
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for _, container := range containers {
			for index := range container.Ports {
				container.Ports[index].Protocol = lo.CoalesceOrEmpty(container.Ports[index].Protocol, corev1.ProtocolTCP)
			}
		}
	}
}

func defaultHostPorts(containers []corev1.Container) {
	for _, container := range containers {
		for index := range container.Ports {
			container.Ports[index].HostPort = lo.CoalesceOrEmpty(container.Ports[index].HostPort, container.Ports[index].ContainerPort)
		}
	}
}

func affinityTerms(pod *corev1.Pod) []*corev1.PodAffinityTerm {
	var result []*corev1.PodAffinityTerm
	add := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for index := range required {
			result = append(result, &required[index])
		}
		for index := range preferred {
			result = append(result, &preferred[index].PodAffinityTerm)
		}
	}
	affinity := lo.FromPtr(pod.Spec.Affinity)
	if own := affinity.PodAffinity; own != nil {
		add(own.RequiredDuringSchedulingIgnoredDuringExecution, own.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if own := affinity.PodAntiAffinity; own != nil {
		add(own.RequiredDuringSchedulingIgnoredDuringExecution, own.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return result
}

// applyLabelKeys adds the values of the pod's labels to the selector. Without a selector the term selects no pod.
func applyLabelKeys(term *corev1.PodAffinityTerm, labels map[string]string) {
	if term.LabelSelector == nil {
		return
	}
	add := func(keys []string, operator metav1.LabelSelectorOperator) {
		for _, key := range keys {
			if value, ok := labels[key]; ok {
				term.LabelSelector.MatchExpressions = append(term.LabelSelector.MatchExpressions,
					metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}})
			}
		}
	}
	add(term.MatchLabelKeys, metav1.LabelSelectorOpIn)
	add(term.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
}

// ephemeralClaims are the missing claims of the pod's ephemeral volumes, which a controller of Kubernetes creates.
func ephemeralClaims(pod *corev1.Pod, exists func(client.Object) bool) []client.Object {
	var result []client.Object
	for _, volume := range pod.Spec.Volumes {
		if volume.Ephemeral == nil || volume.Ephemeral.VolumeClaimTemplate == nil {
			continue
		}
		template := volume.Ephemeral.VolumeClaimTemplate
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
		claim.Namespace, claim.Name = pod.Namespace, pod.Name+"-"+volume.Name
		claim.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID, Controller: lo.ToPtr(true),
		}}
		if !exists(claim) {
			result = append(result, claim)
		}
	}
	return result
}
