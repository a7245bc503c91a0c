package main

import (
	"math"
	"slices"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
)

// nodeMonitorGracePeriod is the time until Kubernetes notices an unreachable kubelet, and defaultToleration is how long
// pods stay on an unreachable node by default.
const (
	nodeMonitorGracePeriod = 50 * time.Second
	defaultToleration      = 300 * time.Second
)

// evictionInterval is the delay between two unreachable nodes of a zone before Kubernetes evicts their pods.
const evictionInterval = 10 * time.Second

// failZone makes all nodes of a zone unreachable, and all its offerings unavailable. The nodes are deleted when
// Kubernetes evicts their pods.
func (p *simulator) failZone(zone string) error {
	p.isZoneOutage = true
	now := p.cluster.clock.Now()
	for _, class := range copiesOf(p.store, always[*v1.EC2NodeClass]) {
		for _, subnet := range class.Status.Subnets {
			if subnet.Zone == zone {
				p.UnavailableOfferings().MarkSubnetUnavailable(subnet.ID)
			}
		}
		for _, reservation := range class.Status.CapacityReservations {
			if reservation.AvailabilityZone == zone {
				p.FailReservation(reservation.ID)
			}
		}
	}
	p.InvalidateOfferings()
	nodes := copiesOf(p.store, func(node *corev1.Node) bool { return node.Labels[corev1.LabelTopologyZone] == zone })
	slices.SortFunc(nodes, func(a, b *corev1.Node) int { return p.nodeNumbers[a.Name] - p.nodeNumbers[b.Name] })
	for position, node := range nodes {
		if err := p.makeUnreachable(node.Name, time.Duration(position)*evictionInterval); err != nil {
			return err
		}
		p.terminationsDue[node.Name] = now.Add(nodeMonitorGracePeriod + defaultToleration)
	}
	return nil
}

// makeUnreachable makes a node unreachable: none of its pods is ready, and terminating pods do not end.
func (p *simulator) makeUnreachable(name string, delay time.Duration) error {
	node := &corev1.Node{}
	if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, node); err != nil {
		return err
	}
	now := p.cluster.clock.Now()
	node.Status.Conditions = append(lo.Reject(node.Status.Conditions, func(c corev1.NodeCondition, _ int) bool { return c.Type == corev1.NodeReady }), corev1.NodeCondition{
		Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown", LastTransitionTime: metav1.NewTime(now),
	})
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule})
	p.unreachable[name] = true
	p.put(node)
	for _, pod := range copiesOf(p.store, func(pod *corev1.Pod) bool { return pod.Spec.NodeName == name && !isTerminal(pod) }) {
		delete(p.due, pod.UID)
		setReady(pod, false, now)
		p.put(pod)
		if toleration := toleration(pod); pod.DeletionTimestamp == nil && toleration < math.MaxInt64 {
			p.taintEvictionsDue[pod.UID] = now.Add(nodeMonitorGracePeriod + delay + toleration)
		}
	}
	return nil
}

// evictFromUnreachable evicts pods whose nodes have been unreachable for long enough (pkg/controller/tainteviction).
func (p *simulator) evictFromUnreachable() {
	now := p.cluster.clock.Now()
	for _, pod := range copiesOf(p.store, func(pod *corev1.Pod) bool {
		due, known := p.taintEvictionsDue[pod.UID]
		return known && !due.After(now)
	}) {
		delete(p.taintEvictionsDue, pod.UID)
		if pod.DeletionTimestamp == nil {
			p.startTermination(pod, *pod.Spec.TerminationGracePeriodSeconds)
		}
	}
}

// toleration is how long a pod stays on an unreachable node.
func toleration(pod *corev1.Pod) time.Duration {
	if kind := kindOfOwner(pod); kind == "DaemonSet" || kind == "Node" {
		return math.MaxInt64
	}
	taint := corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}
	for _, candidate := range pod.Spec.Tolerations {
		if candidate.ToleratesTaint(klog.Background(), &taint, false) {
			if candidate.TolerationSeconds == nil {
				return math.MaxInt64
			}
			return time.Duration(*candidate.TolerationSeconds) * time.Second
		}
	}
	return defaultToleration
}
