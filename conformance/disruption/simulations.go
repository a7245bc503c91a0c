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

// simulations are to be timed in one cluster, while more and more of its nodes go.
type simulations struct {
	// Pods are how many are to be on their way at least, time by time; not fewer than before.
	Pods []int
	// Replaced has for each node that goes another launched at once, as it is itself.
	Replaced bool
	// Candidates is for how many to simulate that they go, and Rounds how often for each.
	Candidates, Rounds int
}

// timed is how long simulations take while so many pods are on their way.
type timed struct {
	// Pods are those that each simulation places beside those of its candidate.
	Pods int `json:"pods"`
	// Claims are the new nodes of each simulation, on average.
	Claims float64 `json:"claims"`
	// Milliseconds is the average over candidates of what the fastest round took.
	Milliseconds float64 `json:"milliseconds"`
}

func (p *pass) timeSimulations(ctx context.Context, asked simulations) ([]timed, error) {
	candidates, going, err := p.cast(ctx, asked.Candidates)
	if err != nil {
		return nil, err
	}
	var results []timed
	for _, wanted := range asked.Pods {
		result := timed{}
		for {
			pods, err := p.Cluster.DeepCopyNodes().Deleting().CurrentlyReschedulablePods(ctx, p.Kube, p.clock, p.heard)
			if err != nil {
				return nil, err
			}
			result.Pods = len(pods)
			if len(pods) >= wanted {
				break
			}
			if len(going) == 0 {
				return nil, fmt.Errorf("not %d pods on nodes that may go", wanted)
			}
			p.leave(going[0], asked.Replaced)
			going = going[1:]
		}
		for _, candidate := range candidates {
			var rounds []float64
			var found int
			for range asked.Rounds {
				start := time.Now()
				solved, err := disruption.SimulateScheduling(ctx, p.Kube, p.Cluster, p.Provisioner, p.clock, p.heard, nil, disruption.SimulationOptions{}, candidate)
				if err != nil {
					return nil, err
				}
				rounds = append(rounds, float64(time.Since(start).Microseconds())/1000)
				found = len(solved.NewNodeClaims)
			}
			result.Claims += float64(found) / float64(len(candidates))
			result.Milliseconds += slices.Min(rounds) / float64(len(candidates))
		}
		results = append(results, result)
	}
	return results, nil
}

// cast gives the candidates that are tried, and the nodes that go meanwhile: always the same of one cluster.
func (p *pass) cast(ctx context.Context, count int) ([]*disruption.Candidate, []*state.StateNode, error) {
	anyNode := func(context.Context, *disruption.Candidate) bool { return true }
	candidates, err := disruption.GetCandidates(ctx, p.Cluster, p.Kube, p.heard, p.clock, p.Cloud, anyNode, disruption.GracefulDisruptionClass, p.queue)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(candidates, func(a, b *disruption.Candidate) int { return strings.Compare(a.Name(), b.Name()) })
	going := lo.Map(candidates[count:], func(each *disruption.Candidate, _ int) *state.StateNode { return each.StateNode })
	return candidates[:count], going, nil
}

func (p *pass) leave(node *state.StateNode, isReplaced bool) {
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
