package oracle

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// ApplyResults applies the results of the scheduler: it binds pods to ready nodes, and launches claims one after the
// other, with the names that `check` gives them, or those of the draw. Their nodes are not ready before the next pass.
// It returns whether any pod was bound or any claim launched.
func (p *SimulatedCluster) ApplyResults(ctx context.Context, results scheduling.Results) (bool, error) {
	isAny := false
	for _, node := range results.ExistingNodes {
		if !node.Initialized() {
			continue
		}
		for _, pod := range node.Pods {
			if provisioning.IsVirtualPod(pod) {
				continue
			}
			if err := p.bind(ctx, client.ObjectKeyFromObject(pod), node.Name()); err != nil {
				return false, err
			}
			isAny = true
		}
	}
	for _, node := range SortByCreation(results.NewNodeClaims) {
		pool := &karpv1.NodePool{}
		if err := p.Kube.Get(ctx, keyOf(node.NodePoolName), pool); err != nil {
			return false, err
		}
		claim := node.ToNodeClaim()
		if err := (&namingClient{Client: p.Kube, draw: p.draw}).Create(ctx, claim); err != nil {
			return false, err
		}
		_, launched, err := p.Launch(ctx, claim, pool)
		if err != nil {
			return false, err
		}
		isAny = isAny || launched != nil
	}
	return isAny, nil
}

// SortByCreation sorts claims by the number that the scheduler gives them when it creates them; later it sorts them by
// their pods.
func SortByCreation(claims []*scheduling.NodeClaim) []*scheduling.NodeClaim {
	number := func(claim *scheduling.NodeClaim) string {
		return reflect.ValueOf(claim).Elem().FieldByName("hostname").String()
	}
	claims = slices.Clone(claims)
	slices.SortStableFunc(claims, func(a, b *scheduling.NodeClaim) int {
		return cmp.Or(cmp.Compare(len(number(a)), len(number(b))), strings.Compare(number(a), number(b)))
	})
	return claims
}

// bind binds a pod to a node as the Kubernetes scheduler does.
func (p *SimulatedCluster) bind(ctx context.Context, key client.ObjectKey, node string) error {
	pod := &corev1.Pod{}
	if err := p.Kube.Get(ctx, key, pod); err != nil {
		return err
	}
	pod.Spec.NodeName = node
	pod.Status.Conditions = nil
	if err := p.Kube.Update(ctx, pod); err != nil {
		return err
	}
	return p.Cluster.UpdatePod(ctx, pod)
}
