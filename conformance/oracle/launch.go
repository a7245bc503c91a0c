package oracle

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"

	"github.com/aws/karpenter-provider-aws/pkg/providers/instance/filter"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
)

// maxLaunchTypes is the provider's own limit, which it does not export.
const maxLaunchTypes = 60

// Launch is the launch request to EC2.
type Launch struct {
	// Failed launches break minValues.
	Failed        bool     `json:"failed,omitempty"`
	CapacityType  string   `json:"capacityType"`
	InstanceTypes []string `json:"instanceTypes"`
	UsdPerHour    float64  `json:"usdPerHour"`
}

// LaunchOf is the launch of a claim of the scheduler.
func (p *SimulatedCluster) LaunchOf(ctx context.Context, from *scheduling.NodeClaim) (Launch, error) {
	pool := &karpv1.NodePool{}
	if err := p.Kube.Get(ctx, keyOf(from.NodePoolName), pool); err != nil {
		return Launch{}, err
	}
	types, err := p.Cloud.GetInstanceTypes(ctx, pool)
	if err != nil {
		return Launch{}, err
	}
	return launchRequestFor(ctx, from.ToNodeClaim(), types), nil
}

// launchRequestFor runs the provider's filters on the claim, in its order. Types of equal price, which Karpenter leaves
// in random order, are cut off by name.
func launchRequestFor(ctx context.Context, claim *karpv1.NodeClaim, types []*cloudprovider.InstanceType) Launch {
	reqs := requirements.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...)
	types, _ = filter.CompatibleLaunchableFilter(reqs, claim.Spec.Resources.Requests).FilterReject(types)
	// Some of the filters remove offerings from types, which the scheduler shares.
	types = lo.Map(types, func(it *cloudprovider.InstanceType, _ int) *cloudprovider.InstanceType { return it.DeepCopy() })
	for _, rejecting := range []filter.Filter{
		filter.CapacityReservationTypeFilter(reqs),
		filter.CapacityBlockFilter(reqs),
		filter.ReservedOfferingFilter(reqs),
		filter.ExoticInstanceTypeFilter(reqs),
		filter.SpotOfferingFilter(reqs),
	} {
		types, _ = rejecting.FilterReject(types)
	}
	sortByPrice(types, reqs)
	types = lo.Slice(types, 0, maxLaunchTypes)
	if options.FromContext(ctx).MinValuesPolicy != options.MinValuesPolicyBestEffort {
		if _, _, err := cloudprovider.InstanceTypes(types).SatisfiesMinValues(reqs); err != nil {
			return Launch{Failed: true}
		}
	}
	return requestOf(types, reqs)
}

// requestOf follows getCapacityType and getOverrides of the provider, which are not exported.
func requestOf(types []*cloudprovider.InstanceType, reqs requirements.Requirements) Launch {
	result := Launch{CapacityType: karpv1.CapacityTypeOnDemand}
	for _, capacityType := range []string{karpv1.CapacityTypeReserved, karpv1.CapacityTypeSpot} {
		if !reqs.Get(karpv1.CapacityTypeLabelKey).Has(capacityType) {
			continue
		}
		if lo.SomeBy(types, func(it *cloudprovider.InstanceType) bool {
			return !math.IsInf(priceOf(it, withCapacityType(reqs, capacityType)), 1)
		}) {
			result.CapacityType = capacityType
			break
		}
	}
	wanted := withCapacityType(reqs, result.CapacityType)
	candidates := lo.Filter(types, func(it *cloudprovider.InstanceType, _ int) bool { return !math.IsInf(priceOf(it, wanted), 1) })
	sortByPrice(candidates, wanted)
	result.InstanceTypes = lo.Map(candidates, func(it *cloudprovider.InstanceType, _ int) string { return it.Name })
	if len(candidates) > 0 {
		result.UsdPerHour = priceOf(candidates[0], wanted)
	}
	return result
}

func withCapacityType(reqs requirements.Requirements, capacityType string) requirements.Requirements {
	result := requirements.NewRequirements(reqs.Values()...)
	result[karpv1.CapacityTypeLabelKey] = requirements.NewRequirement(karpv1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, capacityType)
	return result
}

func sortByPrice(types []*cloudprovider.InstanceType, reqs requirements.Requirements) {
	prices := lo.SliceToMap(types, func(it *cloudprovider.InstanceType) (string, float64) { return it.Name, priceOf(it, reqs) })
	sort.Slice(types, func(i, j int) bool {
		left, right := types[i].Name, types[j].Name
		if prices[left] != prices[right] {
			return prices[left] < prices[right]
		}
		return left < right
	})
}

// SortEqualPrices sorts adjacent types of equal price by name, because Karpenter leaves them in random order.
func SortEqualPrices(types []*cloudprovider.InstanceType, reqs requirements.Requirements) {
	for from := 0; from < len(types); {
		to := from + 1
		for to < len(types) && priceOf(types[to], reqs) == priceOf(types[from], reqs) {
			to++
		}
		slices.SortFunc(types[from:to], func(a, b *cloudprovider.InstanceType) int { return strings.Compare(a.Name, b.Name) })
		from = to
	}
}

func priceOf(it *cloudprovider.InstanceType, reqs requirements.Requirements) float64 {
	price := math.Inf(1)
	for _, offering := range it.Offerings.Launchable().Compatible(reqs) {
		price = math.Min(price, offering.Price)
	}
	return price
}
