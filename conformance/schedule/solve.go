package main

import (
	"context"
	stderrors "errors"
	"strings"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
)

// maxPodsPlaced and minPasses bound the passes of one scenario by the pods that all passes together schedule.
const maxPodsPlaced, minPasses = 400_000, 10

// maxFruitlessPasses is how many consecutive passes may launch nodes without scheduling one pod more. Karpenter would
// launch nodes without end.
const maxFruitlessPasses = 4

// problem is a cluster with pending pods.
type problem struct {
	*oracle.Provisioning
	// isLater is whether the claims of static pools have already been reported.
	isLater bool
}

func newProblem(ctx context.Context, env *oracle.Environment, s scenario) (*problem, error) {
	clk := clock.RealClock{}
	cluster, err := env.NewCluster(ctx, s.ScenarioInput, clk)
	if err != nil {
		return nil, err
	}
	if err := cluster.LaunchStaticNodes(ctx); err != nil {
		return nil, err
	}
	pass, err := cluster.Provision(ctx, s.Settings, clk)
	return &problem{Provisioning: pass}, err
}

// firstPass is Karpenter's first pass alone.
func firstPass(ctx context.Context, env *oracle.Environment, s scenario) (answer, error) {
	p, err := newProblem(ctx, env, s)
	if err != nil {
		return answer{}, err
	}
	result, _, err := p.pass(ctx)
	return result, err
}

// solve schedules pending pods as Karpenter's provisioner does. Every ten seconds it is triggered for each pod that has
// no node (PodController.Reconcile), so it only comes to rest when a pass changes nothing.
func solve(ctx context.Context, env *oracle.Environment, s scenario) (answer, error) {
	p, err := newProblem(ctx, env, s)
	if err != nil {
		return answer{}, err
	}
	result, results, err := p.pass(ctx)
	if err != nil {
		return answer{}, err
	}
	maxPasses := max(minPasses, maxPodsPlaced/max(1, len(p.Pods())))
	for fruitless := 0; waitingPods(results) > 0; {
		hasChanged, err := p.ApplyResults(ctx, results)
		if err != nil {
			return answer{}, err
		}
		if !hasChanged {
			break
		}
		if fruitless == maxFruitlessPasses || len(result.Later)+1 == maxPasses {
			result.Cut = true
			break
		}
		again, err := p.Provision(ctx, s.Settings, clock.RealClock{})
		if err != nil {
			return answer{}, err
		}
		p = &problem{Provisioning: again, isLater: true}
		before := waitingPods(results)
		var later answer
		if later, results, err = p.pass(ctx); err != nil {
			return answer{}, err
		}
		fruitless++
		if waitingPods(results) < before {
			fruitless = 0
		}
		if later.Unbindable, err = p.unbindablePods(ctx, results); err != nil {
			return answer{}, err
		}
		result.Later = append(result.Later, later)
	}
	return result, nil
}

// waitingPods is the number of pods without a node, without those whose devices Karpenter does not support.
func waitingPods(results scheduling.Results) int {
	return lo.CountBy(lo.Values(results.PodErrors), func(err error) bool {
		return !strings.HasPrefix(err.Error(), "pod has Dynamic Resource Allocation requirements")
	})
}

// pass is one pass up to the launch: Karpenter's own code builds the scheduler and solves.
func (p *problem) pass(ctx context.Context) (answer, scheduling.Results, error) {
	result := answer{}
	result.addIgnored(ctx, p)
	if len(p.Pods()) == 0 {
		decided, err := result.addResults(ctx, p, scheduling.Results{})
		return result, decided, err
	}
	scheduler, err := p.Scheduler(ctx)
	if stderrors.Is(err, provisioning.ErrNodePoolsNotFound) {
		// Existing nodes get no pods then, either.
		results := scheduling.Results{PodErrors: lo.SliceToMap(p.Pods(), func(pod *corev1.Pod) (*corev1.Pod, error) { return pod, err })}
		decided, err := result.addResults(ctx, p, results)
		return result, decided, err
	} else if err != nil {
		return answer{}, scheduling.Results{}, err
	}
	solved, err := scheduler.Solve(ctx, p.Pods())
	if err != nil {
		return answer{}, scheduling.Results{}, err
	}
	decided, err := result.addResults(ctx, p, solved)
	return result, decided, err
}

// timed solves the same pods repeatedly, and returns the durations of the solve.
func timed(ctx context.Context, env *oracle.Environment, s scenario) (answer, []float64, error) {
	p, err := newProblem(ctx, env, s)
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
			if _, err := result.addResults(ctx, p, solved); err != nil {
				return answer{}, nil, err
			}
		}
	}
	return result, milliseconds, nil
}

// addIgnored adds the pods that never reach the scheduler.
func (a *answer) addIgnored(ctx context.Context, p *problem) {
	scheduled := sets.New(lo.Map(p.Pods(), func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	for _, object := range p.Objects {
		if pod, ok := object.(*corev1.Pod); ok && !scheduled.Has(pod.UID) && podutils.IsProvisionable(pod) {
			if err := p.Provisioner.Validate(ctx, pod); err != nil {
				a.Unschedulable = append(a.Unschedulable, unschedulablePod{Pod: nameOf(pod), Ignored: true, Errors: []string{err.Error()}})
			}
		}
	}
}
