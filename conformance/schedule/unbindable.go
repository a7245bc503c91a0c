package main

import (
	"context"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	karpscheduling "sigs.k8s.io/karpenter/pkg/scheduling"

	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// unbindablePods is the number of pods on launched nodes that Kubernetes does not bind there. A DaemonSet gets its host
// ports as soon as the node registers, which Karpenter does not see before.
func (p *problem) unbindablePods(ctx context.Context, results scheduling.Results) (int, error) {
	daemonSets := &appsv1.DaemonSetList{}
	if err := p.Kube.List(ctx, daemonSets); err != nil {
		return 0, err
	}
	count := 0
	for _, node := range results.ExistingNodes {
		if node.Node != nil {
			continue
		}
		taken := karpscheduling.NewHostPortUsage()
		for _, set := range daemonSets.Items {
			if pod := daemonPod(&set); runsOn(pod, node) {
				taken.Add(pod, karpscheduling.GetHostPorts(pod))
			}
		}
		count += lo.CountBy(node.Pods, func(pod *corev1.Pod) bool { return taken.Conflicts(pod, karpscheduling.GetHostPorts(pod)) != nil })
	}
	return count, nil
}

// daemonPod is a pod as the API server admits it.
func daemonPod(set *appsv1.DaemonSet) *corev1.Pod {
	pod := &corev1.Pod{Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Namespace, pod.Name = set.Namespace, "daemonset "+set.Name
	if pod.Spec.HostNetwork {
		for _, container := range pod.Spec.Containers {
			for index := range container.Ports {
				container.Ports[index].HostPort = lo.CoalesceOrEmpty(container.Ports[index].HostPort, container.Ports[index].ContainerPort)
			}
		}
	}
	return pod
}

// runsOn is whether the DaemonSet controller creates the pod: one of the ORed terms is enough.
func runsOn(pod *corev1.Pod, node *scheduling.ExistingNode) bool {
	if karpscheduling.Taints(node.Taints()).ToleratesPod(pod) != nil {
		return false
	}
	labels := karpscheduling.NewLabelRequirements(node.Labels())
	if labels.Compatible(karpscheduling.NewStrictPodRequirements(pod)) == nil {
		return true
	}
	required := lo.FromPtr(lo.FromPtr(lo.FromPtr(pod.Spec.Affinity).NodeAffinity).RequiredDuringSchedulingIgnoredDuringExecution)
	return lo.SomeBy(required.NodeSelectorTerms, func(term corev1.NodeSelectorTerm) bool {
		one := pod.DeepCopy()
		one.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms = []corev1.NodeSelectorTerm{term}
		return labels.Compatible(karpscheduling.NewStrictPodRequirements(one)) == nil
	})
}
