package main

import (
	"net/http"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// multipleBudgetsMessage is the API server's message by which Karpenter recognizes several PodDisruptionBudgets.
const multipleBudgetsMessage = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."

// budget is a PodDisruptionBudget with its expected pods, as Kubernetes' controller counts them
// (pkg/controller/disruption); the pods' controllers have as many pods as they want.
type budget struct {
	*policyv1.PodDisruptionBudget
	desired, expected int
}

func (b *budget) expect(pods []*pod) {
	selected := lo.Filter(pods, func(one *pod, _ int) bool {
		return b.selects(one) && !isTerminal(one) && (one.DeletionTimestamp == nil || kindOfOwner(one) == "StatefulSet")
	})
	b.expected = len(selected)
	switch {
	case b.Spec.MaxUnavailable != nil:
		b.desired = max(0, b.expected-lo.Must(intstr.GetScaledValueFromIntOrPercent(b.Spec.MaxUnavailable, b.expected, true)))
	case b.Spec.MinAvailable != nil:
		b.desired = lo.Must(intstr.GetScaledValueFromIntOrPercent(b.Spec.MinAvailable, b.expected, true))
	}
}

func (b *budget) selects(one *pod) bool {
	selector := lo.Must(metav1.LabelSelectorAsSelector(b.Spec.Selector))
	return one.Namespace == b.Namespace && selector.Matches(labels.Set(one.Labels))
}

// allowed is the number of allowed disruptions that Kubernetes would write into the status.
func (b *budget) allowed(a *api) int {
	healthy := lo.CountBy(a.pods, func(one *pod) bool {
		return one.deletedAt == nil && one.DeletionTimestamp == nil && !isTerminal(one) && !one.readyFrom.After(a.clock.Now()) && b.selects(one)
	})
	if b.expected <= 0 {
		return 0
	}
	return max(0, healthy-b.desired)
}

// checkEviction follows the API server (pkg/registry/core/pod/storage/eviction.go) for pods that are ready.
func (a *api) checkEviction(one *pod) error {
	if isTerminal(one) || one.DeletionTimestamp != nil {
		return nil
	}
	selecting := lo.Filter(a.budgets, func(candidate *budget, _ int) bool { return candidate.selects(one) })
	if len(selecting) > 1 {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: multipleBudgetsMessage}}
	}
	if len(selecting) == 1 && selecting[0].allowed(a) == 0 {
		return apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
	}
	return nil
}

func isTerminal(one *pod) bool {
	return one.Status.Phase == corev1.PodSucceeded || one.Status.Phase == corev1.PodFailed
}
