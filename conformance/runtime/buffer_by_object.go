//go:build bufferbyobject

package main

import (
	"context"

	"sigs.k8s.io/karpenter/pkg/controllers/capacitybuffer"
)

// reconcileBuffer calls the controller of 1.14.
func reconcileBuffer(ctx context.Context, cluster *clusterWithEverything) error {
	_, err := capacitybuffer.NewController(cluster, provisioner{}).Reconcile(ctx, cluster.buffer.DeepCopy())
	return err
}
