package main

import (
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// provision binds pending pods to ready nodes, and lets the provisioner launch nodes for the rest.
func (p *simulator) provision() error {
	if p.seenChanges != p.changes {
		if err := p.bindPending(); err != nil {
			return err
		}
	}
	p.triggerForPods()
	if p.hasPendingWork() && (p.isTriggered || p.cluster.clock.Now().Sub(p.provisionedAt) >= retriggerInterval) {
		if err := p.runProvisioner(); err != nil {
			return err
		}
	}
	p.seenChanges = p.changes
	return nil
}

// triggerForPods triggers the provisioner for pods without a node, as the pod controller does.
func (p *simulator) triggerForPods() {
	p.isTriggered = p.isTriggered || lo.SomeBy(listAll[*corev1.Pod](p.store), func(pod *corev1.Pod) bool {
		return pod.Spec.NodeName == "" && lo.Contains(p.unboundPods, pod.UID)
	})
	p.unboundPods = nil
}

// runProvisioner is one pass of the provisioner, without its batch window.
func (p *simulator) runProvisioner() error {
	p.isTriggered = false
	p.provisionedAt = p.cluster.clock.Now()
	results, err := p.Provisioner.Schedule(p.ctx)
	if err != nil {
		return err
	}
	for _, claim := range oracle.SortByCreation(results.NewNodeClaims) {
		if _, err := p.Provisioner.Create(p.ctx, claim); err != nil {
			return err
		}
	}
	return p.launchAll(p.ctx)
}

// provisionStatic lets Karpenter launch the missing nodes of static pools.
func (p *simulator) provisionStatic() error {
	now := p.cluster.clock.Now()
	if p.staticDue.After(now) || !options.FromContext(p.ctx).FeatureGates.StaticCapacity {
		return nil
	}
	p.staticDue = now.Add(time.Minute)
	for _, pool := range copiesOf(p.store, func(pool *karpv1.NodePool) bool { return pool.Spec.Replicas != nil }) {
		result, err := p.static.Reconcile(p.ctx, pool)
		if err != nil {
			return err
		}
		if next := now.Add(result.RequeueAfter); result.RequeueAfter > 0 && next.Before(p.staticDue) {
			p.staticDue = next
		}
	}
	return p.launchAll(p.ctx)
}

func (p *simulator) hasPendingWork() bool {
	return lo.SomeBy(listAll[*corev1.Pod](p.store), func(pod *corev1.Pod) bool { return pod.Spec.NodeName == "" }) ||
		lo.SomeBy(listAll[*corev1.Node](p.store), isDisrupted)
}

// bindPending binds pending pods. Kubernetes may choose any suitable node; here it is the first one that Karpenter
// would try.
func (p *simulator) bindPending() error {
	pending, err := p.Provisioner.GetPendingPods(p.ctx)
	if err != nil || len(pending) == 0 {
		return err
	}
	oracle.SortByAge(pending)
	scheduler, err := p.Provisioner.NewScheduler(p.ctx, pending, p.Cluster.DeepCopyNodes().Active(), nil, oracle.SchedulerOptions(p.ctx, p.Settings)...)
	if err != nil {
		return err
	}
	results, err := scheduler.Solve(p.ctx, pending)
	if err != nil {
		return err
	}
	for _, node := range results.ExistingNodes {
		if !node.Initialized() {
			continue
		}
		for _, pod := range node.Pods {
			if err := p.bind(keyOf(pod), node.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
