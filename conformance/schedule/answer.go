package main

import (
	"math"
	"sort"

	"github.com/samber/lo"
	"go.uber.org/multierr"
	corev1 "k8s.io/api/core/v1"

	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

type answer struct {
	NodeClaims    []claim      `json:"nodeClaims"`
	Unschedulable []refusedPod `json:"unschedulable"`
}

// claim is in the words of the verdict of `check`.
type claim struct {
	NodePool      string            `json:"nodePool"`
	Pods          []string          `json:"pods"`
	Requests      map[string]string `json:"requests"`
	InstanceTypes []string          `json:"instanceTypes"`
	Zones         []string          `json:"zones"`
	CapacityTypes []string          `json:"capacityTypes"`
	UsdPerHour    *float64          `json:"usdPerHour"`
	Launch        launch            `json:"launch"`
}

type refusedPod struct {
	Pod string `json:"pod"`
	// Ignored pods never reached the scheduler.
	Ignored bool `json:"ignored,omitempty"`
	// Errors has one for each pool that the scheduler tried, in its order.
	Errors []string `json:"errors"`
}

func nameOf(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

func claimOf(from *scheduling.NodeClaim) claim {
	zones, capacityTypes, cheapest := map[string]bool{}, map[string]bool{}, math.Inf(1)
	var names []string
	for _, it := range from.InstanceTypeOptions {
		names = append(names, it.Name)
		for _, offering := range it.Offerings.Available().Compatible(from.Requirements) {
			zones[offering.Zone()], capacityTypes[offering.CapacityType()] = true, true
			cheapest = math.Min(cheapest, offering.Price)
		}
	}
	result := claim{
		NodePool:      from.NodePoolName,
		Pods:          lo.Map(from.Pods, func(pod *corev1.Pod, _ int) string { return nameOf(pod) }),
		Requests:      map[string]string{},
		InstanceTypes: names,
		Zones:         lo.Keys(zones),
		CapacityTypes: lo.Keys(capacityTypes),
	}
	for name, quantity := range from.Spec.Resources.Requests {
		result.Requests[string(name)] = quantity.String()
	}
	if !math.IsInf(cheapest, 1) {
		result.UsdPerHour = &cheapest
	}
	sort.Strings(result.InstanceTypes)
	sort.Strings(result.Zones)
	sort.Strings(result.CapacityTypes)
	return result
}

func (a *answer) refuse(pod *corev1.Pod, err error) {
	a.Unschedulable = append(a.Unschedulable, refusedPod{
		Pod:    nameOf(pod),
		Errors: lo.Map(multierr.Errors(err), func(e error, _ int) string { return e.Error() }),
	})
}

func (a *answer) sort() {
	sort.Slice(a.Unschedulable, func(i, j int) bool { return a.Unschedulable[i].Pod < a.Unschedulable[j].Pod })
}
