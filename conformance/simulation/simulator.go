package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/awslabs/operatorpkg/status"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination"
	"sigs.k8s.io/karpenter/pkg/controllers/node/termination/terminator"
	marks "sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/expiration"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/lifecycle"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/podevents"
	static "sigs.k8s.io/karpenter/pkg/controllers/static/provisioning"
)

type podID = types.UID

const (
	// The rate limits with which Karpenter registers the eviction queue.
	baseDelay = 100 * time.Millisecond
	maxDelay  = 10 * time.Second
	// retriggerInterval is how often the pod and node controllers trigger the provisioner.
	retriggerInterval = 10 * time.Second
)

// simulator runs Karpenter's controllers on the simulated clock.
type simulator struct {
	*cluster
	ctx        context.Context
	disruption *disruption.Controller
	queue      *disruption.Queue
	evictions  *terminator.Queue
	nodes      *termination.Controller
	claims     *lifecycle.Controller
	marks      *marks.Controller
	expiration *expiration.Controller
	podEvent   *podevents.Controller
	static     *static.Controller
	// delays are those of the eviction queue, by pod.
	delays workqueue.TypedRateLimiter[types.UID]
	// Times of the next reconciliation: of pods by the eviction queue, of nodes, commands and NodeClaims.
	evictionsDue map[types.UID]time.Time
	nodesDue     map[string]time.Time
	commandsDue  map[*disruption.Command]time.Time
	claimsDue    time.Time
	// provisionedAt is the time of the provisioner's last pass, and its input.
	provisionedAt time.Time
	seenChanges   int
	// unavailable are the unavailable offerings; terminationsDue is when EC2 terminates instances on its own.
	unavailable     []unavailableOffering
	terminationsDue map[string]time.Time
	// isZoneOutage is whether nodes disappear because their zone fails.
	isZoneOutage bool
	loop         disruptionLoop
	gate         *gate
}

// disruptionLoop is the disruption controller, which can wait in the middle of a pass.
type disruptionLoop struct {
	due time.Time
	// resumes is when the pass continues; done receives the time of the next pass.
	resumes time.Time
	done    chan reconcileResult
}

type reconcileResult struct {
	requeueAfter time.Duration
	err          error
}

func simulate(env *oracle.Environment, s scenario) (*answer, error) {
	ctx := s.Settings.Context()
	c, err := newCluster(ctx, env, s)
	if err != nil {
		return nil, err
	}
	cloud := imitatedEC2{CloudProvider: c.Cloud, cluster: c}
	silent := oracle.NopRecorder{}
	evictions := terminator.NewQueue(c.clock, c.Kube, silent)
	p := &simulator{
		cluster: c, ctx: ctx, evictions: evictions,
		queue:        disruption.NewQueue(c.Kube, silent, c.Cluster, c.clock, c.Provisioner),
		nodes:        termination.NewController(c.clock, c.Kube, cloud, terminator.NewTerminator(c.clock, c.Kube, evictions, silent), silent),
		claims:       lifecycle.NewController(c.clock, c.Kube, cloud, silent, c.Cluster, nil, nil),
		marks:        marks.NewController(c.clock, c.Kube, c.Cloud),
		expiration:   expiration.NewController(nonSleepingClock{c.clock}, c.Kube, c.Cloud),
		podEvent:     podevents.NewController(c.clock, c.Kube, c.Cloud),
		static:       static.NewController(c.Kube, c.Cluster, silent, c.Cloud, nil, c.clock, nil, nil),
		delays:       workqueue.NewTypedItemExponentialFailureRateLimiter[types.UID](baseDelay, maxDelay),
		evictionsDue: map[types.UID]time.Time{}, nodesDue: map[string]time.Time{}, terminationsDue: map[string]time.Time{}, commandsDue: map[*disruption.Command]time.Time{},
		loop: disruptionLoop{due: s.Now}, gate: newGate(c.ticking),
	}
	p.disruption = disruption.NewController(ctx, p.gate, c.Kube, c.Provisioner, c.Cloud, silent, c.Cluster, p.queue, c.costs, disruption.WithMethods(p.methods()...))
	return p.run()
}

// methods are the requested methods, in the controller's order.
func (p *simulator) methods() []disruption.Method {
	methods := disruption.NewMethods(p.ctx, p.gate, p.Cluster, p.Kube, p.Provisioner, p.Cloud, oracle.NopRecorder{}, p.queue)
	return lo.FilterMap(methods, func(method disruption.Method, _ int) (disruption.Method, bool) {
		return orderedMethod{method}, lo.Contains(p.Methods, nameOf(method))
	})
}

func nameOf(method disruption.Method) string {
	if wrapped, ok := method.(orderedMethod); ok {
		method = wrapped.Method
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", method), "*disruption.")
}

func (p *simulator) run() (*answer, error) {
	if err := p.applyEvents(); err != nil {
		return nil, err
	}
	// The change must not affect other users of the object.
	defer p.InvalidateOfferings()
	defer p.UnavailableOfferings().Flush()
	end := p.Now.Add(time.Duration(p.Horizon) * time.Second)
	for next := p.Now; !next.After(end); next = p.nextTime(end.Add(time.Second)) {
		p.cluster.clock.SetTime(next)
		if err := p.reconcileDue(); err != nil {
			return nil, err
		}
		p.updateWorkloads()
	}
	return p.answer(), nil
}

// reconcileDue runs everything that is due at the current time.
func (p *simulator) reconcileDue() error {
	p.advancePods()
	p.terminateInstances()
	p.evictFromUnreachable()
	p.registerNodes()
	for changesBefore := -1; changesBefore != p.changes; {
		changesBefore = p.changes
		if err := p.reconcileState(); err != nil {
			return err
		}
		if err := p.disrupt(); err != nil {
			return err
		}
		if err := p.continueCommands(); err != nil {
			return err
		}
	}
	return nil
}

// reconcileState runs the controllers that react to the current state.
func (p *simulator) reconcileState() error {
	for changesBefore := -1; changesBefore != p.changes; {
		changesBefore = p.changes
		for _, step := range []func() error{p.reconcilePodEvents, p.markNodeClaims, p.finalizeNodeClaims, p.reconcileTermination, p.reconcileEvictions, p.provisionStatic, p.provision} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// reconcilePodEvents reports pod events to the NodeClaims of the pods' nodes.
func (p *simulator) reconcilePodEvents() error {
	pods := p.podEvents
	p.podEvents = nil
	for _, pod := range pods {
		if _, err := p.podEvent.Reconcile(p.ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// markNodeClaims lets Karpenter mark NodeClaims as consolidatable or drifted, and expire them.
func (p *simulator) markNodeClaims() error {
	p.claimsDue = time.Time{}
	for _, claim := range copiesOf(p.store, func(claim *karpv1.NodeClaim) bool { return claim.DeletionTimestamp == nil }) {
		if p.Expires {
			result, err := p.expiration.Reconcile(p.ctx, claim.DeepCopy())
			if err != nil {
				return err
			}
			p.requeue(result)
		}
		result, err := p.marks.Reconcile(p.ctx, claim)
		if err != nil {
			return err
		}
		p.requeue(result)
	}
	return nil
}

func (p *simulator) requeue(result reconcile.Result) {
	if next := p.cluster.clock.Now().Add(result.RequeueAfter); result.RequeueAfter > 0 && (p.claimsDue.IsZero() || next.Before(p.claimsDue)) {
		p.claimsDue = next
	}
}

// nextTime is the time of the next action, if it is earlier than the argument.
func (p *simulator) nextTime(next time.Time) time.Time {
	now := p.cluster.clock.Now()
	due := slices.Concat(lo.Values(p.kubernetes.due), lo.Values(p.readyAt), lo.Values(p.evictionsDue), lo.Values(p.nodesDue), lo.Values(p.terminationsDue), lo.Values(p.taintEvictionsDue), []time.Time{p.claimsDue, p.staticDue})
	for _, command := range p.unavailable {
		due = append(due, command.until)
	}
	for _, command := range p.commands() {
		due = append(due, p.commandsDue[command])
	}
	if p.hasPendingWork() {
		due = append(due, p.provisionedAt.Add(retriggerInterval))
	}
	if len(p.Methods) > 0 {
		due = append(due, lo.Ternary(p.loop.done == nil, p.loop.due, p.loop.resumes))
	}
	for _, candidate := range due {
		if candidate.After(now) && candidate.Before(next) {
			next = candidate
		}
	}
	return next
}

func (p *simulator) answer() *answer {
	return &answer{
		Events: p.events, Workloads: p.workloads,
		Pending: len(p.deletedStatefulPods) + lo.CountBy(listAll[*corev1.Pod](p.store), func(pod *corev1.Pod) bool { return pod.Spec.NodeName == "" }),
		Nodes:   lo.Map(listAll[*corev1.Node](p.store), func(node *corev1.Node, _ int) string { return node.Name }),
	}
}

// imitatedEC2 stands for EC2, which terminates the instances of nodes.
type imitatedEC2 struct {
	cloudprovider.CloudProvider
	cluster *cluster
}

func (i imitatedEC2) Delete(_ context.Context, claim *karpv1.NodeClaim) error {
	return i.cluster.terminateInstance(claim)
}

// Get is called for nodes that are not ready; their instances run.
func (i imitatedEC2) Get(context.Context, string) (*karpv1.NodeClaim, error) {
	return &karpv1.NodeClaim{}, nil
}

func (i imitatedEC2) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1.EC2NodeClass{}}
}

// nonSleepingClock keeps a controller from waiting for its own writes, which are visible immediately.
type nonSleepingClock struct{ clock.Clock }

func (nonSleepingClock) Sleep(time.Duration) {}
