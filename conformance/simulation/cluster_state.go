package main

import (
	"context"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// fillBudgetStatus updates the status of a PodDisruptionBudget.
func (c *cluster) fillBudgetStatus(o client.Object) {
	pdb, ok := o.(*policyv1.PodDisruptionBudget)
	if !ok {
		return
	}
	if tracked, found := lo.Find(c.budgets, func(candidate *budget) bool { return keyOf(candidate) == keyOf(pdb) }); found {
		pdb.Status.DisruptionsAllowed = int32(tracked.allowed(listAll[*corev1.Pod](c.store)))
	}
}

// updateState updates Karpenter's cluster state as its informers do.
func (c *cluster) updateState(ctx context.Context, before, after client.Object) {
	switch o := lo.CoalesceOrEmpty(after, before).(type) {
	case *karpv1.NodeClaim:
		if startsDeletion(before, after) && o.Status.ProviderID != "" {
			c.staticDue = c.clock.Now()
		}
		if after == nil {
			c.Cluster.DeleteNodeClaim(o.Name)
			_ = c.costs.DeleteNodeClaim(ctx, keyOf(o))
			return
		}
		c.Cluster.UpdateNodeClaim(o.DeepCopy())
		_ = c.costs.UpdateNodeClaim(ctx, o.DeepCopy())
		c.heartbeat(ctx, o.Status.NodeName)
	case *corev1.Node:
		if after == nil {
			c.Cluster.DeleteNode(o.Name)
			return
		}
		lo.Must0(c.Cluster.UpdateNode(ctx, o.DeepCopy()))
		c.isTriggered = c.isTriggered || isDisrupted(o)
	case *corev1.Pod:
		if after == nil {
			c.Cluster.DeletePod(keyOf(o))
			return
		}
		// An informer retries later if the state does not know the node yet.
		_ = c.Cluster.UpdatePod(ctx, o.DeepCopy())
		if o.Spec.NodeName == "" {
			c.unboundPods = append(c.unboundPods, o.UID)
		}
		if before == nil {
			c.podNumbers[o.UID] = len(c.podNumbers)
		}
		if isPodEvent(before, o) {
			c.podEvents = append(c.podEvents, o)
		}
	}
}

// heartbeat is the update of a node that its kubelet sends every few minutes, here immediately. After an update of a
// NodeClaim Karpenter forgets the disruption cost of its pods until the next update of the node.
func (c *cluster) heartbeat(ctx context.Context, name string) {
	node := &corev1.Node{}
	if c.Kube.Get(ctx, client.ObjectKey{Name: name}, node) == nil {
		lo.Must0(c.Cluster.UpdateNode(ctx, node))
	}
}

// startsDeletion is whether an object is being deleted or is deleted.
func startsDeletion(before, after client.Object) bool {
	return before != nil && (after == nil || (before.GetDeletionTimestamp() == nil && after.GetDeletionTimestamp() != nil))
}

func isDisrupted(node *corev1.Node) bool {
	return lo.SomeBy(node.Spec.Taints, func(taint corev1.Taint) bool { return taint.MatchTaint(&karpv1.DisruptedNoScheduleTaint) })
}

// isPodEvent follows the filter of the pod events controller, which is not exported.
func isPodEvent(before client.Object, after *corev1.Pod) bool {
	previous, _ := before.(*corev1.Pod)
	if after.Spec.NodeName == "" || previous == nil {
		return after.Spec.NodeName != ""
	}
	return previous.Spec.NodeName == "" || (isTerminal(after) && !isTerminal(previous)) || (after.DeletionTimestamp != nil && previous.DeletionTimestamp == nil)
}
