package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/awslabs/operatorpkg/status"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	classhash "github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass/hash"
	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	poolhash "sigs.k8s.io/karpenter/pkg/controllers/nodepool/hash"
	"sigs.k8s.io/karpenter/pkg/state/cost"
)

// cluster is the cluster that Karpenter's controllers see, with imitated EC2 and kubelets.
type cluster struct {
	*world.Problem
	*kubernetes
	clock *clocktesting.FakeClock
	// ticking is the clock of code that compares the order of events.
	ticking *ticking
	costs   *cost.ClusterCost
	// up is when launched nodes become ready, by NodeClaim.
	up map[string]time.Time
	// numbers are those of nodes and pods, in order of creation.
	numbers    map[string]int
	podNumbers map[podID]int
	// podEvents are pods that were bound to a node, or started to terminate on one.
	podEvents []*corev1.Pod
	events    []event
	// isTriggered is whether the provisioner has been triggered.
	isTriggered bool
	// waking are pods that trigger the provisioner if Kubernetes finds no node for them.
	waking []podID
	// terminated are NodeClaims with terminated instances.
	terminated map[string]bool
	// staticDue is when Karpenter next checks the node counts of static pools.
	staticDue time.Time
	// made are NodeClaims that are not launched yet.
	made   []*karpv1.NodeClaim
	making sync.Mutex
}

func newCluster(ctx context.Context, w *world.World, s scenario) (*cluster, error) {
	clk := clocktesting.NewFakeClock(s.Now)
	c := &cluster{clock: clk, ticking: &ticking{FakeClock: clk}, up: map[string]time.Time{}, numbers: map[string]int{}, podNumbers: map[podID]int{}, terminated: map[string]bool{}, staticDue: s.Now}
	w.Hold = func(objects []client.Object) client.Client {
		c.kubernetes = &kubernetes{store: newStore(held(objects), clk), scenario: s, clock: clk, due: map[podID]time.Time{}, silent: map[string]bool{}, lostDue: map[podID]time.Time{}, stories: map[string]*story{}}
		return c.kubernetes.store
	}
	defer func() { w.Hold = nil }()
	var err error
	if c.Problem, err = w.NewProblem(ctx, s.Given, c.ticking); err != nil {
		return nil, err
	}
	c.costs = cost.NewClusterCost(ctx, c.Cloud, c.Kube)
	if err := c.hash(ctx); err != nil {
		return nil, err
	}
	for _, object := range c.All {
		switch o := object.(type) {
		case *corev1.Node:
			c.numbers[o.Name] = len(c.numbers)
		case *corev1.Pod:
			c.podNumbers[o.UID] = len(c.podNumbers)
		}
	}
	pods := all[*corev1.Pod](c.store)
	for _, each := range all[*policyv1.PodDisruptionBudget](c.store) {
		c.budgets = append(c.budgets, newBudget(each, pods))
	}
	for _, pod := range pods {
		// Terminating pods of StatefulSets are recreated later.
		comesAgain := pod.DeletionTimestamp == nil || kindOfOwner(pod) == "StatefulSet"
		if name := workloadOf(pod); name != "" && !isOver(pod) && comesAgain && c.stories[name] == nil {
			c.stories[name] = &story{LowestReady: len(pods)}
		}
		if pod.DeletionTimestamp != nil {
			c.due[pod.UID] = c.endOf(pod)
		}
	}
	for _, claim := range all[*karpv1.NodeClaim](c.store) {
		_ = c.costs.UpdateNodeClaim(ctx, claim)
	}
	c.store.end, c.store.allows, c.shown = c.begin, c.kubernetes.allows, c.showBudget
	c.told = func(before, after client.Object) { c.inform(ctx, before, after) }
	c.created = c.make
	return c, nil
}

// held completes nodes and NodeClaims with Karpenter's fields, and pods with those of the API server.
func held(objects []client.Object) []client.Object {
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

// hash lets Karpenter write its hash of static fields on pools and classes.
func (c *cluster) hash(ctx context.Context) error {
	for _, pool := range some(c.store, everyOne[*karpv1.NodePool]) {
		if _, err := poolhash.NewController(c.Kube, c.Cloud).Reconcile(ctx, pool); err != nil {
			return err
		}
	}
	for _, class := range some(c.store, everyOne[*v1.EC2NodeClass]) {
		if _, err := classhash.NewController(c.Kube, &world.Certificate).Reconcile(ctx, class); err != nil {
			return err
		}
	}
	return nil
}

// showBudget updates the status of a PodDisruptionBudget.
func (c *cluster) showBudget(o client.Object) {
	shown, ok := o.(*policyv1.PodDisruptionBudget)
	if !ok {
		return
	}
	if one, found := lo.Find(c.budgets, func(each *budget) bool { return keyOf(each) == keyOf(shown) }); found {
		shown.Status.DisruptionsAllowed = int32(one.allowed(all[*corev1.Pod](c.store)))
	}
}

// inform updates Karpenter's cluster state as its informers do.
func (c *cluster) inform(ctx context.Context, before, after client.Object) {
	switch o := lo.CoalesceOrEmpty(after, before).(type) {
	case *karpv1.NodeClaim:
		if isLeaving(before, after) && o.Status.ProviderID != "" {
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
			c.waking = append(c.waking, o.UID)
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

// isLeaving is whether an object is being deleted or is deleted.
func isLeaving(before, after client.Object) bool {
	return before != nil && (after == nil || (before.GetDeletionTimestamp() == nil && after.GetDeletionTimestamp() != nil))
}

func isDisrupted(node *corev1.Node) bool {
	return lo.SomeBy(node.Spec.Taints, func(taint corev1.Taint) bool { return taint.MatchTaint(&karpv1.DisruptedNoScheduleTaint) })
}

// isPodEvent follows the filter of the pod events controller, which is not exported.
func isPodEvent(before client.Object, after *corev1.Pod) bool {
	was, _ := before.(*corev1.Pod)
	if after.Spec.NodeName == "" || was == nil {
		return after.Spec.NodeName != ""
	}
	return was.Spec.NodeName == "" || (isOver(after) && !isOver(was)) || (after.DeletionTimestamp != nil && was.DeletionTimestamp == nil)
}

func (c *cluster) make(claim *karpv1.NodeClaim) {
	c.making.Lock()
	defer c.making.Unlock()
	c.made = append(c.made, claim.DeepCopy())
}

// launchAll launches the new NodeClaims; Karpenter waits for the results before any other step.
func (c *cluster) launchAll(ctx context.Context) error {
	made := c.made
	c.made = nil
	for _, claim := range made {
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
	c.up[launched.Name] = c.after(c.NodeStart)
	labels := launched.Labels
	c.tell(fmt.Sprintf("%s is launched (%s, %s, %s)", launched.Name, labels[corev1.LabelInstanceTypeStable], labels[karpv1.CapacityTypeLabelKey], labels[corev1.LabelTopologyZone]))
	return nil
}

// comeUp adds the nodes whose start time is over to the cluster.
func (c *cluster) comeUp() {
	isDue := func(claim *karpv1.NodeClaim) bool {
		at, known := c.up[claim.Name]
		return known && !at.After(c.clock.Now())
	}
	for _, claim := range some(c.store, isDue) {
		delete(c.up, claim.Name)
		if claim.DeletionTimestamp != nil {
			continue
		}
		now := metav1.NewTime(c.clock.Now())
		for _, each := range []string{karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized} {
			claim.StatusConditions(status.WithClock(c.clock)).SetTrue(each)
		}
		c.numbers[claim.Name] = len(c.numbers)
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
		c.joined(node)
	}
}

// terminate ends an instance in EC2; the pods of its node are deleted, too.
func (c *cluster) terminate(claim *karpv1.NodeClaim) error {
	if !c.terminated[claim.Name] {
		c.terminated[claim.Name] = true
		c.Terminated(claim)
	}
	if claim.Status.NodeName != "" && claim.DeletionTimestamp != nil {
		c.kill(claim.Status.NodeName)
	}
	return cloudprovider.NewNodeClaimNotFoundError(fmt.Errorf("the instance is gone"))
}

func (c *cluster) tell(what string) {
	c.events = append(c.events, event{Second: c.clock.Now().Sub(c.Now).Seconds(), What: what})
}
