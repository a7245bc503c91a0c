package main

import (
	"context"
	stderrors "errors"
	"strings"
	"time"

	"github.com/samber/lo"
	"go.uber.org/multierr"
	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// maxPodsPlaced (in all passes together) and minPasses (of the pass limit) are those of `check`.
const maxPodsPlaced, minPasses = 400_000, 10

// maxPassesWithoutProgress is the limit of consecutive passes without progress for pods that wait only for other pods.
const maxPassesWithoutProgress = 3

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

// solve schedules pending pods as Karpenter's provisioner does, with further passes as long as a pass defers pods until
// other nodes are launched.
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
	// unscheduled is the number of pods without a node after each pass.
	unscheduled := []int{}
	for len(result.Later)+1 < maxPasses {
		isDeferred, err := p.defersPods(ctx, results)
		if err != nil {
			return answer{}, err
		}
		unscheduled = append(unscheduled, len(results.PodErrors))
		if !isDeferred && (hasNoProgress(unscheduled) || !lo.SomeBy(lo.Values(results.PodErrors), isTopologyError)) {
			break
		}
		isAny, err := p.ApplyResults(ctx, results)
		if err != nil {
			return answer{}, err
		}
		if !isAny {
			break
		}
		again, err := p.Provision(ctx, s.Settings, clock.RealClock{})
		if err != nil {
			return answer{}, err
		}
		p = &problem{Provisioning: again, isLater: true}
		var later answer
		if later, results, err = p.pass(ctx); err != nil {
			return answer{}, err
		}
		result.Later = append(result.Later, later)
	}
	return result, nil
}

// defersPods is whether pods wait for reservations or limits that other claims hold until their launch. Pods for which
// everything is full have no reason to wait.
func (p *problem) defersPods(ctx context.Context, decided scheduling.Results) (bool, error) {
	errs := lo.Values(decided.PodErrors)
	if lo.SomeBy(errs, func(err error) bool {
		return scheduling.IsReservedOfferingError(err) && strings.Contains(err.Error(), "could not be reserved")
	}) {
		return true, nil
	}
	if !lo.SomeBy(errs, isInstanceTypeError) {
		return false, nil
	}
	for _, claim := range decided.NewNodeClaims {
		pool := &karpv1.NodePool{}
		if err := p.Kube.Get(ctx, client.ObjectKey{Name: claim.NodePoolName}, pool); err != nil {
			return false, err
		}
		limited := lo.SomeBy(lo.Keys(pool.Spec.Limits), func(name corev1.ResourceName) bool { return name != resources.Node })
		if limited && len(claim.InstanceTypeOptions) > 1 {
			return true, nil
		}
	}
	return false, nil
}

// isInstanceTypeError is whether no instance type within the limits fits; until its launch, a new node counts against
// the limits as its largest possible type.
func isInstanceTypeError(err error) bool {
	return lo.SomeBy(multierr.Errors(err), func(one error) bool {
		text := one.Error()
		return strings.HasPrefix(text, "all available instance types exceed limits") || strings.HasPrefix(text, "no instance type") ||
			strings.HasPrefix(text, "minValues requirement is not met")
	})
}

// hasNoProgress is whether the last passes have not reduced the number of pods without a node.
func hasNoProgress(unscheduled []int) bool {
	if len(unscheduled) <= maxPassesWithoutProgress {
		return false
	}
	last := unscheduled[len(unscheduled)-1-maxPassesWithoutProgress:]
	return !lo.SomeBy(last[1:], func(count int) bool { return count < last[0] })
}

// isTopologyError is whether other pods leave no topology domain; the domain of pods on new nodes is unknown until the
// launch.
func isTopologyError(err error) bool {
	return lo.SomeBy(multierr.Errors(err), func(one error) bool {
		return strings.HasPrefix(one.Error(), "unsatisfiable topology constraint")
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
