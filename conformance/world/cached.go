package world

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// cached answers from memory once the cluster is complete, as Karpenter's informers do. The fake client encodes and
// decodes JSON for each object, which must not count as Karpenter's time. Nothing may be written from then on.
type cached struct {
	client.Client
	standing bool
	sync.Mutex
	lists map[reflect.Type][]client.Object
	// podsOn has the pods of each node, and pending pods under the empty name; it is filled on first use.
	podsOn  map[string][]client.Object
	objects map[string]client.Object
}

// Stand marks the cluster as complete: nothing is written from then on.
func (p *Problem) Stand() { p.cache.standing = true }

func newCached(of client.Client) *cached {
	return &cached{Client: of, lists: map[reflect.Type][]client.Object{}, objects: map[string]client.Object{}}
}

func (c *cached) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	asked := (&client.ListOptions{}).ApplyOptions(opts)
	if !c.standing || !isIndexed(list, asked) {
		return c.Client.List(ctx, list, opts...)
	}
	all, err := c.candidates(ctx, list, asked)
	if err != nil {
		return err
	}
	return meta.SetList(list, lo.FilterMap(all, func(o client.Object, _ int) (runtime.Object, bool) {
		if !matches(o, asked) {
			return nil, false
		}
		return lo.TernaryF(lo.FromPtr(asked.UnsafeDisableDeepCopy), func() runtime.Object { return o }, o.DeepCopyObject), true
	}))
}

func (c *cached) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	// Karpenter gets the volume with the namespace of the pod, which a real client ignores.
	if _, ok := into.(*corev1.PersistentVolume); ok {
		key.Namespace = ""
	}
	if !c.standing {
		return c.Client.Get(ctx, key, into, opts...)
	}
	c.Lock()
	defer c.Unlock()
	name := fmt.Sprintf("%T %s", into, key)
	known, ok := c.objects[name]
	if ok && known == nil {
		return apierrors.NewNotFound(corev1.Resource(name), key.Name)
	}
	if ok {
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(known.DeepCopyObject()).Elem())
		return nil
	}
	err := c.Client.Get(ctx, key, into, opts...)
	if err == nil {
		c.objects[name] = into.DeepCopyObject().(client.Object)
	} else if apierrors.IsNotFound(err) {
		c.objects[name] = nil
	}
	return err
}

// candidates are the objects that may match: for the pods of one node, those of the index.
func (c *cached) candidates(ctx context.Context, list client.ObjectList, asked *client.ListOptions) ([]client.Object, error) {
	all, err := c.all(ctx, list)
	if err != nil || asked.FieldSelector == nil {
		return all, err
	}
	node, ok := asked.FieldSelector.RequiresExactMatch("spec.nodeName")
	if !ok {
		return all, nil
	}
	c.Lock()
	defer c.Unlock()
	if c.podsOn == nil {
		c.podsOn = lo.GroupBy(all, func(o client.Object) string { return o.(*corev1.Pod).Spec.NodeName })
	}
	return c.podsOn[node], nil
}

func (c *cached) all(ctx context.Context, like client.ObjectList) ([]client.Object, error) {
	c.Lock()
	defer c.Unlock()
	kind := reflect.TypeOf(like)
	if known, ok := c.lists[kind]; ok {
		return known, nil
	}
	list := reflect.New(kind.Elem()).Interface().(client.ObjectList)
	if err := c.Client.List(ctx, list); err != nil {
		return nil, err
	}
	items, err := meta.ExtractList(list)
	c.lists[kind] = lo.Map(items, func(item runtime.Object, _ int) client.Object { return item.(client.Object) })
	return c.lists[kind], err
}

// isIndexed is whether the field has an index: Karpenter uses only the node name of pods often.
func isIndexed(list client.ObjectList, asked *client.ListOptions) bool {
	_, isPods := list.(*corev1.PodList)
	return asked.FieldSelector == nil || isPods
}

func matches(o client.Object, asked *client.ListOptions) bool {
	if asked.Namespace != "" && o.GetNamespace() != asked.Namespace {
		return false
	}
	if asked.LabelSelector != nil && !asked.LabelSelector.Matches(labels.Set(o.GetLabels())) {
		return false
	}
	return asked.FieldSelector == nil || lo.EveryBy(asked.FieldSelector.Requirements(), func(each fields.Requirement) bool {
		return o.(*corev1.Pod).Spec.NodeName == each.Value
	})
}
