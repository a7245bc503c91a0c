package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

// pod is a running pod, or the replacement of a deleted one.
type pod struct {
	*corev1.Pod
	readyFrom time.Time
	// terminatingSince is when the pod started to terminate in this simulation, stopsAt is when it will stop, and
	// deletedAt is when it was deleted.
	terminatingSince, stopsAt, deletedAt *time.Time
}

// api imitates the API server, the controllers of Kubernetes and the kubelet, as far as terminating pods need them.
type api struct {
	client.Client
	scenario
	clock   *clocktesting.FakeClock
	pods    []*pod
	budgets []*budget
}

func newAPI(s scenario, clk *clocktesting.FakeClock) (*api, error) {
	objects, err := readObjects(s)
	if err != nil {
		return nil, err
	}
	a := &api{scenario: s, clock: clk}
	var others []client.Object
	for _, object := range objects {
		switch o := object.(type) {
		case *corev1.Pod:
			if o.Spec.TerminationGracePeriodSeconds == nil {
				o.Spec.TerminationGracePeriodSeconds = lo.ToPtr(int64(corev1.DefaultTerminationGracePeriodSeconds))
			}
			a.pods = append(a.pods, &pod{Pod: o, readyFrom: s.Now, stopsAt: a.initialStop(o)})
		case *policyv1.PodDisruptionBudget:
			a.budgets = append(a.budgets, &budget{PodDisruptionBudget: o})
		default:
			others = append(others, o)
		}
	}
	// If several pods are due at the same time, Karpenter takes any first; here they are taken node by node.
	slices.SortStableFunc(a.pods, func(one, other *pod) int { return strings.Compare(one.Spec.NodeName, other.Spec.NodeName) })
	for _, pdb := range a.budgets {
		pdb.expect(a.pods)
	}
	a.Client = oracle.NewClient(others)
	return a, nil
}

// List returns the pods of a node.
func (a *api) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	pods, ok := list.(*corev1.PodList)
	if !ok {
		return a.Client.List(ctx, list, opts...)
	}
	node, _ := (&client.ListOptions{}).ApplyOptions(opts).FieldSelector.RequiresExactMatch("spec.nodeName")
	for _, pod := range a.pods {
		if pod.deletedAt == nil && pod.Spec.NodeName == node {
			pods.Items = append(pods.Items, *pod.DeepCopy())
		}
	}
	return nil
}

func (a *api) Delete(ctx context.Context, object client.Object, opts ...client.DeleteOption) error {
	target, ok := object.(*corev1.Pod)
	if !ok {
		return a.Client.Delete(ctx, object, opts...)
	}
	options := (&client.DeleteOptions{}).ApplyOptions(opts)
	return a.withPod(target, func(one *pod) error {
		a.startTermination(one, *options.GracePeriodSeconds)
		return nil
	})
}

func (a *api) SubResource(string) client.SubResourceClient { return evictions{api: a} }

// evictions is the eviction subresource of pods, which evaluates PodDisruptionBudgets.
type evictions struct {
	client.SubResourceClient
	*api
}

func (e evictions) Create(_ context.Context, object client.Object, _ client.Object, _ ...client.SubResourceCreateOption) error {
	return e.withPod(object.(*corev1.Pod), func(one *pod) error {
		if err := e.checkEviction(one); err != nil {
			return err
		}
		e.startTermination(one, *one.Spec.TerminationGracePeriodSeconds)
		return nil
	})
}

// initialStop is when a pod ends that was already terminating at the start: after the usual stop time, at the end of
// its grace period, or never.
func (a *api) initialStop(terminating *corev1.Pod) *time.Time {
	if terminating.DeletionTimestamp == nil {
		return nil
	}
	grace := time.Duration(*terminating.Spec.TerminationGracePeriodSeconds) * time.Second
	killed := terminating.DeletionTimestamp.Time
	for _, end := range []time.Time{killed.Add(min(0, time.Duration(a.PodStop)*time.Second-grace)), killed} {
		if end.After(a.Now) {
			return &end
		}
	}
	return nil
}

func (a *api) withPod(wanted *corev1.Pod, do func(*pod) error) error {
	for _, candidate := range a.pods {
		if candidate.deletedAt == nil && candidate.UID == wanted.UID {
			return do(candidate)
		}
	}
	return apierrors.NewNotFound(corev1.Resource("pods"), wanted.Name)
}

// startTermination starts the termination of a pod, unless it already ends earlier, and lets its controller create the
// replacement.
func (a *api) startTermination(pod *pod, grace int64) {
	now := a.clock.Now()
	isFirst := pod.DeletionTimestamp == nil
	deadline := metav1.NewTime(now.Add(time.Duration(grace) * time.Second))
	if isFirst || deadline.Before(pod.DeletionTimestamp) {
		pod.DeletionTimestamp = &deadline
	}
	stops := now.Add(time.Duration(min(int64(a.PodStop), grace)) * time.Second)
	if pod.stopsAt == nil || stops.Before(*pod.stopsAt) {
		pod.stopsAt = &stops
	}
	if !isFirst {
		return
	}
	pod.terminatingSince = &now
	if isReplaced(pod) {
		a.replace(pod)
	}
}

// deleteStopped deletes the pods whose time is over.
func (a *api) deleteStopped() {
	now := a.clock.Now()
	for _, pod := range a.pods {
		if pod.deletedAt == nil && pod.stopsAt != nil && !pod.stopsAt.After(now) {
			pod.deletedAt = &now
		}
	}
	a.recreateStatefulPods()
}

// recreateStatefulPods lets StatefulSets recreate deleted pods one after the other, each when the earlier ones are
// ready (pkg/controller/statefulset/stateful_set_control.go).
func (a *api) recreateStatefulPods() {
	bySet := lo.GroupBy(lo.Filter(a.pods, func(one *pod, _ int) bool { return kindOfOwner(one) == "StatefulSet" && !isTerminal(one) }),
		func(one *pod) string { return metav1.GetControllerOf(one.Pod).Name })
	for _, own := range bySet {
		newest := lo.Associate(own, func(one *pod) (string, *pod) { return one.Name, one })
		names := lo.Keys(newest)
		slices.Sort(names)
		for _, name := range names {
			if newest[name].deletedAt != nil {
				a.replace(newest[name])
				break
			}
			if newest[name].DeletionTimestamp != nil || newest[name].readyFrom.After(a.clock.Now()) {
				break
			}
		}
	}
}

// deletePodsOf deletes the pods of a terminated node.
func (a *api) deletePodsOf(node string) {
	now := a.clock.Now()
	for _, pod := range a.pods {
		if pod.deletedAt == nil && pod.Spec.NodeName == node {
			pod.deletedAt = &now
			if pod.DeletionTimestamp == nil && isReplaced(pod) && !isTerminal(pod) {
				a.replace(pod)
			}
		}
	}
	a.recreateStatefulPods()
}

// replace creates the replacement pod, which gets a node immediately.
func (a *api) replace(one *pod) {
	next := one.DeepCopy()
	next.UID, next.Spec.NodeName, next.DeletionTimestamp = one.UID+"-next", "elsewhere", nil
	a.pods = append(a.pods, &pod{Pod: next, readyFrom: a.clock.Now().Add(time.Duration(a.PodStart) * time.Second)})
}

func isReplaced(one *pod) bool {
	return lo.Contains([]string{"ReplicaSet", "Job"}, kindOfOwner(one))
}

func kindOfOwner(one *pod) string {
	if controller := metav1.GetControllerOf(one.Pod); controller != nil {
		return controller.Kind
	}
	return ""
}

func (a *api) answer(drained map[string]float64) *answer {
	result := &answer{Drained: drained}
	for _, pod := range a.pods {
		if pod.terminatingSince == nil {
			continue
		}
		entry := terminatedPod{Pod: pod.Namespace + "/" + pod.Name, At: pod.terminatingSince.Sub(a.Now).Seconds()}
		if pod.deletedAt != nil {
			entry.Deleted = lo.ToPtr(pod.deletedAt.Sub(a.Now).Seconds())
		}
		result.Terminated = append(result.Terminated, entry)
	}
	return result
}
