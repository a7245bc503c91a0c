package main

import (
	"context"
	stderrors "errors"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// problem is a cluster with pods that wait.
type problem struct{ *world.Provisioning }

func newProblem(ctx context.Context, w *world.World, s scenario) (*problem, error) {
	clk := clock.RealClock{}
	there, err := w.NewProblem(ctx, s.Given, clk)
	if err != nil {
		return nil, err
	}
	if err := there.LaunchStatic(ctx); err != nil {
		return nil, err
	}
	pass, err := there.Provision(ctx, s.Settings, clk)
	return &problem{pass}, err
}

// solve does what Karpenter's provisioner does with pending pods, up to the launch: its own code builds the scheduler and solves.
func solve(ctx context.Context, w *world.World, s scenario) (answer, error) {
	p, err := newProblem(ctx, w, s)
	if err != nil {
		return answer{}, err
	}
	result := answer{}
	result.ignored(ctx, p)
	if len(p.Pods()) == 0 {
		return result, result.add(ctx, p, scheduling.Results{})
	}
	scheduler, err := p.Scheduler(ctx)
	if stderrors.Is(err, provisioning.ErrNodePoolsNotFound) {
		// Nodes that are there get no pods then, either.
		return result, result.add(ctx, p, scheduling.Results{PodErrors: lo.SliceToMap(p.Pods(), func(pod *corev1.Pod) (*corev1.Pod, error) { return pod, err })})
	} else if err != nil {
		return answer{}, err
	}
	solved, err := scheduler.Solve(ctx, p.Pods())
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
		scheduler, err := p.Scheduler(ctx)
		if err != nil {
			return answer{}, nil, err
		}
		start := time.Now()
		solved, err := scheduler.Solve(ctx, p.Pods())
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
	taken := sets.New(lo.Map(p.Pods(), func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	for _, object := range p.All {
		if pod, ok := object.(*corev1.Pod); ok && !taken.Has(pod.UID) && podutils.IsProvisionable(pod) {
			if err := p.Provisioner.Validate(ctx, pod); err != nil {
				a.Unschedulable = append(a.Unschedulable, refusedPod{Pod: nameOf(pod), Ignored: true, Errors: []string{err.Error()}})
			}
		}
	}
}
