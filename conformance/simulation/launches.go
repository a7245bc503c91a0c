package main

import (
	"context"
	"fmt"

	"github.com/awslabs/operatorpkg/status"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
)

func (c *cluster) queueLaunch(claim *karpv1.NodeClaim) {
	c.launchMutex.Lock()
	defer c.launchMutex.Unlock()
	c.pendingLaunches = append(c.pendingLaunches, claim.DeepCopy())
}

// launchAll launches the new NodeClaims; Karpenter waits for the results before any other step.
func (c *cluster) launchAll(ctx context.Context) error {
	claims := c.pendingLaunches
	c.pendingLaunches = nil
	for _, claim := range claims {
		if err := c.launch(ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// launch does the same as the AWS provider; EC2 takes the cheapest type.
func (c *cluster) launch(ctx context.Context, claim *karpv1.NodeClaim) error {
	pool := &karpv1.NodePool{}
	if err := c.Kube.Get(ctx, client.ObjectKey{Name: claim.Labels[karpv1.NodePoolLabelKey]}, pool); err != nil {
		return err
	}
	claim.Finalizers = append(claim.Finalizers, karpv1.TerminationFinalizer)
	_, launched, err := c.Launch(ctx, claim, pool)
	if err != nil || launched == nil {
		return err
	}
	launched.StatusConditions(status.WithClock(c.clock)).SetTrue(karpv1.ConditionTypeLaunched)
	c.put(launched)
	c.readyAt[launched.Name] = c.after(c.NodeStart)
	labels := launched.Labels
	c.recordEvent(fmt.Sprintf("%s is launched (%s, %s, %s)", launched.Name, labels[corev1.LabelInstanceTypeStable], labels[karpv1.CapacityTypeLabelKey], labels[corev1.LabelTopologyZone]))
	return nil
}

// registerNodes adds the nodes whose start time is over to the cluster.
func (c *cluster) registerNodes() {
	isDue := func(claim *karpv1.NodeClaim) bool {
		readyAt, known := c.readyAt[claim.Name]
		return known && !readyAt.After(c.clock.Now())
	}
	for _, claim := range copiesOf(c.store, isDue) {
		delete(c.readyAt, claim.Name)
		if claim.DeletionTimestamp != nil {
			continue
		}
		now := metav1.NewTime(c.clock.Now())
		for _, condition := range []string{karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized} {
			claim.StatusConditions(status.WithClock(c.clock)).SetTrue(condition)
		}
		c.nodeNumbers[claim.Name] = len(c.nodeNumbers)
		claim.Status.NodeName = claim.Name
		c.put(claim)
		node := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{
				Name: claim.Name, CreationTimestamp: now, Finalizers: []string{karpv1.TerminationFinalizer}, Annotations: claim.Annotations,
				Labels: lo.Assign(claim.Labels, map[string]string{
					karpv1.NodeRegisteredLabelKey: "true", karpv1.NodeInitializedLabelKey: "true", corev1.LabelHostname: claim.Name,
				}),
			},
			Spec: corev1.NodeSpec{ProviderID: claim.Status.ProviderID, Taints: claim.Spec.Taints},
			Status: corev1.NodeStatus{
				Capacity: claim.Status.Capacity, Allocatable: claim.Status.Allocatable,
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: now}},
			},
		}
		c.put(node)
		c.createDaemonPods(node)
	}
}

// terminateInstance ends an instance in EC2; the pods of its node are deleted, too.
func (c *cluster) terminateInstance(claim *karpv1.NodeClaim) error {
	if !c.terminated[claim.Name] {
		c.terminated[claim.Name] = true
		c.ReleaseReservation(claim)
	}
	if claim.Status.NodeName != "" && claim.DeletionTimestamp != nil {
		c.deletePodsOf(claim.Status.NodeName)
	}
	return cloudprovider.NewNodeClaimNotFoundError(fmt.Errorf("the instance is gone"))
}
