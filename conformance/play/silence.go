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

// missed is the time until Kubernetes notices a silent kubelet, and tolerated is the default time for which pods stay
// on an unreachable node.
const (
	missed    = 50 * time.Second
	tolerated = 300 * time.Second
)

// betweenNodes is the delay between two unreachable nodes of a zone before Kubernetes evicts their pods.
const betweenNodes = 10 * time.Second

// fail makes all nodes of a zone unreachable, and all its offerings unavailable. The nodes are deleted when Kubernetes
// evicts their pods.
func (p *player) fail(zone string) error {
	p.isLost = true
	now := p.cluster.clock.Now()
	for _, class := range some(p.store, everyOne[*v1.EC2NodeClass]) {
		for _, subnet := range class.Status.Subnets {
			if subnet.Zone == zone {
				p.Unavailable().MarkSubnetUnavailable(subnet.ID)
			}
		}
		for _, reservation := range class.Status.CapacityReservations {
			if reservation.AvailabilityZone == zone {
				p.FailReservation(reservation.ID)
			}
		}
	}
	p.OfferingsChange()
	nodes := some(p.store, func(node *corev1.Node) bool { return node.Labels[corev1.LabelTopologyZone] == zone })
	slices.SortFunc(nodes, func(a, b *corev1.Node) int { return p.numbers[a.Name] - p.numbers[b.Name] })
	for nth, node := range nodes {
		if err := p.silence(node.Name, time.Duration(nth)*betweenNodes); err != nil {
			return err
		}
		p.takenDue[node.Name] = now.Add(missed + tolerated)
	}
	return nil
}

// silence makes a node unreachable: none of its pods is ready, and terminating pods do not end.
func (p *player) silence(name string, later time.Duration) error {
	node := &corev1.Node{}
	if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, node); err != nil {
		return err
	}
	now := p.cluster.clock.Now()
	node.Status.Conditions = append(lo.Reject(node.Status.Conditions, func(c corev1.NodeCondition, _ int) bool { return c.Type == corev1.NodeReady }), corev1.NodeCondition{
		Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown", LastTransitionTime: metav1.NewTime(now),
	})
	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule})
	p.silent[name] = true
	p.put(node)
	for _, pod := range some(p.store, func(pod *corev1.Pod) bool { return pod.Spec.NodeName == name && !isOver(pod) }) {
		delete(p.due, pod.UID)
		setReady(pod, false, now)
		p.put(pod)
		if after := toleration(pod); pod.DeletionTimestamp == nil && after < math.MaxInt64 {
			p.lostDue[pod.UID] = now.Add(missed + later + after)
		}
	}
	return nil
}

// lose evicts pods whose nodes have been unreachable for long enough (pkg/controller/tainteviction).
func (p *player) lose() {
	now := p.cluster.clock.Now()
	for _, pod := range some(p.store, func(pod *corev1.Pod) bool {
		at, known := p.lostDue[pod.UID]
		return known && !at.After(now)
	}) {
		delete(p.lostDue, pod.UID)
		if pod.DeletionTimestamp == nil {
			p.begin(pod, *pod.Spec.TerminationGracePeriodSeconds)
		}
	}
}

// toleration is how long a pod stays on an unreachable node.
func toleration(pod *corev1.Pod) time.Duration {
	if kind := kindOfOwner(pod); kind == "DaemonSet" || kind == "Node" {
		return math.MaxInt64
	}
	taint := corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}
	for _, each := range pod.Spec.Tolerations {
		if each.ToleratesTaint(klog.Background(), &taint, false) {
			if each.TolerationSeconds == nil {
				return math.MaxInt64
			}
			return time.Duration(*each.TolerationSeconds) * time.Second
		}
	}
	return tolerated
}
