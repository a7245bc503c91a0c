package main

import (
	"context"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

// amounts are the resources of the instance types for a node class, in columns: CPU in millicores, all other resources
// in whole units.
type amounts struct {
	Names       []string           `json:"names"`
	Capacity    map[string][]int64 `json:"capacity"`
	Allocatable map[string][]int64 `json:"allocatable"`
}

// resolve returns the provider's instance types for the one node class in the manifests.
func resolve(ctx context.Context, env *oracle.Environment, s scenario) (*amounts, error) {
	list, err := env.InstanceTypes(ctx, s.ScenarioInput)
	if err != nil {
		return nil, err
	}
	sort.Slice(list, func(a, b int) bool { return list[a].Name < list[b].Name })
	result := &amounts{Capacity: map[string][]int64{}, Allocatable: map[string][]int64{}}
	resources := sets.New[corev1.ResourceName]()
	for _, it := range list {
		result.Names = append(result.Names, it.Name)
		resources.Insert(sets.KeySet(it.Capacity).UnsortedList()...)
	}
	for resource := range resources {
		for _, it := range list {
			result.Capacity[string(resource)] = append(result.Capacity[string(resource)], amount(resource, it.Capacity))
			result.Allocatable[string(resource)] = append(result.Allocatable[string(resource)], amount(resource, it.Allocatable()))
		}
	}
	return result, nil
}

func amount(resource corev1.ResourceName, list corev1.ResourceList) int64 {
	quantity := list[resource]
	if resource == corev1.ResourceCPU {
		return quantity.MilliValue()
	}
	return quantity.Value()
}
