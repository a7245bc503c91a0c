package main

import (
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// provision binds pods that wait to nodes that are up, and has the provisioner launch nodes for the others.
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

// wake is what the controller of pods does with those that Kubernetes has found no node for.
func (p *player) wake() {
	p.isTriggered = p.isTriggered || lo.SomeBy(all[*corev1.Pod](p.store), func(pod *corev1.Pod) bool {
		return pod.Spec.NodeName == "" && lo.Contains(p.waking, pod.UID)
	})
	p.waking = nil
}

// look is one of the provisioner's, which waits for no batch to be whole.
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

// fill has Karpenter launch what static pools lack.
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

// bindWaiting: Kubernetes may choose any of several nodes that would do; the first that Karpenter would try stands for it.
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
