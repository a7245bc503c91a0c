package main

import (
	"context"
	"time"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
)

// later is the cluster at the time of Karpenter's validation.
type later struct {
	Manifests, Cluster string
	Now                time.Time
	Nominated          []string
}

// lookAgain runs Karpenter's own validators on the commands. Their delay has already passed.
func lookAgain(ctx context.Context, w *world.World, s scenario, decided map[string][]disruption.Command) (map[string][]command, error) {
	given := world.Given{Manifests: s.Later.Manifests, Cluster: s.Later.Cluster, Settings: s.Settings}
	p, err := newPass(ctx, w, scenario{Given: given, Now: s.Later.Now, Nominated: s.Later.Nominated})
	if err != nil {
		return nil, err
	}
	c := disruption.MakeConsolidation(p.clock, p.Cluster, p.Kube, p.Provisioner, p.Cloud, p.heard, p.queue)
	validators := map[string]disruption.Validator{
		"Emptiness":               disruption.NewEmptinessValidator(c),
		"MultiNodeConsolidation":  disruption.NewMultiConsolidationValidator(c),
		"SingleNodeConsolidation": disruption.NewSingleConsolidationValidator(c),
	}
	result := map[string][]command{}
	for method, validator := range validators {
		result[method] = []command{}
		for _, each := range decided[method] {
			left, err := validator.Validate(ctx, each, 0)
			if err == nil {
				result[method] = append(result[method], commandOf(left))
			} else if !disruption.IsValidationError(err) {
				return nil, err
			}
		}
	}
	return result, nil
}
