package main

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	awsoptions "github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// settings are what `check` is told beside the manifests.
type settings struct {
	Region                  string
	Zones                   []string
	SpotPriceRatio          float64
	VMMemoryOverheadPercent float64
	ReservedENIs            int
	PreferencePolicy        string
	MinValuesPolicy         string
	// FakeTypes takes so many of Karpenter's own made-up instance types instead of those of the catalogue.
	FakeTypes int
	// Concurrency is how many candidates are tried side by side; 0 counts as 1. The answer is the same.
	Concurrency int
}

// ofTypes is what of the settings decides about instance types.
func (s settings) ofTypes() string {
	return fmt.Sprint(s.Region, s.Zones, s.SpotPriceRatio, s.VMMemoryOverheadPercent, s.ReservedENIs)
}

func (s settings) context() context.Context {
	ctx := awsoptions.ToContext(context.Background(), &awsoptions.Options{
		VMMemoryOverheadPercent: s.VMMemoryOverheadPercent, ReservedENIs: s.ReservedENIs,
	})
	return options.ToContext(ctx, &options.Options{
		PreferencePolicy:  options.PreferencePolicy(s.PreferencePolicy),
		MinValuesPolicy:   options.MinValuesPolicy(s.MinValuesPolicy),
		IgnoreDRARequests: true,
		CPURequests:       1000,
		FeatureGates:      options.FeatureGates{ReservedCapacity: true},
	})
}

type silent struct{}

func (silent) Publish(...events.Event) {}

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Name: name} }

// problem is a cluster with pods that wait, as Karpenter's provisioner sees it.
type problem struct {
	cloud       *cloud
	provisioner *provisioning.Provisioner
	all         []client.Object
	pending     []*corev1.Pod
	options     []scheduling.Options
}

// newProblem has Karpenter's own code read the cluster and check the pods.
func newProblem(ctx context.Context, s settings, resolved *types, manifests string) (*problem, error) {
	all, err := objects(manifests)
	if err != nil {
		return nil, err
	}
	kube := client.Client(fake.NewClientBuilder().WithScheme(scheme).WithObjects(all...).
		WithIndex(&corev1.Pod{}, "spec.nodeName", func(o client.Object) []string { return []string{o.(*corev1.Pod).Spec.NodeName} }).
		WithIndex(&storagev1.VolumeAttachment{}, "spec.nodeName", func(o client.Object) []string {
			return []string{o.(*storagev1.VolumeAttachment).Spec.NodeName}
		}).Build())
	cloud := &cloud{kube: kube, types: resolved, zones: s.Zones, fakeTypes: s.FakeTypes}
	clk := clock.RealClock{}
	provisioner := provisioning.NewProvisioner(kube, silent{}, cloud, state.NewCluster(clk, kube, cloud), clk, nil, nil)
	pending, err := provisioner.GetPendingPods(ctx)
	if err != nil {
		return nil, err
	}
	opts := []scheduling.Options{
		scheduling.DisableReservedCapacityFallback,
		scheduling.NumConcurrentReconciles(max(s.Concurrency, 1)),
		scheduling.MinValuesPolicy(options.FromContext(ctx).MinValuesPolicy),
	}
	if s.PreferencePolicy == string(options.PreferencePolicyIgnore) {
		opts = append(opts, scheduling.IgnorePreferences)
	}
	sort.Slice(pending, func(a, b int) bool { return pending[a].UID < pending[b].UID })
	return &problem{cloud: cloud, provisioner: provisioner, all: all, pending: pending, options: opts}, nil
}

func (p *problem) scheduler(ctx context.Context) (*scheduling.Scheduler, error) {
	return p.provisioner.NewScheduler(ctx, p.pending, nil, sets.New[apitypes.UID](), p.options...)
}

// solve does what Karpenter's provisioner does with pending pods, up to the launch: its own code builds the scheduler and solves.
func solve(ctx context.Context, s settings, resolved *types, manifests string) (answer, error) {
	p, err := newProblem(ctx, s, resolved, manifests)
	if err != nil {
		return answer{}, err
	}
	result := answer{}
	result.ignored(ctx, p.provisioner, p.all, p.pending)
	if len(p.pending) == 0 {
		return result, nil
	}
	scheduler, err := p.scheduler(ctx)
	if err != nil {
		return answer{}, err
	}
	solved, err := scheduler.Solve(ctx, p.pending)
	if err != nil {
		return answer{}, err
	}
	return result, result.add(ctx, p.cloud, solved)
}

// timed solves the same pods again and again, and says how long the solve alone took.
func timed(ctx context.Context, s settings, resolved *types, manifests string, rounds int) (answer, []float64, error) {
	p, err := newProblem(ctx, s, resolved, manifests)
	if err != nil {
		return answer{}, nil, err
	}
	result := answer{}
	milliseconds := make([]float64, 0, rounds)
	for round := range rounds {
		scheduler, err := p.scheduler(ctx)
		if err != nil {
			return answer{}, nil, err
		}
		start := time.Now()
		solved, err := scheduler.Solve(ctx, p.pending)
		if err != nil {
			return answer{}, nil, err
		}
		milliseconds = append(milliseconds, float64(time.Since(start).Microseconds())/1000)
		if round == 0 {
			if err := result.add(ctx, p.cloud, solved); err != nil {
				return answer{}, nil, err
			}
		}
	}
	return result, milliseconds, nil
}

func (a *answer) add(ctx context.Context, cloud *cloud, solved scheduling.Results) error {
	// What a claim may be is told as it was before the cut, by the claim, which stays the same.
	told := lo.SliceToMap(solved.NewNodeClaims, func(one *scheduling.NodeClaim) (*scheduling.NodeClaim, claim) { return one, claimOf(one) })
	solved = solved.TruncateInstanceTypes(ctx, scheduling.MaxInstanceTypes)
	for _, claim := range solved.NewNodeClaims {
		one := told[claim]
		if cloud.fakeTypes == 0 {
			var err error
			if one.Launch, err = launchOf(ctx, cloud, claim); err != nil {
				return err
			}
		}
		a.NodeClaims = append(a.NodeClaims, one)
	}
	for pod, err := range solved.PodErrors {
		a.refuse(pod, err)
	}
	a.sort()
	return nil
}

// ignored are the pods that never reach the scheduler.
func (a *answer) ignored(ctx context.Context, provisioner *provisioning.Provisioner, all []client.Object, pending []*corev1.Pod) {
	taken := sets.New(lo.Map(pending, func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	for _, object := range all {
		if pod, ok := object.(*corev1.Pod); ok && !taken.Has(pod.UID) && pod.Spec.NodeName == "" {
			if err := provisioner.Validate(ctx, pod); err != nil {
				a.Unschedulable = append(a.Unschedulable, refusedPod{Pod: nameOf(pod), Ignored: true, Errors: []string{err.Error()}})
			}
		}
	}
}
