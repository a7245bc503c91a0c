package main

import (
	"context"
	"slices"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// inOrder creates the new nodes of a command in the order in which the scheduler opened them: Karpenter creates them in
// parallel, with random names.
type inOrder struct{ disruption.Method }

func (m inOrder) ComputeCommands(ctx context.Context, budgets map[string]int, candidates ...*disruption.Candidate) ([]disruption.Command, error) {
	commands, err := m.Method.ComputeCommands(ctx, budgets, candidates...)
	for _, command := range commands {
		claims := world.InOrderOfOpening(lo.Map(command.Replacements, func(each *disruption.Replacement, _ int) *scheduling.NodeClaim { return each.NodeClaim }))
		slices.SortStableFunc(command.Replacements, func(a, b *disruption.Replacement) int {
			return slices.Index(claims, a.NodeClaim) - slices.Index(claims, b.NodeClaim)
		})
	}
	return commands, err
}

// SetNodePoolTotals is for methods that score their commands.
func (m inOrder) SetNodePoolTotals(totals map[string]disruption.NodePoolTotals) {
	if setter, ok := m.Method.(disruption.NodePoolTotalsSetter); ok {
		setter.SetNodePoolTotals(totals)
	}
}
