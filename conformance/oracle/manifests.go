package oracle

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	autoscaling "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// appliedObjects returns the objects in the API server after the manifests are applied, with pods instead of workloads.
func appliedObjects(manifests string, in *existingCluster) ([]client.Object, error) {
	documents, err := splitDocuments(manifests)
	if err != nil {
		return nil, err
	}
	var decoded []client.Object
	for _, raw := range documents {
		object, err := decode(raw)
		if err != nil {
			return nil, err
		}
		decoded = append(decoded, object)
	}
	in.priorities = prioritiesOf(in.priorities, decoded)
	var result []client.Object
	applied := map[string]bool{}
	for _, object := range decoded {
		applied[objectKey(object)] = true
		in.complete(object)
		result = append(result, expand(object, len(result), in)...)
	}
	kept := lo.Filter(in.objects, func(object client.Object, _ int) bool { return !applied[objectKey(object)] })
	return withNamespaces(withEphemeralClaims(append(result, kept...))), nil
}

// withEphemeralClaims adds the missing claims of the pods' ephemeral volumes.
func withEphemeralClaims(all []client.Object) []client.Object {
	known := map[string]bool{}
	for _, object := range all {
		known[objectKey(object)] = true
	}
	for _, object := range all {
		if pod, ok := object.(*corev1.Pod); ok {
			all = append(all, ephemeralClaims(pod, func(claim client.Object) bool { return known[objectKey(claim)] })...)
		}
	}
	return all
}

func splitDocuments(text string) ([]json.RawMessage, error) {
	var result []json.RawMessage
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		raw := json.RawMessage{}
		if err := reader.Decode(&raw); err == io.EOF {
			return result, nil
		} else if err != nil {
			return nil, err
		}
		if len(raw) > 0 && string(raw) != "null" {
			result = append(result, raw)
		}
	}
}

// decode reads an object as the API server would.
func decode(raw json.RawMessage) (client.Object, error) {
	raw, err := withDefaults(raw)
	if err != nil {
		return nil, err
	}
	object, _, err := decoder.Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}

func objectKey(object client.Object) string {
	return fmt.Sprintf("%T %s/%s", object, object.GetNamespace(), object.GetName())
}

// expand creates the pods of workloads, except those that already run.
func expand(object client.Object, index int, in *existingCluster) []client.Object {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return createPods(o, o.Spec.Template, in, lo.FromPtrOr(o.Spec.Replicas, 1), index)
	case *appsv1.ReplicaSet:
		return createPods(o, o.Spec.Template, in, lo.FromPtrOr(o.Spec.Replicas, 1), index)
	case *appsv1.StatefulSet:
		return createStatefulPods(o, in, index)
	case *batchv1.Job:
		if lo.FromPtr(o.Spec.Suspend) {
			return nil
		}
		return createPods(o, o.Spec.Template, in, parallelPods(o.Spec), index)
	case *batchv1.CronJob:
		return createPods(o, o.Spec.JobTemplate.Spec.Template, in, parallelPods(o.Spec.JobTemplate.Spec), index)
	case *corev1.Pod:
		return []client.Object{makePending(o, index, in)}
	case *appsv1.DaemonSet:
		o.Namespace = namespaceOf(o)
		// Karpenter adds missing requests to its pod of the template itself.
		defaultTemplate(&o.Spec.Template.Spec)
		o.UID = apitypes.UID("daemonset-" + o.Namespace + "-" + o.Name)
		return []client.Object{o}
	case *karpv1.NodePool:
		o.StatusConditions().SetTrue(karpv1.ConditionTypeValidationSucceeded)
		o.StatusConditions().SetTrue(karpv1.ConditionTypeNodeClassReady)
		return []client.Object{o}
	case *corev1.PodTemplate:
		defaultTemplate(&o.Template.Spec)
		object.SetNamespace(namespaceOf(object))
		object.SetUID(apitypes.UID(fmt.Sprintf("%T-%012d", object, index)))
		return []client.Object{object}
	case *corev1.PersistentVolumeClaim, *autoscaling.CapacityBuffer:
		object.SetNamespace(namespaceOf(object))
		object.SetUID(apitypes.UID(fmt.Sprintf("%T-%012d", object, index)))
		return []client.Object{object}
	default:
		return []client.Object{object}
	}
}

// withNamespaces adds the namespaces of pods, which a cluster has even without a manifest.
func withNamespaces(all []client.Object) []client.Object {
	known := map[string]*corev1.Namespace{}
	for _, object := range all {
		if namespace, ok := object.(*corev1.Namespace); ok {
			known[namespace.Name] = namespace
		}
	}
	for _, object := range all {
		if name := object.GetNamespace(); name != "" && known[name] == nil {
			known[name] = &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
			all = append(all, known[name])
		}
	}
	for name, namespace := range known {
		namespace.Labels = lo.Assign(namespace.Labels, map[string]string{corev1.LabelMetadataName: name})
	}
	return all
}

func parallelPods(job batchv1.JobSpec) int32 {
	parallelism := lo.FromPtrOr(job.Parallelism, 1)
	return min(parallelism, lo.FromPtrOr(job.Completions, parallelism))
}

// createPods returns the owner, to which capacity buffers can refer, followed by its pods.
func createPods(owner client.Object, template corev1.PodTemplateSpec, in *existingCluster, to int32, index int) []client.Object {
	owner.SetNamespace(namespaceOf(owner))
	defaultTemplate(&template.Spec)
	controller := controllerOf(owner, in)
	result := lo.Uniq([]client.Object{owner, controller})
	for ordinal := in.runningPods(owner); ordinal < to; ordinal++ {
		pod := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
		pod.Namespace, pod.Name = owner.GetNamespace(), fmt.Sprintf("%s-%d", owner.GetName(), ordinal)
		// Terminating pods keep their names.
		for in.hasObject(pod, pod.Namespace, pod.Name) {
			pod.Name += "-next"
		}
		setOwner(pod, controller)
		result = append(result, makePending(pod, index+len(result), in))
	}
	return result
}

// makePending makes a pod pending and unscheduled; `index` is its position in the order of creation.
func makePending(pod *corev1.Pod, index int, in *existingCluster) *corev1.Pod {
	pod.Namespace = namespaceOf(pod)
	pod.UID = in.draw.uid(index)
	pod.CreationTimestamp = creationTime
	pod.Status.Phase = corev1.PodPending
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}}
	admitPod(pod, in.priorities)
	return pod
}

// roundAmounts rounds as the API server does in the templates of workloads, from which a capacity buffer makes its
// pods.
func roundAmounts(spec *corev1.PodSpec) {
	for _, container := range append(append([]corev1.Container{}, spec.InitContainers...), spec.Containers...) {
		roundUp(container.Resources)
	}
}

// roundUp rounds amounts up to thousandths in place, as the API server does.
func roundUp(resources corev1.ResourceRequirements) {
	for _, list := range []corev1.ResourceList{resources.Limits, resources.Requests} {
		for name, quantity := range list {
			quantity.RoundUp(resource.Milli)
			list[name] = quantity
		}
	}
}

func defaultRequests(spec *corev1.PodSpec) {
	for index := range spec.InitContainers {
		requestLimits(&spec.InitContainers[index].Resources)
	}
	for index := range spec.Containers {
		requestLimits(&spec.Containers[index].Resources)
	}
}

// requestLimits sets missing requests to the limits, as the API server does for pods.
func requestLimits(resources *corev1.ResourceRequirements) {
	roundUp(*resources)
	resources.Requests = lo.Assign(resources.Limits, resources.Requests)
}

func namespaceOf(object client.Object) string {
	return lo.CoalesceOrEmpty(object.GetNamespace(), "default")
}
