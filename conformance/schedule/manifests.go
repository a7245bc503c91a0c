package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apitypes "k8s.io/apimachinery/pkg/types"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// created is when every pod was: equal times leave the order of the queue to the uids, which follow the manifests.
var created = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))

var scheme = func() *runtime.Scheme {
	result := runtime.NewScheme()
	lo.Must0(clientgoscheme.AddToScheme(result))
	for _, group := range []struct {
		version schema.GroupVersion
		kinds   []runtime.Object
	}{
		{schema.GroupVersion{Group: "karpenter.sh", Version: "v1"}, []runtime.Object{
			&karpv1.NodePool{}, &karpv1.NodePoolList{}, &karpv1.NodeClaim{}, &karpv1.NodeClaimList{},
		}},
		{schema.GroupVersion{Group: "karpenter.k8s.aws", Version: "v1"}, []runtime.Object{&v1.EC2NodeClass{}, &v1.EC2NodeClassList{}}},
	} {
		result.AddKnownTypes(group.version, group.kinds...)
		metav1.AddToGroupVersion(result, group.version)
	}
	return result
}()

var decoder = serializer.NewCodecFactory(scheme).UniversalDeserializer()

// objects reads manifests as the API server would, and puts pods in the place of what makes pods.
func objects(manifests string) ([]client.Object, error) {
	var result []client.Object
	reader := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(manifests), 4096)
	for {
		raw := json.RawMessage{}
		if err := reader.Decode(&raw); err == io.EOF {
			return withNamespaces(result), nil
		} else if err != nil {
			return nil, err
		}
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		object, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return nil, err
		}
		result = append(result, expanded(object.(client.Object), len(result))...)
	}
}

func expanded(object client.Object, at int) []client.Object {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return pods(o, o.Spec.Template, lo.FromPtrOr(o.Spec.Replicas, 1), at)
	case *appsv1.ReplicaSet:
		return pods(o, o.Spec.Template, lo.FromPtrOr(o.Spec.Replicas, 1), at)
	case *appsv1.StatefulSet:
		return pods(o, o.Spec.Template, lo.FromPtrOr(o.Spec.Replicas, 1), at)
	case *batchv1.Job:
		if lo.FromPtr(o.Spec.Suspend) {
			return nil
		}
		return pods(o, o.Spec.Template, parallel(o.Spec), at)
	case *batchv1.CronJob:
		return pods(o, o.Spec.JobTemplate.Spec.Template, parallel(o.Spec.JobTemplate.Spec), at)
	case *corev1.Pod:
		return []client.Object{pending(o, at)}
	case *appsv1.DaemonSet:
		o.Namespace = namespaced(o)
		defaultRequests(&o.Spec.Template.Spec)
		o.UID = apitypes.UID("daemonset-" + o.Namespace + "-" + o.Name)
		return []client.Object{o}
	case *karpv1.NodePool:
		o.StatusConditions().SetTrue(karpv1.ConditionTypeValidationSucceeded)
		o.StatusConditions().SetTrue(karpv1.ConditionTypeNodeClassReady)
		return []client.Object{o}
	case *corev1.PersistentVolumeClaim:
		o.Namespace = namespaced(o)
		return []client.Object{o}
	default:
		return []client.Object{object}
	}
}

// withNamespaces adds the namespaces that pods are in, which a cluster has whether or not a manifest says so.
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

func parallel(job batchv1.JobSpec) int32 {
	parallelism := lo.FromPtrOr(job.Parallelism, 1)
	return min(parallelism, lo.FromPtrOr(job.Completions, parallelism))
}

func pods(owner client.Object, template corev1.PodTemplateSpec, count int32, at int) []client.Object {
	result := make([]client.Object, 0, count)
	for ordinal := range count {
		pod := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
		pod.Namespace, pod.Name = namespaced(owner), fmt.Sprintf("%s-%d", owner.GetName(), ordinal)
		result = append(result, pending(pod, at+int(ordinal)))
	}
	return result
}

// pending makes a pod what the scheduler looks for; `at` stands for the order of creation.
func pending(pod *corev1.Pod, at int) *corev1.Pod {
	pod.Namespace = namespaced(pod)
	pod.UID = apitypes.UID(fmt.Sprintf("%012d", at))
	pod.CreationTimestamp = created
	pod.Status.Phase = corev1.PodPending
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}}
	defaultRequests(&pod.Spec)
	return pod
}

func defaultRequests(spec *corev1.PodSpec) {
	for at := range spec.InitContainers {
		requestLimits(&spec.InitContainers[at].Resources)
	}
	for at := range spec.Containers {
		requestLimits(&spec.Containers[at].Resources)
	}
}

// requestLimits is the API server's: amounts are rounded up to thousandths, and what has a limit and no request is requested.
func requestLimits(resources *corev1.ResourceRequirements) {
	for _, list := range []corev1.ResourceList{resources.Limits, resources.Requests} {
		for name, quantity := range list {
			quantity.RoundUp(resource.Milli)
			list[name] = quantity
		}
	}
	resources.Requests = lo.Assign(resources.Limits, resources.Requests)
}

func namespaced(object client.Object) string {
	return lo.CoalesceOrEmpty(object.GetNamespace(), "default")
}
