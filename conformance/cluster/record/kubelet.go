package main

import (
	"context"
	"sync"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientcache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// heartbeat is how often a kubelet reports an unchanged node.
const heartbeat = 5 * time.Minute

// kubelets stand for the kubelets of all nodes: nodes become ready, and pods start and end, some time after the event.
type kubelets struct {
	*connection
	ctx   context.Context
	times times
	mutex sync.Mutex
	// scheduled are the actions that need no second timer, by the object's UID.
	scheduled map[string]bool
}

func startKubelets(ctx context.Context, c *connection, f fleet) {
	k := &kubelets{connection: c, ctx: ctx, times: f.times(), scheduled: map[string]bool{}}
	watch(ctx, c, &corev1.Node{}, func(object any) { k.nodeChanged(object.(*corev1.Node)) })
	watch(ctx, c, &corev1.Pod{}, func(object any) { k.podChanged(object.(*corev1.Pod)) })
}

func watch(ctx context.Context, c *connection, kind client.Object, changed func(any)) {
	informer := lo.Must(c.cache.GetInformer(ctx, kind))
	lo.Must(informer.AddEventHandler(clientcache.ResourceEventHandlerFuncs{
		AddFunc:    changed,
		UpdateFunc: func(_, object any) { changed(object) },
	}))
}

// once runs an action after some time, unless it is scheduled already.
func (k *kubelets) once(uid types.UID, name string, after time.Duration, action func()) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if key := string(uid) + name; !k.scheduled[key] {
		k.scheduled[key] = true
		time.AfterFunc(after, action)
	}
}

func (k *kubelets) nodeChanged(node *corev1.Node) {
	if node.Spec.ProviderID != "" {
		k.once(node.UID, "ready", k.times.nodeReady, func() { k.reportNode(node.Name) })
	}
}

// reportNode reports the node as ready, now and at each heartbeat until the node is gone.
func (k *kubelets) reportNode(name string) {
	node := &corev1.Node{}
	if k.Get(k.ctx, client.ObjectKey{Name: name}, node) != nil {
		return
	}
	before := node.DeepCopy()
	now := metav1.Now()
	ready, _ := lo.Find(node.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == corev1.NodeReady })
	since := lo.Ternary(ready.Status == corev1.ConditionTrue, ready.LastTransitionTime, now)
	node.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: now, LastTransitionTime: since,
	}}
	wait := heartbeat
	if k.Status().Patch(k.ctx, node, client.MergeFrom(before)) != nil {
		wait = time.Second
	}
	time.AfterFunc(wait, func() { k.reportNode(name) })
}

func (k *kubelets) podChanged(pod *corev1.Pod) {
	if pod.Spec.NodeName == "" {
		return
	}
	key := client.ObjectKeyFromObject(pod)
	if pod.DeletionTimestamp != nil {
		k.once(pod.UID, "end", k.times.podEnd, func() { k.endPod(key, pod.UID) })
	} else if pod.Status.Phase == corev1.PodPending {
		k.once(pod.UID, "start", k.times.podReady, func() { k.startPod(key) })
	}
}

func (k *kubelets) endPod(key client.ObjectKey, uid types.UID) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
	err := k.Delete(k.ctx, pod, client.GracePeriodSeconds(0), client.Preconditions{UID: &uid})
	if client.IgnoreNotFound(err) != nil {
		time.AfterFunc(time.Second, func() { k.endPod(key, uid) })
	}
}

func (k *kubelets) startPod(key client.ObjectKey) {
	pod := &corev1.Pod{}
	if k.Get(k.ctx, key, pod) != nil || pod.DeletionTimestamp != nil {
		return
	}
	before := pod.DeepCopy()
	now := metav1.Now()
	pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		pod.Status.Conditions = append(lo.Reject(pod.Status.Conditions, func(c corev1.PodCondition, _ int) bool { return c.Type == kind }),
			corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	pod.Status.ContainerStatuses = lo.Map(pod.Spec.Containers, func(container corev1.Container, _ int) corev1.ContainerStatus {
		return corev1.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: true, Started: lo.ToPtr(true),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		}
	})
	if k.Status().Patch(k.ctx, pod, client.MergeFrom(before)) != nil {
		time.AfterFunc(time.Second, func() { k.startPod(key) })
	}
}
