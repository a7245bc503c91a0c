package main

import (
	"context"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// setBudgetStatus gives PodDisruptionBudgets the status that Kubernetes would write: how many pods may be disrupted
// now. All pods belong to a controller that has as many pods as it wants.
func (p *pass) setBudgetStatus(ctx context.Context) error {
	budgets, pods := &policyv1.PodDisruptionBudgetList{}, &corev1.PodList{}
	if err := p.Kube.List(ctx, budgets); err != nil {
		return err
	}
	if err := p.Kube.List(ctx, pods); err != nil {
		return err
	}
	for index := range budgets.Items {
		budget := &budgets.Items[index]
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil {
			return err
		}
		selected := lo.Filter(pods.Items, func(pod corev1.Pod, _ int) bool {
			return pod.Namespace == budget.Namespace && selector.Matches(labels.Set(pod.Labels)) &&
				pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed
		})
		budget.Status.DisruptionsAllowed = disruptionsAllowed(budget.Spec, selected)
		if err := p.Kube.Status().Update(ctx, budget); err != nil {
			return err
		}
	}
	return nil
}

// disruptionsAllowed follows Kubernetes' disruption controller (pkg/controller/disruption).
func disruptionsAllowed(spec policyv1.PodDisruptionBudgetSpec, pods []corev1.Pod) int32 {
	healthy := lo.CountBy(pods, func(pod corev1.Pod) bool {
		return pod.DeletionTimestamp == nil && lo.ContainsBy(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
	})
	expected := len(pods)
	if spec.MaxUnavailable != nil || (spec.MinAvailable != nil && spec.MinAvailable.Type == intstr.String) {
		if lo.SomeBy(pods, isScaleless) {
			return 0
		}
		// Pods without a controller do not count towards a percentage.
		expected = lo.CountBy(pods, func(pod corev1.Pod) bool { return metav1.GetControllerOf(&pod) != nil })
	}
	desired := 0
	switch {
	case spec.MaxUnavailable != nil:
		desired = max(0, expected-lo.Must(intstr.GetScaledValueFromIntOrPercent(spec.MaxUnavailable, expected, true)))
	case spec.MinAvailable != nil:
		desired = lo.Must(intstr.GetScaledValueFromIntOrPercent(spec.MinAvailable, expected, true))
	}
	if expected <= 0 {
		return 0
	}
	return int32(max(0, healthy-desired))
}

// isScaleless is whether the pods' controller has no scale subresource, so that its wanted count is unknown.
func isScaleless(pod corev1.Pod) bool {
	controller := metav1.GetControllerOf(&pod)
	return controller != nil && !lo.Contains([]string{"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"}, controller.Kind)
}
