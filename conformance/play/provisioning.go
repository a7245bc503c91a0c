package main

import (
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// provision binds pending pods to ready nodes, and lets the provisioner launch nodes for the rest.
func (p *player) provision() error {
	if p.seen != p.changes {
		if err := p.bindWaiting(); err != nil {
			return err
		}
	}
	p.wake()
	if p.isAnyWaiting() && (p.isTriggered || p.cluster.clock.Now().Sub(p.provisioned) >= retrigger) {
		if err := p.look(); err != nil {
			return err
		}
	}
	p.seen = p.changes
	return nil
}

// wake triggers the provisioner for pods without a node, as the pod controller does.
func (p *player) wake() {
	p.isTriggered = p.isTriggered || lo.SomeBy(all[*corev1.Pod](p.store), func(pod *corev1.Pod) bool {
		return pod.Spec.NodeName == "" && lo.Contains(p.waking, pod.UID)
	})
	p.waking = nil
}

// look is one pass of the provisioner, without its batch window.
func (p *player) look() error {
	p.isTriggered = false
	p.provisioned = p.cluster.clock.Now()
	results, err := p.Provisioner.Schedule(p.ctx)
	if err != nil {
		return err
	}
	for _, claim := range world.InOrderOfOpening(results.NewNodeClaims) {
		if _, err := p.Provisioner.Create(p.ctx, claim); err != nil {
			return err
		}
	}
	return p.launchAll(p.ctx)
}

// fill lets Karpenter launch the missing nodes of static pools.
func (p *player) fill() error {
	now := p.cluster.clock.Now()
	if p.staticDue.After(now) || !options.FromContext(p.ctx).FeatureGates.StaticCapacity {
		return nil
	}
	p.staticDue = now.Add(time.Minute)
	for _, pool := range some(p.store, func(pool *karpv1.NodePool) bool { return pool.Spec.Replicas != nil }) {
		result, err := p.static.Reconcile(p.ctx, pool)
		if err != nil {
			return err
		}
		if at := now.Add(result.RequeueAfter); result.RequeueAfter > 0 && at.Before(p.staticDue) {
			p.staticDue = at
		}
	}
	return p.launchAll(p.ctx)
}

func (p *player) isAnyWaiting() bool {
	return lo.SomeBy(all[*corev1.Pod](p.store), func(pod *corev1.Pod) bool { return pod.Spec.NodeName == "" }) ||
		lo.SomeBy(all[*corev1.Node](p.store), isDisrupted)
}

// bindWaiting binds pending pods. Kubernetes may choose any suitable node; here it is the first one that Karpenter
// would try.
func (p *player) bindWaiting() error {
	pending, err := p.Provisioner.GetPendingPods(p.ctx)
	if err != nil || len(pending) == 0 {
		return err
	}
	world.InOrderOfAge(pending)
	scheduler, err := p.Provisioner.NewScheduler(p.ctx, pending, p.Cluster.DeepCopyNodes().Active(), nil, world.OptionsOf(p.ctx, p.Settings)...)
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
