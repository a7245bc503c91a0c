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
	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
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
	firstDelay = 100 * time.Millisecond
	mostDelay  = 10 * time.Second
	// retrigger is how often the pod and node controllers trigger the provisioner.
	retrigger = 10 * time.Second
)

// player runs Karpenter's controllers on the simulated clock.
type player struct {
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
	// provisioned is the time of the provisioner's last pass, and its input.
	provisioned time.Time
	seen        int
	// avoided are the unavailable offerings; takenDue is when EC2 terminates instances on its own.
	avoided  []avoided
	takenDue map[string]time.Time
	// isLost is whether something other than Karpenter removes nodes.
	isLost bool
	loop   loop
	gate   *gate
}

// loop is the disruption controller, which can wait in the middle of a pass.
type loop struct {
	due time.Time
	// wakes is when the pass continues; done receives the time of the next pass.
	wakes time.Time
	done  chan looked
}

type looked struct {
	again time.Duration
	err   error
}

func play(w *world.World, s scenario) (*answer, error) {
	ctx := s.Settings.Context()
	c, err := newCluster(ctx, w, s)
	if err != nil {
		return nil, err
	}
	cloud := instances{CloudProvider: c.Cloud, cluster: c}
	silent := world.Silent{}
	evictions := terminator.NewQueue(c.clock, c.Kube, silent)
	p := &player{
		cluster: c, ctx: ctx, evictions: evictions,
		queue:        disruption.NewQueue(c.Kube, silent, c.Cluster, c.clock, c.Provisioner),
		nodes:        termination.NewController(c.clock, c.Kube, cloud, terminator.NewTerminator(c.clock, c.Kube, evictions, silent), silent),
		claims:       lifecycle.NewController(c.clock, c.Kube, cloud, silent, c.Cluster, nil, nil),
		marks:        marks.NewController(c.clock, c.Kube, c.Cloud),
		expiration:   expiration.NewController(sleepless{c.clock}, c.Kube, c.Cloud),
		podEvent:     podevents.NewController(c.clock, c.Kube, c.Cloud),
		static:       static.NewController(c.Kube, c.Cluster, silent, c.Cloud, nil, c.clock, nil, nil),
		delays:       workqueue.NewTypedItemExponentialFailureRateLimiter[types.UID](firstDelay, mostDelay),
		evictionsDue: map[types.UID]time.Time{}, nodesDue: map[string]time.Time{}, takenDue: map[string]time.Time{}, commandsDue: map[*disruption.Command]time.Time{},
		loop: loop{due: s.Now}, gate: newGate(c.ticking),
	}
	p.disruption = disruption.NewController(ctx, p.gate, c.Kube, c.Provisioner, c.Cloud, silent, c.Cluster, p.queue, c.costs, disruption.WithMethods(p.methods()...))
	return p.run()
}

// methods are the requested methods, in the controller's order.
func (p *player) methods() []disruption.Method {
	known := disruption.NewMethods(p.ctx, p.gate, p.Cluster, p.Kube, p.Provisioner, p.Cloud, world.Silent{}, p.queue)
	return lo.FilterMap(known, func(method disruption.Method, _ int) (disruption.Method, bool) {
		return inOrder{method}, lo.Contains(p.Methods, nameOf(method))
	})
}

func nameOf(method disruption.Method) string {
	if wrapped, ok := method.(inOrder); ok {
		method = wrapped.Method
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", method), "*disruption.")
}

func (p *player) run() (*answer, error) {
	if err := p.happen(); err != nil {
		return nil, err
	}
	// The change must not affect other users of the object.
	defer p.OfferingsChange()
	defer p.Unavailable().Flush()
	end := p.Now.Add(time.Duration(p.Horizon) * time.Second)
	for next := p.Now; !next.After(end); next = p.soonest(end.Add(time.Second)) {
		p.cluster.clock.SetTime(next)
		if err := p.settle(); err != nil {
			return nil, err
		}
		p.account()
	}
	return p.answer(), nil
}

// settle runs everything that is due at the current time.
func (p *player) settle() error {
	p.pass()
	p.take()
	p.lose()
	p.comeUp()
	for before := -1; before != p.changes; {
		before = p.changes
		if err := p.follow(); err != nil {
			return err
		}
		if err := p.disrupt(); err != nil {
			return err
		}
		if err := p.command(); err != nil {
			return err
		}
	}
	return nil
}

// follow runs the controllers that react to the current state.
func (p *player) follow() error {
	for before := -1; before != p.changes; {
		before = p.changes
		for _, step := range []func() error{p.hear, p.mark, p.finalize, p.drain, p.evict, p.fill, p.provision} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// hear reports pod events to the NodeClaims of the pods' nodes.
func (p *player) hear() error {
	pods := p.podEvents
	p.podEvents = nil
	for _, pod := range pods {
		if _, err := p.podEvent.Reconcile(p.ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// mark lets Karpenter mark NodeClaims as consolidatable or drifted, and expire them.
func (p *player) mark() error {
	p.claimsDue = time.Time{}
	for _, claim := range some(p.store, func(claim *karpv1.NodeClaim) bool { return claim.DeletionTimestamp == nil }) {
		if p.Expires {
			result, err := p.expiration.Reconcile(p.ctx, claim.DeepCopy())
			if err != nil {
				return err
			}
			p.lookAgain(result)
		}
		result, err := p.marks.Reconcile(p.ctx, claim)
		if err != nil {
			return err
		}
		p.lookAgain(result)
	}
	return nil
}

func (p *player) lookAgain(result reconcile.Result) {
	if at := p.cluster.clock.Now().Add(result.RequeueAfter); result.RequeueAfter > 0 && (p.claimsDue.IsZero() || at.Before(p.claimsDue)) {
		p.claimsDue = at
	}
}

// soonest is the time of the next action, if it is earlier than the argument.
func (p *player) soonest(next time.Time) time.Time {
	now := p.cluster.clock.Now()
	due := slices.Concat(lo.Values(p.kubernetes.due), lo.Values(p.up), lo.Values(p.evictionsDue), lo.Values(p.nodesDue), lo.Values(p.takenDue), lo.Values(p.lostDue), []time.Time{p.claimsDue, p.staticDue})
	for _, each := range p.avoided {
		due = append(due, each.until)
	}
	for _, each := range p.commands() {
		due = append(due, p.commandsDue[each])
	}
	if p.isAnyWaiting() {
		due = append(due, p.provisioned.Add(retrigger))
	}
	if len(p.Methods) > 0 {
		due = append(due, lo.Ternary(p.loop.done == nil, p.loop.due, p.loop.wakes))
	}
	for _, at := range due {
		if at.After(now) && at.Before(next) {
			next = at
		}
	}
	return next
}

func (p *player) answer() *answer {
	return &answer{
		Events: p.events, Workloads: p.stories,
		Pending: len(p.ended) + lo.CountBy(all[*corev1.Pod](p.store), func(pod *corev1.Pod) bool { return pod.Spec.NodeName == "" }),
		Nodes:   lo.Map(all[*corev1.Node](p.store), func(node *corev1.Node, _ int) string { return node.Name }),
	}
}

// instances stands for EC2, which terminates the instances of nodes.
type instances struct {
	cloudprovider.CloudProvider
	cluster *cluster
}

func (i instances) Delete(_ context.Context, claim *karpv1.NodeClaim) error {
	return i.cluster.terminate(claim)
}

// Get is called for nodes that are not ready; their instances run.
func (i instances) Get(context.Context, string) (*karpv1.NodeClaim, error) {
	return &karpv1.NodeClaim{}, nil
}

func (i instances) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1.EC2NodeClass{}}
}

// sleepless keeps a controller from waiting for its own writes, which are visible immediately.
type sleepless struct{ clock.Clock }

func (sleepless) Sleep(time.Duration) {}
