package main

import (
	"context"
	stderrors "errors"
	"slices"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// problem is a cluster with pods that wait.
type problem struct {
	*world.Problem
	// pending are the pods that wait, moving those on nodes that go.
	pending, moving []*corev1.Pod
	options         []scheduling.Options
}

// newProblem has Karpenter's own code check the pods.
func newProblem(ctx context.Context, w *world.World, s scenario) (*problem, error) {
	clk := clock.RealClock{}
	there, err := w.NewProblem(ctx, s.Given, clk)
	if err != nil {
		return nil, err
	}
	p := &problem{Problem: there, options: optionsOf(ctx, s.Settings)}
	if err := p.LaunchStatic(ctx); err != nil {
		return nil, err
	}
	if p.pending, err = p.Provisioner.GetPendingPods(ctx); err != nil {
		return nil, err
	}
	if p.moving, err = p.Cluster.DeepCopyNodes().Deleting().CurrentlyReschedulablePods(ctx, p.Kube, clk, world.Silent{}); err != nil {
		return nil, err
	}
	world.InOrderOfAge(p.pending)
	world.InOrderOfAge(p.moving)
	return p, nil
}

func optionsOf(ctx context.Context, s world.Settings) []scheduling.Options {
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
	return p.Provisioner.NewScheduler(ctx, p.pods(), p.Cluster.DeepCopyNodes().Active(), leaving, p.options...)
}

// solve does what Karpenter's provisioner does with pending pods, up to the launch: its own code builds the scheduler and solves.
func solve(ctx context.Context, w *world.World, s scenario) (answer, error) {
	p, err := newProblem(ctx, w, s)
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
func timed(ctx context.Context, w *world.World, s scenario) (answer, []float64, error) {
	p, err := newProblem(ctx, w, s)
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
	for _, object := range p.All {
		if pod, ok := object.(*corev1.Pod); ok && !taken.Has(pod.UID) && podutils.IsProvisionable(pod) {
			if err := p.Provisioner.Validate(ctx, pod); err != nil {
				a.Unschedulable = append(a.Unschedulable, refusedPod{Pod: nameOf(pod), Ignored: true, Errors: []string{err.Error()}})
			}
		}
	}
}
