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

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
)

// pod is a running pod, or the replacement of a deleted one.
type pod struct {
	*corev1.Pod
	readyFrom time.Time
	// told is when the pod started to terminate in this simulation, stops is when it will end, and gone is when it was
	// deleted.
	told, stops, gone *time.Time
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
	objects, err := objectsOf(s)
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
			a.pods = append(a.pods, &pod{Pod: o, readyFrom: s.Now, stops: a.stopOfTold(o)})
		case *policyv1.PodDisruptionBudget:
			a.budgets = append(a.budgets, &budget{PodDisruptionBudget: o})
		default:
			others = append(others, o)
		}
	}
	// If several pods are due at the same time, Karpenter takes any first; here they are taken node by node.
	slices.SortStableFunc(a.pods, func(one, other *pod) int { return strings.Compare(one.Spec.NodeName, other.Spec.NodeName) })
	for _, each := range a.budgets {
		each.expect(a.pods)
	}
	a.Client = world.NewClient(others)
	return a, nil
}

// List returns the pods of a node.
func (a *api) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	pods, ok := list.(*corev1.PodList)
	if !ok {
		return a.Client.List(ctx, list, opts...)
	}
	node, _ := (&client.ListOptions{}).ApplyOptions(opts).FieldSelector.RequiresExactMatch("spec.nodeName")
	for _, each := range a.pods {
		if each.gone == nil && each.Spec.NodeName == node {
			pods.Items = append(pods.Items, *each.DeepCopy())
		}
	}
	return nil
}

func (a *api) Delete(ctx context.Context, object client.Object, opts ...client.DeleteOption) error {
	wanted, ok := object.(*corev1.Pod)
	if !ok {
		return a.Client.Delete(ctx, object, opts...)
	}
	asked := (&client.DeleteOptions{}).ApplyOptions(opts)
	return a.found(wanted, func(one *pod) error {
		a.end(one, *asked.GracePeriodSeconds)
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
	return e.found(object.(*corev1.Pod), func(one *pod) error {
		if err := e.allows(one); err != nil {
			return err
		}
		e.end(one, *one.Spec.TerminationGracePeriodSeconds)
		return nil
	})
}

// stopOfTold is when a pod ends that was already terminating at the start: after the usual stop time, at the end of its
// grace period, or never.
func (a *api) stopOfTold(one *corev1.Pod) *time.Time {
	if one.DeletionTimestamp == nil {
		return nil
	}
	grace := time.Duration(*one.Spec.TerminationGracePeriodSeconds) * time.Second
	killed := one.DeletionTimestamp.Time
	for _, at := range []time.Time{killed.Add(min(0, time.Duration(a.PodStop)*time.Second-grace)), killed} {
		if at.After(a.Now) {
			return &at
		}
	}
	return nil
}

func (a *api) found(wanted *corev1.Pod, do func(*pod) error) error {
	for _, each := range a.pods {
		if each.gone == nil && each.UID == wanted.UID {
			return do(each)
		}
	}
	return apierrors.NewNotFound(corev1.Resource("pods"), wanted.Name)
}

// end starts the termination of a pod, unless it already ends earlier, and lets its controller create the replacement.
func (a *api) end(one *pod, grace int64) {
	now := a.clock.Now()
	isFirst := one.DeletionTimestamp == nil
	over := metav1.NewTime(now.Add(time.Duration(grace) * time.Second))
	if isFirst || over.Before(one.DeletionTimestamp) {
		one.DeletionTimestamp = &over
	}
	stops := now.Add(time.Duration(min(int64(a.PodStop), grace)) * time.Second)
	if one.stops == nil || stops.Before(*one.stops) {
		one.stops = &stops
	}
	if !isFirst {
		return
	}
	one.told = &now
	if isReplaced(one) {
		a.replace(one)
	}
}

// endPods deletes the pods whose time is over.
func (a *api) endPods() {
	now := a.clock.Now()
	for _, each := range a.pods {
		if each.gone == nil && each.stops != nil && !each.stops.After(now) {
			each.gone = &now
		}
	}
	a.makeOrdered()
}

// makeOrdered lets StatefulSets recreate deleted pods one after the other, each when the earlier ones are ready
// (pkg/controller/statefulset/stateful_set_control.go).
func (a *api) makeOrdered() {
	bySet := lo.GroupBy(lo.Filter(a.pods, func(one *pod, _ int) bool { return kindOfOwner(one) == "StatefulSet" && !isOver(one) }),
		func(one *pod) string { return metav1.GetControllerOf(one.Pod).Name })
	for _, own := range bySet {
		newest := lo.Associate(own, func(one *pod) (string, *pod) { return one.Name, one })
		names := lo.Keys(newest)
		slices.Sort(names)
		for _, name := range names {
			if newest[name].gone != nil {
				a.replace(newest[name])
				break
			}
			if newest[name].DeletionTimestamp != nil || newest[name].readyFrom.After(a.clock.Now()) {
				break
			}
		}
	}
}

// endAll deletes the pods of a terminated node.
func (a *api) endAll(node string) {
	now := a.clock.Now()
	for _, each := range a.pods {
		if each.gone == nil && each.Spec.NodeName == node {
			each.gone = &now
			if each.DeletionTimestamp == nil && isReplaced(each) && !isOver(each) {
				a.replace(each)
			}
		}
	}
	a.makeOrdered()
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
	for _, each := range a.pods {
		if each.told == nil {
			continue
		}
		one := asked{Pod: each.Namespace + "/" + each.Name, At: each.told.Sub(a.Now).Seconds()}
		if each.gone != nil {
			one.Gone = lo.ToPtr(each.gone.Sub(a.Now).Seconds())
		}
		result.Asked = append(result.Asked, one)
	}
	return result
}
