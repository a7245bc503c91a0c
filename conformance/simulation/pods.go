package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// kubernetes imitates the parts of Kubernetes that pods need: their controllers, the kubelet, and PodDisruptionBudgets.
type kubernetes struct {
	*store
	scenario
	clock *clocktesting.FakeClock
	// due is when the current phase of a pod ends.
	due       map[types.UID]time.Time
	budgets   []*budget
	workloads map[string]*workloadStats
	// unreachable are unreachable nodes; lostDue is when their pods are evicted.
	unreachable       map[string]bool
	taintEvictionsDue map[types.UID]time.Time
	// deletedStatefulPods are deleted pods of StatefulSets that are not recreated yet.
	deletedStatefulPods []*corev1.Pod
}

func (k *kubernetes) after(seconds int) time.Time {
	return k.clock.Now().Add(time.Duration(seconds) * time.Second)
}

// advancePods moves pods to their next phase if the current one is over.
func (k *kubernetes) advancePods() {
	isDue := func(pod *corev1.Pod) bool {
		end, known := k.due[pod.UID]
		return known && !end.After(k.clock.Now())
	}
	for _, pod := range copiesOf(k.store, isDue) {
		delete(k.due, pod.UID)
		if pod.DeletionTimestamp != nil {
			k.deletePod(pod)
			continue
		}
		pod.Status.Phase = corev1.PodRunning
		setReady(pod, true, k.clock.Now())
		k.put(pod)
	}
	k.recreateStatefulPods()
}

func setReady(pod *corev1.Pod, ready bool, now time.Time) {
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodReady, Status: lo.Ternary(ready, corev1.ConditionTrue, corev1.ConditionFalse), LastTransitionTime: metav1.NewTime(now),
	}}
}

// bind binds a pod to a node as the Kubernetes scheduler does.
func (k *kubernetes) bind(key client.ObjectKey, node string) error {
	pod := &corev1.Pod{}
	if err := k.Get(context.Background(), key, pod); err != nil {
		return err
	}
	now := metav1.NewTime(k.clock.Now())
	pod.Spec.NodeName = node
	pod.Status.Conditions = nil
	pod.Status.StartTime = &now
	k.due[pod.UID] = k.after(k.PodStart)
	k.put(pod)
	return nil
}

// startTermination starts the termination of a pod, unless it already ends earlier, and lets its controller create the
// replacement.
func (k *kubernetes) startTermination(pod *corev1.Pod, grace int64) {
	isFirst := pod.DeletionTimestamp == nil
	deadline := metav1.NewTime(k.after(int(grace)))
	if isFirst || deadline.Before(pod.DeletionTimestamp) {
		pod.DeletionTimestamp = &deadline
	}
	stops := k.after(int(min(int64(k.PodStop), grace)))
	if end, known := k.due[pod.UID]; !k.unreachable[pod.Spec.NodeName] && (isFirst || !known || stops.Before(end)) {
		k.due[pod.UID] = stops
	}
	k.put(pod)
	if isFirst {
		k.countEviction(pod)
		k.createReplacement(pod)
	}
}

// terminationEnd is when a pod is deleted that was already terminating at the start: after the usual stop time, or at
// its deadline.
func (k *kubernetes) terminationEnd(pod *corev1.Pod) time.Time {
	grace := time.Duration(*pod.Spec.TerminationGracePeriodSeconds) * time.Second
	stops := pod.DeletionTimestamp.Add(min(time.Duration(k.PodStop)*time.Second, grace) - grace)
	return lo.Ternary(stops.After(k.clock.Now()), stops, pod.DeletionTimestamp.Time)
}

func (k *kubernetes) countEviction(pod *corev1.Pod) {
	if stats := k.workloads[workloadOf(pod)]; stats != nil {
		stats.Evictions++
	}
}

// createReplacement lets the controller create the replacement, if it does so immediately.
func (k *kubernetes) createReplacement(pod *corev1.Pod) {
	if kindOfOwner(pod) == "ReplicaSet" || kindOfOwner(pod) == "Job" {
		k.recreate(pod, "")
	}
}

func (k *kubernetes) recreate(pod *corev1.Pod, name string) {
	next := pod.DeepCopy()
	next.ObjectMeta = metav1.ObjectMeta{
		Name: name, GenerateName: metav1.GetControllerOf(pod).Name + "-", Namespace: pod.Namespace,
		Labels: pod.Labels, Annotations: pod.Annotations, OwnerReferences: pod.OwnerReferences,
	}
	next.Spec.NodeName = ""
	next.Status = corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
	}}}
	lo.Must0(k.Create(context.Background(), next))
}

func (k *kubernetes) deletePod(pod *corev1.Pod) {
	k.remove(pod)
	if kindOfOwner(pod) == "StatefulSet" {
		k.deletedStatefulPods = append(k.deletedStatefulPods, pod)
	}
}

// deletePodsOf deletes the pods of a removed node.
func (k *kubernetes) deletePodsOf(node string) {
	for _, pod := range copiesOf(k.store, func(pod *corev1.Pod) bool { return pod.Spec.NodeName == node }) {
		k.deletePod(pod)
		if pod.DeletionTimestamp == nil && !isTerminal(pod) {
			k.countEviction(pod)
			k.createReplacement(pod)
		}
	}
	k.recreateStatefulPods()
}

// recreateStatefulPods lets StatefulSets recreate deleted pods one after the other, each when the earlier ones are
// ready (pkg/controller/statefulset/stateful_set_control.go).
func (k *kubernetes) recreateStatefulPods() {
	slices.SortStableFunc(k.deletedStatefulPods, func(a, b *corev1.Pod) int { return ordinalOf(a) - ordinalOf(b) })
	pods := listAll[*corev1.Pod](k.store)
	k.deletedStatefulPods = lo.Filter(k.deletedStatefulPods, func(deleted *corev1.Pod, index int) bool {
		mustWait := lo.SomeBy(k.deletedStatefulPods[:index], func(other *corev1.Pod) bool { return workloadOf(other) == workloadOf(deleted) }) ||
			lo.SomeBy(pods, func(other *corev1.Pod) bool {
				return workloadOf(other) == workloadOf(deleted) && ordinalOf(other) < ordinalOf(deleted) && !isHealthy(other) && !isTerminal(other)
			})
		if !mustWait {
			k.recreate(deleted, deleted.Name)
		}
		return mustWait
	})
}

// ordinalOf is -1 if the name does not end with an ordinal, as in Kubernetes.
func ordinalOf(pod *corev1.Pod) int {
	ordinal, err := strconv.Atoi(pod.Name[strings.LastIndex(pod.Name, "-")+1:])
	return lo.Ternary(err == nil, ordinal, -1)
}

func isHealthy(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && !isTerminal(pod) && lo.SomeBy(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func isTerminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func kindOfOwner(pod *corev1.Pod) string {
	if controller := metav1.GetControllerOf(pod); controller != nil {
		return controller.Kind
	}
	return ""
}

// workloadOf is empty for pods without a controller.
func workloadOf(pod *corev1.Pod) string {
	controller := metav1.GetControllerOf(pod)
	if controller == nil || controller.Kind == "Node" || controller.Kind == "DaemonSet" {
		return ""
	}
	kind, name := controller.Kind, controller.Name
	if hash, ok := pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey]; ok && kind == "ReplicaSet" {
		kind, name = "Deployment", strings.TrimSuffix(name, "-"+hash)
	}
	return kind + " " + pod.Namespace + "/" + name
}

// updateWorkloads counts the ready pods.
func (k *kubernetes) updateWorkloads() {
	for _, stats := range k.workloads {
		stats.ready = 0
	}
	for _, pod := range listAll[*corev1.Pod](k.store) {
		if stats := k.workloads[workloadOf(pod)]; stats != nil && isHealthy(pod) {
			stats.ready++
		}
	}
	for _, stats := range k.workloads {
		stats.LowestReady = min(stats.LowestReady, stats.ready)
	}
}

// evictions is the eviction subresource of pods, which evaluates PodDisruptionBudgets.
type evictions struct {
	client.SubResourceClient
	*store
}

func (e evictions) Create(ctx context.Context, object client.Object, _ client.Object, _ ...client.SubResourceCreateOption) error {
	pod := &corev1.Pod{}
	if err := e.store.Get(ctx, keyOf(object), pod); err != nil {
		return err
	}
	if pod.UID != object.GetUID() {
		return apierrors.NewNotFound(corev1.Resource("pods"), pod.Name)
	}
	if err := e.store.checkEviction(pod); err != nil {
		return err
	}
	e.store.terminatePod(pod, *pod.Spec.TerminationGracePeriodSeconds)
	return nil
}

func (e evictions) Get(context.Context, client.Object, client.Object, ...client.SubResourceGetOption) error {
	panic("evictions are not read")
}

func (e evictions) Update(context.Context, client.Object, ...client.SubResourceUpdateOption) error {
	panic("evictions are not changed")
}

func (e evictions) Patch(context.Context, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
	panic("evictions are not changed")
}
