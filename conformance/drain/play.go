package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/awslabs/operatorpkg/status"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination/terminator"
	"sigs.k8s.io/karpenter/pkg/events"
)

// The rate limits with which Karpenter registers the eviction queue.
const (
	firstDelay = 100 * time.Millisecond
	mostDelay  = 10 * time.Second
)

// drain is the state of the two controllers.
type drain struct {
	scenario
	clock *clocktesting.FakeClock
	api   *api
	queue *terminator.Queue
	node  *termination.Controller
	cloud *cloud
	// delays are those of the eviction queue, by pod.
	delays workqueue.TypedRateLimiter[string]
	// due is when the queue handles a pod.
	due map[*pod]time.Time
	// nodesDue is when the controller reconciles each node.
	nodesDue map[string]time.Time
}

func play(s scenario) (*answer, error) {
	clk := clocktesting.NewFakeClock(s.Now)
	a, err := newAPI(s, clk)
	if err != nil {
		return nil, err
	}
	heard, c := silent{}, &cloud{told: map[string]bool{}}
	queue := terminator.NewQueue(clk, a, heard)
	d := &drain{
		scenario: s, clock: clk, api: a, queue: queue, cloud: c, due: map[*pod]time.Time{},
		node:     termination.NewController(clk, a, c, terminator.NewTerminator(clk, a, queue, heard), heard),
		delays:   workqueue.NewTypedItemExponentialFailureRateLimiter[string](firstDelay, mostDelay),
		nodesDue: lo.MapValues(s.Deleted, func(after int, _ string) time.Time { return s.deletedAt(after) }),
	}
	return d.run(context.Background())
}

// run reconciles nodes when their controller has requested it, and pods when the queue is due.
func (d *drain) run(ctx context.Context) (*answer, error) {
	drained := map[string]float64{}
	end := d.Now.Add(time.Duration(d.Horizon) * time.Second)
	for next := d.soonest(end); !next.After(end); next = d.soonest(end.Add(time.Second)) {
		d.clock.SetTime(next)
		d.api.endPods()
		if err := d.evict(ctx); err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(d.nodesDue)) {
			if next.Before(d.nodesDue[name]) {
				continue
			}
			if err := d.look(ctx, name); err != nil {
				return nil, err
			}
			if d.cloud.told[name] {
				drained[name] = next.Sub(d.Now).Seconds()
				delete(d.nodesDue, name)
				d.api.endAll(name)
			}
		}
	}
	return d.api.answer(drained), nil
}

// look reconciles a node once.
func (d *drain) look(ctx context.Context, name string) error {
	now := d.clock.Now()
	node := &corev1.Node{}
	if err := d.api.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		return err
	}
	result, err := d.node.Reconcile(ctx, node)
	if err != nil {
		return err
	}
	if result.RequeueAfter == 0 && !d.cloud.told[name] {
		return errors.New("the controller of nodes does not look again")
	}
	d.nodesDue[name] = now.Add(result.RequeueAfter)
	// Pods that it has added to the queue are due immediately.
	for _, each := range d.api.pods {
		if _, known := d.due[each]; !known && d.queue.Has(each.Pod) {
			d.due[each] = now
		}
	}
	return d.evict(ctx)
}

// evict lets the queue handle the pods that are due.
func (d *drain) evict(ctx context.Context) error {
	now := d.clock.Now()
	for _, each := range slices.Clone(d.api.pods) {
		at, known := d.due[each]
		if !known || at.After(now) {
			continue
		}
		delete(d.due, each)
		if each.gone != nil {
			continue
		}
		key := each.Namespace + "/" + each.Name
		result, err := d.queue.Reconcile(ctx, each.Pod.DeepCopy())
		if err == nil && !result.Requeue { //nolint:staticcheck // the queue returns Requeue
			d.delays.Forget(key)
			continue
		}
		d.due[each] = now.Add(d.delays.When(key))
	}
	return nil
}

// soonest is the time of the next action, if it is earlier than the argument.
func (d *drain) soonest(next time.Time) time.Time {
	for _, at := range slices.Concat(lo.Values(d.due), lo.Values(d.nodesDue)) {
		if at.Before(next) {
			next = at
		}
	}
	for _, each := range d.api.pods {
		if each.stops != nil && each.gone == nil && each.stops.Before(next) {
			next = *each.stops
		}
		if each.readyFrom.After(d.clock.Now()) && each.readyFrom.Before(next) {
			next = each.readyFrom
		}
	}
	return next
}

// cloud stands for EC2, and records when instances are terminated.
type cloud struct {
	cloudprovider.CloudProvider
	told map[string]bool
}

func (c *cloud) Delete(_ context.Context, claim *karpv1.NodeClaim) error {
	c.told[claim.Status.NodeName] = true
	return nil
}

func (c *cloud) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1.EC2NodeClass{}}
}

type silent struct{}

func (silent) Publish(...events.Event) {}

func (s scenario) deletedAt(seconds int) time.Time {
	return s.Now.Add(time.Duration(seconds) * time.Second)
}

// leaving sets the deletion time of nodes and NodeClaims, and the termination deadline of NodeClaims.
func leaving(s scenario, all []client.Object) []client.Object {
	for _, object := range all {
		claim, isClaim := object.(*karpv1.NodeClaim)
		name := object.GetName()
		if isClaim {
			name = claim.Status.NodeName
		}
		after, ok := s.Deleted[name]
		if _, isNode := object.(*corev1.Node); !ok || !(isNode || isClaim) {
			continue
		}
		object.SetDeletionTimestamp(lo.ToPtr(metav1.NewTime(s.deletedAt(after))))
		object.SetFinalizers([]string{karpv1.TerminationFinalizer})
		if isClaim && claim.Spec.TerminationGracePeriod != nil {
			end := s.deletedAt(after).Add(claim.Spec.TerminationGracePeriod.Duration)
			claim.Annotations = lo.Assign(claim.Annotations, map[string]string{karpv1.NodeClaimTerminationTimestampAnnotationKey: end.Format(time.RFC3339)})
		}
	}
	return all
}

func objectsOf(s scenario) ([]client.Object, error) {
	all, err := world.ObjectsOf(s.Cluster)
	if err != nil {
		return nil, err
	}
	return leaving(s, all), nil
}
