package main

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// finalizeNodeClaims lets Karpenter finalize the deleted NodeClaims.
func (p *simulator) finalizeNodeClaims() error {
	for _, claim := range copiesOf(p.store, func(claim *karpv1.NodeClaim) bool { return claim.DeletionTimestamp != nil }) {
		if _, err := p.claims.Reconcile(p.ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// reconcileTermination lets the termination controller reconcile the deleted nodes.
func (p *simulator) reconcileTermination() error {
	now := p.cluster.clock.Now()
	isDue := func(node *corev1.Node) bool {
		due, known := p.nodesDue[node.Name]
		return node.DeletionTimestamp != nil && !(known && due.After(now))
	}
	for _, node := range copiesOf(p.store, isDue) {
		result, err := p.nodes.Reconcile(p.ctx, node)
		if err != nil {
			return err
		}
		if result.RequeueAfter > 0 {
			p.nodesDue[node.Name] = now.Add(result.RequeueAfter)
		} else if p.Kube.Get(p.ctx, keyOf(node), &corev1.Node{}) == nil {
			return errors.New("the controller of nodes does not requeue")
		} else {
			delete(p.nodesDue, node.Name)
			p.recordEvent(node.Name + " is terminated")
		}
	}
	for _, pod := range listAll[*corev1.Pod](p.store) {
		if _, known := p.evictionsDue[pod.UID]; !known && p.evictions.Has(pod) {
			p.evictionsDue[pod.UID] = now
		}
	}
	return nil
}

// reconcileEvictions lets the queue handle the pods that are due.
func (p *simulator) reconcileEvictions() error {
	now := p.cluster.clock.Now()
	pods := copiesOf(p.store, func(pod *corev1.Pod) bool {
		due, known := p.evictionsDue[pod.UID]
		return known && !due.After(now)
	})
	// If several pods are due at the same time, Karpenter takes any first; here they are taken node by node, in order
	// of arrival.
	slices.SortFunc(pods, func(a, b *corev1.Pod) int {
		return cmp.Or(p.nodeNumbers[a.Spec.NodeName]-p.nodeNumbers[b.Spec.NodeName], p.podNumbers[a.UID]-p.podNumbers[b.UID])
	})
	for _, pod := range pods {
		delete(p.evictionsDue, pod.UID)
		result, err := p.evictions.Reconcile(p.ctx, pod)
		if err == nil && !result.Requeue { //nolint:staticcheck // the queue returns Requeue
			p.delays.Forget(pod.UID)
			continue
		}
		p.evictionsDue[pod.UID] = now.Add(p.delays.When(pod.UID))
	}
	return nil
}
