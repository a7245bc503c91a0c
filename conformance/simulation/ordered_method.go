package main

import (
	"context"
	"slices"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// orderedMethod creates the new nodes of a command in the order in which the scheduler created them: Karpenter creates
// them in parallel, with random names.
type orderedMethod struct{ disruption.Method }

func (m orderedMethod) ComputeCommands(ctx context.Context, budgets map[string]int, candidates ...*disruption.Candidate) ([]disruption.Command, error) {
	commands, err := m.Method.ComputeCommands(ctx, budgets, candidates...)
	for _, command := range commands {
		claims := oracle.SortByCreation(lo.Map(command.Replacements, func(replacement *disruption.Replacement, _ int) *scheduling.NodeClaim { return replacement.NodeClaim }))
		slices.SortStableFunc(command.Replacements, func(a, b *disruption.Replacement) int {
			return slices.Index(claims, a.NodeClaim) - slices.Index(claims, b.NodeClaim)
		})
	}
	return commands, err
}

// SetNodePoolTotals is for methods that score their commands.
func (m orderedMethod) SetNodePoolTotals(totals map[string]disruption.NodePoolTotals) {
	if setter, ok := m.Method.(disruption.NodePoolTotalsSetter); ok {
		setter.SetNodePoolTotals(totals)
	}
}
