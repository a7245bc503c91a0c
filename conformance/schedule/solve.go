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

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// mostPodsPlaced (in all passes together) and fewestPasses are the limits of `check`.
const mostPodsPlaced, fewestPasses = 400_000, 10

// mostInVain is the limit of consecutive passes without progress for pods that wait only for other pods.
const mostInVain = 3

// problem is a cluster with pending pods.
type problem struct {
	*world.Provisioning
	// isLater is whether the claims of static pools have already been reported.
	isLater bool
}

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
	return &problem{Provisioning: pass}, err
}

// solve schedules pending pods as Karpenter's provisioner does, with further passes as long as a pass defers pods until
// other nodes are launched.
func solve(ctx context.Context, w *world.World, s scenario) (answer, error) {
	p, err := newProblem(ctx, w, s)
	if err != nil {
		return answer{}, err
	}
	result, decided, err := p.pass(ctx)
	if err != nil {
		return answer{}, err
	}
	mostPasses := max(fewestPasses, mostPodsPlaced/max(1, len(p.Pods())))
	// left is the number of pods without a node after each pass.
	left := []int{}
	for len(result.Later)+1 < mostPasses {
		waits, err := p.putsOff(ctx, decided)
		if err != nil {
			return answer{}, err
		}
		left = append(left, len(decided.PodErrors))
		if !waits && (isInVain(left) || !lo.SomeBy(lo.Values(decided.PodErrors), isOfOtherPods)) {
			break
		}
		isAny, err := p.Carry(ctx, decided)
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
		if later, decided, err = p.pass(ctx); err != nil {
			return answer{}, err
		}
		result.Later = append(result.Later, later)
	}
	return result, nil
}

// putsOff is whether pods wait for reservations or limits that other claims hold until their launch. Pods for which
// everything is full wait in vain.
func (p *problem) putsOff(ctx context.Context, decided scheduling.Results) (bool, error) {
	errs := lo.Values(decided.PodErrors)
	if lo.SomeBy(errs, func(err error) bool {
		return scheduling.IsReservedOfferingError(err) && strings.Contains(err.Error(), "could not be reserved")
	}) {
		return true, nil
	}
	if !lo.SomeBy(errs, isOfInstanceTypes) {
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

// isOfInstanceTypes is whether no instance type within the limits fits; until its launch, a new node counts against the
// limits as its largest possible type.
func isOfInstanceTypes(err error) bool {
	return lo.SomeBy(multierr.Errors(err), func(one error) bool {
		text := one.Error()
		return strings.HasPrefix(text, "all available instance types exceed limits") || strings.HasPrefix(text, "no instance type") ||
			strings.HasPrefix(text, "minValues requirement is not met")
	})
}

// isInVain is whether the last passes have not reduced the number of pods without a node.
func isInVain(left []int) bool {
	if len(left) <= mostInVain {
		return false
	}
	last := left[len(left)-1-mostInVain:]
	return !lo.SomeBy(last[1:], func(count int) bool { return count < last[0] })
}

// isOfOtherPods is whether other pods leave no topology domain; the domain of pods on new nodes is unknown until the
// launch.
func isOfOtherPods(err error) bool {
	return lo.SomeBy(multierr.Errors(err), func(one error) bool {
		return strings.HasPrefix(one.Error(), "unsatisfiable topology constraint")
	})
}

// pass is one pass up to the launch: Karpenter's own code builds the scheduler and solves.
func (p *problem) pass(ctx context.Context) (answer, scheduling.Results, error) {
	result := answer{}
	result.ignored(ctx, p)
	if len(p.Pods()) == 0 {
		decided, err := result.add(ctx, p, scheduling.Results{})
		return result, decided, err
	}
	scheduler, err := p.Scheduler(ctx)
	if stderrors.Is(err, provisioning.ErrNodePoolsNotFound) {
		// Existing nodes get no pods then, either.
		nobody := scheduling.Results{PodErrors: lo.SliceToMap(p.Pods(), func(pod *corev1.Pod) (*corev1.Pod, error) { return pod, err })}
		decided, err := result.add(ctx, p, nobody)
		return result, decided, err
	} else if err != nil {
		return answer{}, scheduling.Results{}, err
	}
	solved, err := scheduler.Solve(ctx, p.Pods())
	if err != nil {
		return answer{}, scheduling.Results{}, err
	}
	decided, err := result.add(ctx, p, solved)
	return result, decided, err
}

// timed solves the same pods repeatedly, and returns the durations of the solve.
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
			if _, err := result.add(ctx, p, solved); err != nil {
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
