package oracle

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
)

// firstNumber is the number that `check` gives the first launched node for a label without a fixed value.
const firstNumber = 1<<53 - 1

// numberOpenLabels replaces the numbers that Karpenter draws for labels that the pool leaves open. Each launch gets a
// smaller number than the one before, as in `check`: topology spread over such a label prefers one of several equal
// domains by its key.
func (p *SimulatedCluster) numberOpenLabels(claim *karpv1.NodeClaim) {
	allowed := requirements.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...)
	for key := range claim.Labels {
		if !allowed.Has(key) || allowed.Get(key).Operator() == corev1.NodeSelectorOpIn {
			continue
		}
		highest := highestNumber(claim, key)
		number := strconv.Itoa(highest - p.launches)
		if !allowed.Get(key).Has(number) {
			number = strconv.Itoa(highest)
		}
		claim.Labels[key] = number
	}
	p.launches++
}

// highestNumber is the highest number that `check` gives a node for the label.
func highestNumber(claim *karpv1.NodeClaim, key string) int {
	result := firstNumber
	for _, requirement := range claim.Spec.Requirements {
		if requirement.Key != key {
			continue
		}
		switch requirement.Operator {
		case karpv1.NodeSelectorOpLte:
			result, _ = strconv.Atoi(requirement.Values[0])
			return result
		case karpv1.NodeSelectorOpGte:
			lowest, _ := strconv.Atoi(requirement.Values[0])
			result = max(result, lowest)
		}
	}
	return result
}
