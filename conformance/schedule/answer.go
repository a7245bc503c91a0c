package main

import (
	"context"
	"math"
	"sort"

	"github.com/samber/lo"
	"go.uber.org/multierr"
	corev1 "k8s.io/api/core/v1"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

type answer struct {
	NodeClaims []claim `json:"nodeClaims"`
	// Nodes are the existing nodes that get pods.
	Nodes         []filledNode       `json:"nodes"`
	Unschedulable []unschedulablePod `json:"unschedulable"`
	// Later are the later passes, if this pass leaves pods without a node. They treat the claims of earlier passes as
	// nodes.
	Later []answer `json:"later,omitempty"`
	// Unbindable is the number of pods on nodes of earlier passes that Kubernetes does not bind there, because a DaemonSet
	// gets their host port first.
	Unbindable int `json:"unbindable,omitempty"`
	// Cut is whether further passes would launch further nodes.
	Cut bool `json:"cut,omitempty"`
}

// claim has the form of the verdict of `check`.
type claim struct {
	NodePool      string            `json:"nodePool"`
	Pods          []string          `json:"pods"`
	Requests      map[string]string `json:"requests"`
	InstanceTypes []string          `json:"instanceTypes"`
	Zones         []string          `json:"zones"`
	CapacityTypes []string          `json:"capacityTypes"`
	UsdPerHour    *float64          `json:"usdPerHour"`
	Launch        oracle.Launch     `json:"launch"`
	// Static is whether the claim belongs to a static pool, which launches it regardless of pods; it has only pods and
	// launch.
	Static bool `json:"static,omitempty"`
}

type filledNode struct {
	Node string   `json:"node"`
	Pods []string `json:"pods"`
}

type unschedulablePod struct {
	Pod string `json:"pod"`
	// Ignored is whether the pod never reached the scheduler.
	Ignored bool `json:"ignored,omitempty"`
	// Errors has one error for each pool that the scheduler tried, in order.
	Errors []string `json:"errors"`
}

func nameOf(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }

func claimOf(from *scheduling.NodeClaim) claim {
	zones, capacityTypes, cheapest := map[string]bool{}, map[string]bool{}, math.Inf(1)
	var names []string
	for _, it := range from.InstanceTypeOptions {
		names = append(names, it.Name)
		for _, offering := range it.Offerings.Launchable().Compatible(from.Requirements) {
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

// addResults returns the claims with which Karpenter continues.
func (a *answer) addResults(ctx context.Context, p *problem, solved scheduling.Results) (scheduling.Results, error) {
	// The answer has the options of the unchanged claim, before instance types are cut off for the launch.
	claims := lo.SliceToMap(solved.NewNodeClaims, func(reported *scheduling.NodeClaim) (*scheduling.NodeClaim, claim) {
		return reported, claimOf(reported)
	})
	solved = solved.TruncateInstanceTypes(ctx, scheduling.MaxInstanceTypes)
	for _, claim := range solved.NewNodeClaims {
		reported := claims[claim]
		if !p.HasFakeTypes {
			var err error
			if reported.Launch, err = p.LaunchOf(ctx, claim); err != nil {
				return solved, err
			}
		}
		a.NodeClaims = append(a.NodeClaims, reported)
	}
	a.addNodes(p, solved.ExistingNodes)
	for pod, err := range solved.PodErrors {
		a.addUnschedulable(pod, err)
	}
	sort.Slice(a.Unschedulable, func(i, j int) bool { return a.Unschedulable[i].Pod < a.Unschedulable[j].Pod })
	return solved, nil
}

// addNodes reports the existing nodes that get pods; those of static pools are reported as claims.
func (a *answer) addNodes(p *problem, nodes []*scheduling.ExistingNode) {
	pods := lo.SliceToMap(nodes, func(node *scheduling.ExistingNode) (string, []string) {
		return node.Name(), lo.Map(node.Pods, func(pod *corev1.Pod, _ int) string { return nameOf(pod) })
	})
	for _, static := range p.StaticNodes {
		if p.isLater {
			break
		}
		a.NodeClaims = append(a.NodeClaims, claim{
			NodePool: static.Claim.Labels[karpv1.NodePoolLabelKey], Pods: pods[static.Claim.Name], Launch: static.Launch, Static: true,
		})
		delete(pods, static.Claim.Name)
	}
	for _, node := range lo.Keys(pods) {
		if len(pods[node]) > 0 {
			a.Nodes = append(a.Nodes, filledNode{Node: node, Pods: pods[node]})
		}
	}
	sort.Slice(a.Nodes, func(i, j int) bool { return a.Nodes[i].Node < a.Nodes[j].Node })
}

func (a *answer) addUnschedulable(pod *corev1.Pod, err error) {
	a.Unschedulable = append(a.Unschedulable, unschedulablePod{
		Pod:    nameOf(pod),
		Errors: lo.Map(multierr.Errors(err), func(e error, _ int) string { return e.Error() }),
	})
}
