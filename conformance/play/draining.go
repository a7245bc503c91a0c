package main

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// finalize lets Karpenter finalize the deleted NodeClaims.
func (p *player) finalize() error {
	for _, claim := range some(p.store, func(claim *karpv1.NodeClaim) bool { return claim.DeletionTimestamp != nil }) {
		if _, err := p.claims.Reconcile(p.ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// drain lets the termination controller reconcile the deleted nodes.
func (p *player) drain() error {
	now := p.cluster.clock.Now()
	isDue := func(node *corev1.Node) bool {
		at, known := p.nodesDue[node.Name]
		return node.DeletionTimestamp != nil && !(known && at.After(now))
	}
	for _, node := range some(p.store, isDue) {
		result, err := p.nodes.Reconcile(p.ctx, node)
		if err != nil {
			return err
		}
		if result.RequeueAfter > 0 {
			p.nodesDue[node.Name] = now.Add(result.RequeueAfter)
		} else if p.Kube.Get(p.ctx, keyOf(node), &corev1.Node{}) == nil {
			return errors.New("the controller of nodes does not look again")
		} else {
			delete(p.nodesDue, node.Name)
			p.tell(node.Name + " is gone")
		}
	}
	for _, pod := range all[*corev1.Pod](p.store) {
		if _, known := p.evictionsDue[pod.UID]; !known && p.evictions.Has(pod) {
			p.evictionsDue[pod.UID] = now
		}
	}
	return nil
}

// evict lets the queue handle the pods that are due.
func (p *player) evict() error {
	now := p.cluster.clock.Now()
	pods := some(p.store, func(pod *corev1.Pod) bool {
		at, known := p.evictionsDue[pod.UID]
		return known && !at.After(now)
	})
	// If several pods are due at the same time, Karpenter takes any first; here they are taken node by node, in order of
	// arrival.
	slices.SortFunc(pods, func(a, b *corev1.Pod) int {
		return cmp.Or(p.numbers[a.Spec.NodeName]-p.numbers[b.Spec.NodeName], p.podNumbers[a.UID]-p.podNumbers[b.UID])
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
