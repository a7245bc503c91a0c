package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/samber/lo"

	awsoptions "github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// Settings are the settings of `check`.
type Settings struct {
	Region                  string
	Zones                   []string
	SpotPriceRatio          float64
	VMMemoryOverheadPercent float64
	ReservedENIs            int
	PreferencePolicy        string
	MinValuesPolicy         string
	IgnoreDRARequests       *bool
	FeatureGates            map[string]bool
	// SchedulerConfig is the part of the Kubernetes scheduler's configuration that Karpenter reads.
	SchedulerConfig *struct{ DefaultConstraints json.RawMessage }
	// InstanceTypes are the types that EC2 offers; all of the catalog if absent.
	InstanceTypes []string
	// FakeTypes is the number of Karpenter's own fake instance types to use instead of the catalog.
	FakeTypes int
	// Concurrency is the number of candidates that are tried in parallel; 0 counts as 1. It does not affect the answer.
	Concurrency int
}

// typesKey contains the settings that affect instance types.
func (s Settings) typesKey() string {
	return fmt.Sprint(s.Region, s.Zones, s.SpotPriceRatio, s.VMMemoryOverheadPercent, s.ReservedENIs, s.InstanceTypes)
}

func (s Settings) offeredTypes(facts []instanceFacts) []instanceFacts {
	if len(s.InstanceTypes) == 0 {
		return facts
	}
	return lo.Filter(facts, func(f instanceFacts, _ int) bool { return lo.Contains(s.InstanceTypes, f.InstanceType) })
}

func (s Settings) gate(name string, byDefault bool) bool {
	open, ok := s.FeatureGates[name]
	return lo.Ternary(ok, open, byDefault)
}

// Context contains Karpenter's options.
func (s Settings) Context() context.Context {
	ctx := awsoptions.ToContext(context.Background(), &awsoptions.Options{
		VMMemoryOverheadPercent: s.VMMemoryOverheadPercent, ReservedENIs: s.ReservedENIs,
	})
	return options.ToContext(ctx, &options.Options{
		PreferencePolicy:  options.PreferencePolicy(s.PreferencePolicy),
		MinValuesPolicy:   options.MinValuesPolicy(s.MinValuesPolicy),
		SchedulerConfig:   s.schedulerConfig(),
		IgnoreDRARequests: lo.FromPtrOr(s.IgnoreDRARequests, true),
		CPURequests:       1000,
		BatchMaxDuration:  10 * time.Second,
		BatchIdleDuration: time.Second,
		FeatureGates: options.FeatureGates{
			ReservedCapacity:        s.gate("ReservedCapacity", true),
			NodeOverlay:             s.gate("NodeOverlay", false),
			StaticCapacity:          s.gate("StaticCapacity", false),
			CapacityBuffer:          s.gate("CapacityBuffer", false),
			SpotToSpotConsolidation: s.gate("SpotToSpotConsolidation", false),
			NodeRepair:              s.gate("NodeRepair", false),
			TerminateFirstDrift:     s.gate("TerminateFirstDrift", false),
			TerminateFirstRepair:    s.gate("TerminateFirstRepair", false),
		},
	})
}

// schedulerConfig is parsed like the flag.
func (s Settings) schedulerConfig() *options.SchedulerConfiguration {
	if s.SchedulerConfig == nil {
		return nil
	}
	text := fmt.Sprintf(`{"podTopologySpread": {"defaultConstraints": %s}}`, s.SchedulerConfig.DefaultConstraints)
	return lo.Must(options.ParseSchedulerConfiguration(text))
}
