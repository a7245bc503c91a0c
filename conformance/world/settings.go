package world

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/samber/lo"

	awsoptions "github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// Settings are what `check` is told beside the manifests.
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
	// SchedulerConfig is what Karpenter is told of the Kubernetes scheduler's configuration.
	SchedulerConfig *struct{ DefaultConstraints json.RawMessage }
	// InstanceTypes are those that EC2 offers; all of the catalogue if absent.
	InstanceTypes []string
	// FakeTypes takes so many of Karpenter's own made-up instance types instead of those of the catalogue.
	FakeTypes int
	// Concurrency is how many candidates are tried side by side; 0 counts as 1. The answer is the same.
	Concurrency int
}

// ofTypes is what of the settings decides about instance types.
func (s Settings) ofTypes() string {
	return fmt.Sprint(s.Region, s.Zones, s.SpotPriceRatio, s.VMMemoryOverheadPercent, s.ReservedENIs, s.InstanceTypes)
}

func (s Settings) offered(facts []fact) []fact {
	if len(s.InstanceTypes) == 0 {
		return facts
	}
	return lo.Filter(facts, func(f fact, _ int) bool { return lo.Contains(s.InstanceTypes, f.InstanceType) })
}

func (s Settings) gate(name string, byDefault bool) bool {
	open, ok := s.FeatureGates[name]
	return lo.Ternary(ok, open, byDefault)
}

// Context has the options of Karpenter.
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

// schedulerConfig is read as the flag is.
func (s Settings) schedulerConfig() *options.SchedulerConfiguration {
	if s.SchedulerConfig == nil {
		return nil
	}
	text := fmt.Sprintf(`{"podTopologySpread": {"defaultConstraints": %s}}`, s.SchedulerConfig.DefaultConstraints)
	return lo.Must(options.ParseSchedulerConfiguration(text))
}
