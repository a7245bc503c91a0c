package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	"sigs.k8s.io/karpenter/pkg/events"
)

// answer has the decision of each method as if the others had found nothing: the controller takes the first method that
// finds something.
type answer struct {
	Methods []methodAnswer `json:"methods"`
	// Drifts are Karpenter's drift reasons, by NodeClaim.
	Drifts map[string]string `json:"drifts"`
	// Confirmed are the commands that pass validation, by method.
	Confirmed map[string][]command `json:"confirmed,omitempty"`
}

type methodAnswer struct {
	Method string `json:"method"`
	// Candidates are the names of the method's candidate nodes, sorted.
	Candidates []string       `json:"candidates"`
	Budgets    map[string]int `json:"budgets"`
	Commands   []command      `json:"commands"`
	// Remarks are the remarks about nodes that are not disrupted.
	Remarks []remark `json:"said"`
	Error   string   `json:"error,omitempty"`
}

type command struct {
	Decision string `json:"decision"`
	// Candidates are sorted by name.
	Candidates   []string      `json:"candidates"`
	Replacements []replacement `json:"replacements"`
	Savings      float64       `json:"savings"`
	// TerminateFirst is why a node is terminated before its replacement is ready.
	TerminateFirst string `json:"terminateFirst,omitempty"`
}

type replacement struct {
	NodePool string `json:"nodePool"`
	// InstanceTypes are in Karpenter's order; equal prices by name.
	InstanceTypes []string `json:"instanceTypes"`
	Zones         []string `json:"zones"`
	CapacityTypes []string `json:"capacityTypes"`
}

type remark struct {
	Node    string `json:"node"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func nameOf(method disruption.Method) string {
	return strings.TrimPrefix(fmt.Sprintf("%T", method), "*disruption.")
}

func names(candidates []*disruption.Candidate) []string {
	result := lo.Map(candidates, func(candidate *disruption.Candidate, _ int) string { return candidate.Name() })
	sort.Strings(result)
	return result
}

func commandOf(from disruption.Command) command {
	return command{
		Decision:       string(from.Decision()),
		Candidates:     names(from.Candidates),
		Replacements:   lo.Map(from.Replacements, func(replacement *disruption.Replacement, _ int) replacement { return replacementOf(replacement) }),
		Savings:        from.EstimatedSavings(),
		TerminateFirst: string(from.TerminateFirstReason),
	}
}

func replacementOf(from *disruption.Replacement) replacement {
	result := replacement{NodePool: from.NodePoolName}
	zones, capacityTypes := map[string]bool{}, map[string]bool{}
	options := slices.Clone(from.InstanceTypeOptions)
	oracle.SortEqualPrices(options, from.Requirements)
	for _, it := range options {
		result.InstanceTypes = append(result.InstanceTypes, it.Name)
		for _, offering := range it.Offerings.Launchable().Compatible(from.Requirements) {
			zones[offering.Zone()], capacityTypes[offering.CapacityType()] = true, true
		}
	}
	result.Zones, result.CapacityTypes = lo.Keys(zones), lo.Keys(capacityTypes)
	sort.Strings(result.Zones)
	sort.Strings(result.CapacityTypes)
	return result
}

var remarkReasons = []string{events.Unconsolidatable, events.DisruptionBlocked, events.NodeRepairBlocked}

// recorder collects the events of nodes; Karpenter publishes each event on the Node and on its NodeClaim.
type recorder struct {
	remarks []remark
	// names of nodes, by claim.
	names map[string]string
}

func (r *recorder) Publish(all ...events.Event) {
	for _, event := range all {
		if claim, ok := event.InvolvedObject.(*karpv1.NodeClaim); ok && lo.Contains(remarkReasons, event.Reason) {
			r.remarks = append(r.remarks, remark{Node: r.names[claim.Name], Reason: event.Reason, Message: event.Message})
		}
	}
}
