package main

import (
	"context"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// createDaemonPods lets the DaemonSet controller create the pods of a new node
// (pkg/controller/daemon/daemon_controller.go).
func (k *kubernetes) createDaemonPods(node *corev1.Node) {
	for _, set := range listAll[*appsv1.DaemonSet](k.store) {
		pod := daemonPod(set, node)
		// Both check the same taints; startup taints are already removed.
		isTolerated := scheduling.Taints(node.Spec.Taints).ToleratesPod(pod) == nil
		if isAllowed, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); err != nil || !isAllowed || !isTolerated {
			continue
		}
		lo.Must0(k.Create(context.Background(), pod))
		k.due[pod.UID] = k.after(k.PodStart)
	}
}

func daemonPod(set *appsv1.DaemonSet, node *corev1.Node) *corev1.Pod {
	spec := set.Spec.Template.Spec.DeepCopy()
	spec.NodeName = node.Name
	spec.TerminationGracePeriodSeconds = lo.CoalesceOrEmpty(spec.TerminationGracePeriodSeconds, lo.ToPtr(int64(corev1.DefaultTerminationGracePeriodSeconds)))
	spec.Tolerations = append(spec.Tolerations, daemonTolerations...)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: set.Name + "-" + node.Name, Namespace: set.Namespace, Labels: set.Spec.Template.Labels, Annotations: set.Spec.Template.Annotations,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: set.Name, UID: set.UID, Controller: lo.ToPtr(true)}},
		},
		Spec:   *spec,
		Status: corev1.PodStatus{Phase: corev1.PodPending, StartTime: lo.ToPtr(node.CreationTimestamp)},
	}
}

// daemonTolerations are the tolerations that the controller adds to each of its pods
// (pkg/controller/daemon/util/daemonset_util.go).
var daemonTolerations = append(
	lo.Map([]string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable}, func(key string, _ int) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}
	}),
	lo.Map([]string{corev1.TaintNodeDiskPressure, corev1.TaintNodeMemoryPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeUnschedulable}, func(key string, _ int) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}
	})...)
