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
	// isScaleless is whether a controller of its pods has no scale subresource, so that its wanted count is unknown.
	isScaleless       bool
	desired, expected int
}

func newBudget(pdb *policyv1.PodDisruptionBudget, pods []*corev1.Pod) *budget {
	b := &budget{PodDisruptionBudget: pdb}
	selected := lo.Filter(pods, func(pod *corev1.Pod, _ int) bool { return b.selects(pod) && !isTerminal(pod) })
	b.expected = len(selected)
	if b.Spec.MaxUnavailable != nil || (b.Spec.MinAvailable != nil && b.Spec.MinAvailable.Type == intstr.String) {
		b.isScaleless = lo.SomeBy(selected, func(pod *corev1.Pod) bool {
			kind := kindOfOwner(pod)
			return kind != "" && !lo.Contains([]string{"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"}, kind)
		})
		// Pods without a controller do not count towards a percentage.
		b.expected = lo.CountBy(selected, func(pod *corev1.Pod) bool { return kindOfOwner(pod) != "" })
	}
	switch {
	case b.Spec.MaxUnavailable != nil:
		b.desired = max(0, b.expected-lo.Must(intstr.GetScaledValueFromIntOrPercent(b.Spec.MaxUnavailable, b.expected, true)))
	case b.Spec.MinAvailable != nil:
		b.desired = lo.Must(intstr.GetScaledValueFromIntOrPercent(b.Spec.MinAvailable, b.expected, true))
	}
	return b
}

func (b *budget) selects(pod *corev1.Pod) bool {
	selector := lo.Must(metav1.LabelSelectorAsSelector(b.Spec.Selector))
	return pod.Namespace == b.Namespace && selector.Matches(labels.Set(pod.Labels))
}

func (b *budget) healthy(pods []*corev1.Pod) int {
	return lo.CountBy(pods, func(pod *corev1.Pod) bool { return b.selects(pod) && isHealthy(pod) })
}

// allowed is the number of allowed disruptions that Kubernetes would write into the status.
func (b *budget) allowed(pods []*corev1.Pod) int {
	if b.expected <= 0 || b.isScaleless {
		return 0
	}
	return max(0, b.healthy(pods)-b.desired)
}

// checkEviction follows the API server (pkg/registry/core/pod/storage/eviction.go).
func (k *kubernetes) checkEviction(pod *corev1.Pod) error {
	if isTerminal(pod) || pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodPending {
		return nil
	}
	selecting := lo.Filter(k.budgets, func(candidate *budget, _ int) bool { return candidate.selects(pod) })
	if len(selecting) > 1 {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: multipleBudgetsMessage}}
	}
	if len(selecting) == 0 {
		return nil
	}
	pods := listAll[*corev1.Pod](k.store)
	if !isHealthy(pod) {
		always := lo.FromPtr(selecting[0].Spec.UnhealthyPodEvictionPolicy) == policyv1.AlwaysAllow
		if healthy := selecting[0].healthy(pods); always || (healthy >= selecting[0].desired && selecting[0].desired > 0) {
			return nil
		}
	}
	if selecting[0].allowed(pods) == 0 {
		return apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
	}
	return nil
}
