package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/samber/lo"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
)

// simulations are the measurements in one cluster, while more and more of its nodes are removed.
type simulations struct {
	// Pods is the minimum number of pods being rescheduled, for each measurement; the numbers must not decrease.
	Pods []int
	// Replaced is whether an identical node is launched for each removed one.
	Replaced bool
	// Candidates is how many nodes to simulate the removal of, and Rounds how often for each.
	Candidates, Rounds int
}

// timed is how long simulations take with this number of pods being rescheduled.
type timed struct {
	// Pods is the number of pods that each simulation schedules in addition to those of its candidate.
	Pods int `json:"pods"`
	// Claims is the average number of new nodes of a simulation.
	Claims float64 `json:"claims"`
	// Milliseconds is the duration of the fastest round, averaged over the candidates.
	Milliseconds float64 `json:"milliseconds"`
}

func (p *pass) timeSimulations(ctx context.Context, requested simulations) ([]timed, error) {
	candidates, toRemove, err := p.pickNodes(ctx, requested.Candidates)
	if err != nil {
		return nil, err
	}
	var results []timed
	for _, wanted := range requested.Pods {
		result := timed{}
		for {
			pods, err := p.Cluster.DeepCopyNodes().Deleting().CurrentlyReschedulablePods(ctx, p.Kube, p.clock, p.recorder)
			if err != nil {
				return nil, err
			}
			result.Pods = len(pods)
			if len(pods) >= wanted {
				break
			}
			if len(toRemove) == 0 {
				return nil, fmt.Errorf("fewer than %d pods on nodes that can be removed", wanted)
			}
			p.removeNode(toRemove[0], requested.Replaced)
			toRemove = toRemove[1:]
		}
		for _, candidate := range candidates {
			var rounds []float64
			var claims int
			for range requested.Rounds {
				start := time.Now()
				solved, err := disruption.SimulateScheduling(ctx, p.Kube, p.Cluster, p.Provisioner, p.clock, p.recorder, nil, disruption.SimulationOptions{}, candidate)
				if err != nil {
					return nil, err
				}
				rounds = append(rounds, float64(time.Since(start).Microseconds())/1000)
				claims = len(solved.NewNodeClaims)
			}
			result.Claims += float64(claims) / float64(len(candidates))
			result.Milliseconds += slices.Min(rounds) / float64(len(candidates))
		}
		results = append(results, result)
	}
	return results, nil
}

// pickNodes returns the candidates to simulate, and the nodes to remove meanwhile: always the same for one cluster.
func (p *pass) pickNodes(ctx context.Context, count int) ([]*disruption.Candidate, []*state.StateNode, error) {
	anyNode := func(context.Context, *disruption.Candidate) bool { return true }
	candidates, err := disruption.GetCandidates(ctx, p.Cluster, p.Kube, p.recorder, p.clock, p.Cloud, anyNode, disruption.GracefulDisruptionClass, p.queue)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(candidates, func(a, b *disruption.Candidate) int { return strings.Compare(a.Name(), b.Name()) })
	toRemove := lo.Map(candidates[count:], func(candidate *disruption.Candidate, _ int) *state.StateNode { return candidate.StateNode })
	return candidates[:count], toRemove, nil
}

func (p *pass) removeNode(node *state.StateNode, isReplaced bool) {
	p.Cluster.MarkForDeletion(node.ProviderID())
	if !isReplaced {
		return
	}
	next := node.NodeClaim.DeepCopy()
	next.Name += "-next"
	next.UID += "-next"
	next.Status.ProviderID += "-next"
	next.Status.NodeName = ""
	for _, condition := range []string{karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized} {
		_ = next.StatusConditions().Clear(condition)
	}
	p.Cluster.UpdateNodeClaim(next)
}
