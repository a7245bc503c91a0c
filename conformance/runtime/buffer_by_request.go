//go:build bufferbyrequest

package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/karpenter/pkg/controllers/capacitybuffer"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
)

// reconcileBuffer calls the controller of 1.15 and later.
func reconcileBuffer(ctx context.Context, cluster *clusterWithEverything) error {
	controller := capacitybuffer.NewController(cluster, provisioner{}, virtualpods.NewVirtualPodCache(cluster))
	_, err := controller.Reconcile(ctx, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(cluster.buffer)})
	return err
}
