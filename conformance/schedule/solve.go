package main

import (
	"context"
	stderrors "errors"
	"slices"
	"sort"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	autoscaling "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/overlay"
	"sigs.k8s.io/karpenter/pkg/controllers/capacitybuffer"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

type silent struct{}

func (silent) Publish(...events.Event) {}

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Name: name} }

// problem is a cluster with pods that wait, as Karpenter's provisioner sees it.
type problem struct {
	kube        client.Client
	cloud       cloudprovider.CloudProvider
	types       *types
	overlays    *nodeoverlay.InstanceTypeStore
	cluster     *state.Cluster
	provisioner *provisioning.Provisioner
	all         []client.Object
	static      []staticNode
	// pending are the pods that wait, moving those on nodes that go.
	pending, moving []*corev1.Pod
	options         []scheduling.Options
	// madeUp instance types are launched nowhere.
	madeUp bool
}

// newProblem has Karpenter's own code read the cluster and check the pods.
func (o *oracle) newProblem(ctx context.Context, s scenario) (*problem, error) {
	in, err := newInCluster(s.Cluster, s.Settings.Zones)
	if err != nil {
		return nil, err
	}
	all, err := objects(s.Manifests, in)
	if err != nil {
		return nil, err
	}
	p := &problem{all: all, kube: newClient(all), options: optionsOf(ctx, s.Settings), madeUp: s.Settings.FakeTypes > 0}
	if p.types, err = o.typesFor(ctx, s.Settings, p); err != nil {
		return nil, err
	}
	for id, count := range in.free {
		p.types.reservations.SetAvailableInstanceCount(id, count)
	}
	clk := clock.RealClock{}
	bare := &cloud{kube: p.kube, types: p.types, fakeTypes: s.Settings.FakeTypes}
	p.overlays = nodeoverlay.NewInstanceTypeStore()
	p.cloud = overlay.Decorate(bare, p.kube, p.overlays)
	p.cluster = state.NewCluster(clk, p.kube, p.cloud)
	if options.FromContext(ctx).FeatureGates.NodeOverlay {
		if _, err := nodeoverlay.NewController(clk, p.kube, bare, p.overlays, p.cluster).Reconcile(ctx, reconcile.Request{}); err != nil {
			return nil, err
		}
	}
	buffered, err := p.buffered(ctx)
	if err != nil {
		return nil, err
	}
	p.provisioner = provisioning.NewProvisioner(p.kube, silent{}, p.cloud, p.cluster, clk, nil, buffered)
	if err := inform(ctx, p.cluster, p.kube); err != nil {
		return nil, err
	}
	if err := p.launchStatic(ctx); err != nil {
		return nil, err
	}
	if p.pending, err = p.provisioner.GetPendingPods(ctx); err != nil {
		return nil, err
	}
	if p.moving, err = p.cluster.DeepCopyNodes().Deleting().CurrentlyReschedulablePods(ctx, p.kube, clk, silent{}); err != nil {
		return nil, err
	}
	inOrderOfAge(p.pending)
	inOrderOfAge(p.moving)
	return p, nil
}

// inOrderOfAge stands for the order of the cache that pods are read from, which is none.
func inOrderOfAge(pods []*corev1.Pod) {
	sort.Slice(pods, func(a, b int) bool {
		if !pods[a].CreationTimestamp.Equal(&pods[b].CreationTimestamp) {
			return pods[a].CreationTimestamp.Before(&pods[b].CreationTimestamp)
		}
		return pods[a].UID < pods[b].UID
	})
}

func optionsOf(ctx context.Context, s settings) []scheduling.Options {
	result := []scheduling.Options{
		scheduling.DisableReservedCapacityFallback,
		scheduling.NumConcurrentReconciles(max(s.Concurrency, 1)),
		scheduling.MinValuesPolicy(options.FromContext(ctx).MinValuesPolicy),
	}
	if s.PreferencePolicy == string(options.PreferencePolicyIgnore) {
		result = append(result, scheduling.IgnorePreferences)
	}
	return result
}

// pods are those that need a place.
func (p *problem) pods() []*corev1.Pod { return append(slices.Clone(p.pending), p.moving...) }

func (p *problem) scheduler(ctx context.Context) (*scheduling.Scheduler, error) {
	leaving := sets.New(lo.Map(p.moving, func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	return p.provisioner.NewScheduler(ctx, p.pods(), p.cluster.DeepCopyNodes().Active(), leaving, p.options...)
}

// buffered reads the capacity buffers, and keeps the pods that Karpenter makes up for them.
func (p *problem) buffered(ctx context.Context) (*virtualpods.Cache, error) {
	result := virtualpods.NewVirtualPodCache(p.kube)
	buffers := &autoscaling.CapacityBufferList{}
	if err := p.kube.List(ctx, buffers); err != nil {
		return nil, err
	}
	for _, buffer := range buffers.Items {
		request := reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&buffer)}
		if _, err := capacitybuffer.NewController(p.kube, untriggered{}, result).Reconcile(ctx, request); err != nil {
			return nil, err
		}
	}
	return result, nil
}

type untriggered struct{}

func (untriggered) Trigger(apitypes.UID) {}
func (untriggered) TriggerReconcile()    {}

// solve does what Karpenter's provisioner does with pending pods, up to the launch: its own code builds the scheduler and solves.
func (o *oracle) solve(ctx context.Context, s scenario) (answer, error) {
	p, err := o.newProblem(ctx, s)
	if err != nil {
		return answer{}, err
	}
	result := answer{}
	result.ignored(ctx, p)
	if len(p.pods()) == 0 {
		return result, result.add(ctx, p, scheduling.Results{})
	}
	scheduler, err := p.scheduler(ctx)
	if stderrors.Is(err, provisioning.ErrNodePoolsNotFound) {
		// Nodes that are there get no pods then, either.
		return result, result.add(ctx, p, scheduling.Results{PodErrors: lo.SliceToMap(p.pods(), func(pod *corev1.Pod) (*corev1.Pod, error) { return pod, err })})
	} else if err != nil {
		return answer{}, err
	}
	solved, err := scheduler.Solve(ctx, p.pods())
	if err != nil {
		return answer{}, err
	}
	return result, result.add(ctx, p, solved)
}

// timed solves the same pods again and again, and says how long the solve alone took.
func (o *oracle) timed(ctx context.Context, s scenario) (answer, []float64, error) {
	p, err := o.newProblem(ctx, s)
	if err != nil {
		return answer{}, nil, err
	}
	result := answer{}
	milliseconds := make([]float64, 0, s.Rounds)
	for round := range s.Rounds {
		scheduler, err := p.scheduler(ctx)
		if err != nil {
			return answer{}, nil, err
		}
		start := time.Now()
		solved, err := scheduler.Solve(ctx, p.pods())
		if err != nil {
			return answer{}, nil, err
		}
		milliseconds = append(milliseconds, float64(time.Since(start).Microseconds())/1000)
		if round == 0 {
			if err := result.add(ctx, p, solved); err != nil {
				return answer{}, nil, err
			}
		}
	}
	return result, milliseconds, nil
}

// ignored are the pods that never reach the scheduler.
func (a *answer) ignored(ctx context.Context, p *problem) {
	taken := sets.New(lo.Map(p.pods(), func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	for _, object := range p.all {
		if pod, ok := object.(*corev1.Pod); ok && !taken.Has(pod.UID) && podutils.IsProvisionable(pod) {
			if err := p.provisioner.Validate(ctx, pod); err != nil {
				a.Unschedulable = append(a.Unschedulable, refusedPod{Pod: nameOf(pod), Ignored: true, Errors: []string{err.Error()}})
			}
		}
	}
}
