package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const systemNode = "system.ec2.internal"

// createSystemNode creates the node on which Karpenter itself runs: every cluster has such nodes, usually with a
// taint. In a cluster without any node kube-scheduler takes "no nodes" for an error. Then each pod waits for its
// backoff of up to 10 seconds, whatever happens to nodes.
func (c *connection) createSystemNode(ctx context.Context, zone string) error {
	size := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("29"),
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: systemNode, Labels: map[string]string{
			corev1.LabelHostname: systemNode, corev1.LabelTopologyZone: zone, corev1.LabelArchStable: "amd64", corev1.LabelOSStable: "linux",
		}},
		Spec: corev1.NodeSpec{
			ProviderID: "aws:///" + zone + "/i-00000000000000000",
			Taints:     []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: corev1.TaintEffectNoSchedule}},
		},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size, Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
		}}},
	}
	return c.Create(ctx, node)
}
