package main

import (
	"context"
	"sync"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	classhash "github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass/hash"
	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	poolhash "sigs.k8s.io/karpenter/pkg/controllers/nodepool/hash"
	"sigs.k8s.io/karpenter/pkg/state/cost"
)

// cluster is the cluster that Karpenter's controllers see, with imitated EC2 and kubelets.
type cluster struct {
	*oracle.SimulatedCluster
	*kubernetes
	clock *clocktesting.FakeClock
	// ticking is the clock of code that compares the order of events.
	ticking *tickingClock
	costs   *cost.ClusterCost
	// readyAt is when launched nodes become ready, by NodeClaim.
	readyAt map[string]time.Time
	// nodeNumbers are those of nodes and pods, in order of creation.
	nodeNumbers map[string]int
	podNumbers  map[podID]int
	// podEvents are pods that were bound to a node, or started to terminate on one.
	podEvents []*corev1.Pod
	events    []event
	// isTriggered is whether the provisioner has been triggered.
	isTriggered bool
	// unboundPods are pods that trigger the provisioner if Kubernetes finds no node for them.
	unboundPods []podID
	// terminated are NodeClaims with terminated instances.
	terminated map[string]bool
	// staticDue is when Karpenter next checks the node counts of static pools.
	staticDue time.Time
	// pendingLaunches are NodeClaims that are not launched yet.
	pendingLaunches []*karpv1.NodeClaim
	launchMutex     sync.Mutex
}

func newCluster(ctx context.Context, env *oracle.Environment, s scenario) (*cluster, error) {
	clk := clocktesting.NewFakeClock(s.Now)
	c := &cluster{clock: clk, ticking: &tickingClock{FakeClock: clk}, readyAt: map[string]time.Time{}, nodeNumbers: map[string]int{}, podNumbers: map[podID]int{}, terminated: map[string]bool{}, staticDue: s.Now}
	env.ClientFor = func(objects []client.Object) client.Client {
		c.kubernetes = &kubernetes{store: newStore(withDefaults(objects), clk), scenario: s, clock: clk, due: map[podID]time.Time{}, unreachable: map[string]bool{}, taintEvictionsDue: map[podID]time.Time{}, workloads: map[string]*workloadStats{}}
		return c.kubernetes.store
	}
	defer func() { env.ClientFor = nil }()
	var err error
	if c.SimulatedCluster, err = env.NewCluster(ctx, s.ScenarioInput, c.ticking); err != nil {
		return nil, err
	}
	c.costs = cost.NewClusterCost(ctx, c.Cloud, c.Kube)
	if err := c.writeHashes(ctx); err != nil {
		return nil, err
	}
	for _, object := range c.Objects {
		switch o := object.(type) {
		case *corev1.Node:
			c.nodeNumbers[o.Name] = len(c.nodeNumbers)
		case *corev1.Pod:
			c.podNumbers[o.UID] = len(c.podNumbers)
		}
	}
	pods := listAll[*corev1.Pod](c.store)
	for _, pdb := range listAll[*policyv1.PodDisruptionBudget](c.store) {
		c.budgets = append(c.budgets, newBudget(pdb, pods))
	}
	for _, pod := range pods {
		// Terminating pods of StatefulSets are recreated later.
		isRecreated := pod.DeletionTimestamp == nil || kindOfOwner(pod) == "StatefulSet"
		if name := workloadOf(pod); name != "" && !isTerminal(pod) && isRecreated && c.workloads[name] == nil {
			c.workloads[name] = &workloadStats{LowestReady: len(pods)}
		}
		if pod.DeletionTimestamp != nil {
			c.due[pod.UID] = c.terminationEnd(pod)
		}
	}
	for _, claim := range listAll[*karpv1.NodeClaim](c.store) {
		_ = c.costs.UpdateNodeClaim(ctx, claim)
	}
	c.store.terminatePod, c.store.checkEviction, c.completeRead = c.startTermination, c.kubernetes.checkEviction, c.fillBudgetStatus
	c.onChange = func(before, after client.Object) { c.updateState(ctx, before, after) }
	c.onNodeClaimCreated = c.queueLaunch
	return c, nil
}

// withDefaults completes nodes and NodeClaims with Karpenter's fields, and pods with those of the API server.
func withDefaults(objects []client.Object) []client.Object {
	for _, object := range objects {
		switch o := object.(type) {
		case *corev1.Pod:
			if o.Spec.TerminationGracePeriodSeconds == nil {
				o.Spec.TerminationGracePeriodSeconds = lo.ToPtr(int64(corev1.DefaultTerminationGracePeriodSeconds))
			}
		case *karpv1.NodeClaim:
			o.Finalizers = lo.Uniq(append(o.Finalizers, karpv1.TerminationFinalizer))
		case *corev1.Node:
			if _, ok := o.Labels[karpv1.NodePoolLabelKey]; ok {
				o.Finalizers = lo.Uniq(append(o.Finalizers, karpv1.TerminationFinalizer))
			}
		}
	}
	return objects
}

// writeHashes lets Karpenter write its hash of static fields on pools and classes.
func (c *cluster) writeHashes(ctx context.Context) error {
	for _, pool := range copiesOf(c.store, always[*karpv1.NodePool]) {
		if _, err := poolhash.NewController(c.Kube, c.Cloud).Reconcile(ctx, pool); err != nil {
			return err
		}
	}
	for _, class := range copiesOf(c.store, always[*v1.EC2NodeClass]) {
		if _, err := classhash.NewController(c.Kube, &oracle.Certificate).Reconcile(ctx, class); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) recordEvent(text string) {
	c.events = append(c.events, event{Second: c.clock.Now().Sub(c.Now).Seconds(), What: text})
}
