package main

import (
	"context"
	"time"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
)

// later is the cluster at the time of Karpenter's validation.
type later struct {
	Manifests, Cluster string
	Now                time.Time
	Nominated          []string
}

// validateLater runs Karpenter's own validators on the commands. Their delay has already passed.
func validateLater(ctx context.Context, env *oracle.Environment, s scenario, decided map[string][]disruption.Command) (map[string][]command, error) {
	input := oracle.ScenarioInput{Manifests: s.Later.Manifests, Cluster: s.Later.Cluster, Settings: s.Settings}
	p, err := newPass(ctx, env, scenario{ScenarioInput: input, Now: s.Later.Now, Nominated: s.Later.Nominated})
	if err != nil {
		return nil, err
	}
	c := disruption.MakeConsolidation(p.clock, p.Cluster, p.Kube, p.Provisioner, p.Cloud, p.recorder, p.queue)
	validators := map[string]disruption.Validator{
		"Emptiness":               disruption.NewEmptinessValidator(c),
		"MultiNodeConsolidation":  disruption.NewMultiConsolidationValidator(c),
		"SingleNodeConsolidation": disruption.NewSingleConsolidationValidator(c),
	}
	result := map[string][]command{}
	for method, validator := range validators {
		result[method] = []command{}
		for _, command := range decided[method] {
			valid, err := validator.Validate(ctx, command, 0)
			if err == nil {
				result[method] = append(result[method], commandOf(valid))
			} else if !disruption.IsValidationError(err) {
				return nil, err
			}
		}
	}
	return result, nil
}
