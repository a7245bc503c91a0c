package main

import (
	"context"
	"errors"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// recordBufferPods runs the provisioner, and records which nodes have room for pods of capacity buffers, as
// Provisioner.Reconcile does. Nothing is launched, and no node is nominated: the scenario says which nodes are
// nominated.
func (p *pass) recordBufferPods(ctx context.Context, s oracle.Settings) error {
	if !options.FromContext(ctx).FeatureGates.CapacityBuffer {
		return nil
	}
	pass, err := p.Provision(ctx, s, p.clock)
	if err != nil || len(pass.Pods()) == 0 {
		return err
	}
	scheduler, err := pass.Scheduler(ctx)
	if errors.Is(err, provisioning.ErrNodePoolsNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	solved, err := scheduler.Solve(ctx, pass.Pods())
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, node := range solved.ExistingNodes {
		if count := lo.CountBy(node.Pods, provisioning.IsVirtualPod); count > 0 {
			counts[node.ProviderID()] = count
		}
	}
	p.Cluster.UpdateBufferPodCounts(counts)
	return nil
}
