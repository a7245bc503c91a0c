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
	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination/terminator"
	"sigs.k8s.io/karpenter/pkg/events"
)

// The rate limits with which Karpenter registers the eviction queue.
const (
	baseDelay = 100 * time.Millisecond
	maxDelay  = 10 * time.Second
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

func simulate(s scenario) (*answer, error) {
	clk := clocktesting.NewFakeClock(s.Now)
	a, err := newAPI(s, clk)
	if err != nil {
		return nil, err
	}
	recorder, c := nopRecorder{}, &cloud{isTerminated: map[string]bool{}}
	queue := terminator.NewQueue(clk, a, recorder)
	d := &drain{
		scenario: s, clock: clk, api: a, queue: queue, cloud: c, due: map[*pod]time.Time{},
		node:     termination.NewController(clk, a, c, terminator.NewTerminator(clk, a, queue, recorder), recorder),
		delays:   workqueue.NewTypedItemExponentialFailureRateLimiter[string](baseDelay, maxDelay),
		nodesDue: lo.MapValues(s.Deleted, func(after int, _ string) time.Time { return s.deletedAt(after) }),
	}
	return d.run(context.Background())
}

// run reconciles nodes when their controller has requested it, and pods when the queue is due.
func (d *drain) run(ctx context.Context) (*answer, error) {
	drained := map[string]float64{}
	end := d.Now.Add(time.Duration(d.Horizon) * time.Second)
	for next := d.nextTime(end); !next.After(end); next = d.nextTime(end.Add(time.Second)) {
		d.clock.SetTime(next)
		d.api.deleteStopped()
		if err := d.evict(ctx); err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(d.nodesDue)) {
			if next.Before(d.nodesDue[name]) {
				continue
			}
			if err := d.reconcileNode(ctx, name); err != nil {
				return nil, err
			}
			if d.cloud.isTerminated[name] {
				drained[name] = next.Sub(d.Now).Seconds()
				delete(d.nodesDue, name)
				d.api.deletePodsOf(name)
			}
		}
	}
	return d.api.answer(drained), nil
}

// reconcileNode reconciles a node once.
func (d *drain) reconcileNode(ctx context.Context, name string) error {
	now := d.clock.Now()
	node := &corev1.Node{}
	if err := d.api.Get(ctx, client.ObjectKey{Name: name}, node); err != nil {
		return err
	}
	result, err := d.node.Reconcile(ctx, node)
	if err != nil {
		return err
	}
	if result.RequeueAfter == 0 && !d.cloud.isTerminated[name] {
		return errors.New("the controller of nodes does not requeue")
	}
	d.nodesDue[name] = now.Add(result.RequeueAfter)
	// Pods that it has added to the queue are due immediately.
	for _, pod := range d.api.pods {
		if _, known := d.due[pod]; !known && d.queue.Has(pod.Pod) {
			d.due[pod] = now
		}
	}
	return d.evict(ctx)
}

// evict lets the queue handle the pods that are due.
func (d *drain) evict(ctx context.Context) error {
	now := d.clock.Now()
	for _, pod := range slices.Clone(d.api.pods) {
		due, known := d.due[pod]
		if !known || due.After(now) {
			continue
		}
		delete(d.due, pod)
		if pod.deletedAt != nil {
			continue
		}
		key := pod.Namespace + "/" + pod.Name
		result, err := d.queue.Reconcile(ctx, pod.Pod.DeepCopy())
		if err == nil && !result.Requeue { //nolint:staticcheck // the queue returns Requeue
			d.delays.Forget(key)
			continue
		}
		d.due[pod] = now.Add(d.delays.When(key))
	}
	return nil
}

// nextTime is the time of the next action, if it is earlier than the argument.
func (d *drain) nextTime(next time.Time) time.Time {
	for _, due := range slices.Concat(lo.Values(d.due), lo.Values(d.nodesDue)) {
		if due.Before(next) {
			next = due
		}
	}
	for _, pod := range d.api.pods {
		if pod.stopsAt != nil && pod.deletedAt == nil && pod.stopsAt.Before(next) {
			next = *pod.stopsAt
		}
		if pod.readyFrom.After(d.clock.Now()) && pod.readyFrom.Before(next) {
			next = pod.readyFrom
		}
	}
	return next
}

// cloud stands for EC2, and records when instances are terminated.
type cloud struct {
	cloudprovider.CloudProvider
	isTerminated map[string]bool
}

func (c *cloud) Delete(_ context.Context, claim *karpv1.NodeClaim) error {
	c.isTerminated[claim.Status.NodeName] = true
	return nil
}

func (c *cloud) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1.EC2NodeClass{}}
}

type nopRecorder struct{}

func (nopRecorder) Publish(...events.Event) {}

func (s scenario) deletedAt(seconds int) time.Time {
	return s.Now.Add(time.Duration(seconds) * time.Second)
}

// withDeletions sets the deletion time of nodes and NodeClaims, and the termination deadline of NodeClaims.
func withDeletions(s scenario, all []client.Object) []client.Object {
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

func readObjects(s scenario) ([]client.Object, error) {
	all, err := oracle.DecodeObjects(s.Cluster)
	if err != nil {
		return nil, err
	}
	return withDeletions(s, all), nil
}
