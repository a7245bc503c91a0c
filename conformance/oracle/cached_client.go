package oracle

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

// cachedClient answers from memory once the cluster is complete, as Karpenter's informers do. The fake client encodes
// and decodes JSON for each object, which must not count as Karpenter's time. Nothing may be written from then on.
type cachedClient struct {
	client.Client
	isFrozen bool
	sync.Mutex
	lists map[reflect.Type][]client.Object
	// podsOn has the pods of each node, and pending pods under the empty name; it is filled on first use.
	podsOn  map[string][]client.Object
	objects map[string]client.Object
}

// Freeze marks the cluster as complete: nothing is written from then on.
func (p *SimulatedCluster) Freeze() { p.cache.isFrozen = true }

func newCachedClient(of client.Client) *cachedClient {
	return &cachedClient{Client: of, lists: map[reflect.Type][]client.Object{}, objects: map[string]client.Object{}}
}

func (c *cachedClient) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	options := (&client.ListOptions{}).ApplyOptions(opts)
	if !c.isFrozen || !isIndexed(list, options) {
		return c.Client.List(ctx, list, opts...)
	}
	all, err := c.candidates(ctx, list, options)
	if err != nil {
		return err
	}
	return meta.SetList(list, lo.FilterMap(all, func(o client.Object, _ int) (runtime.Object, bool) {
		if !matches(o, options) {
			return nil, false
		}
		return lo.TernaryF(lo.FromPtr(options.UnsafeDisableDeepCopy), func() runtime.Object { return o }, o.DeepCopyObject), true
	}))
}

func (c *cachedClient) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	// Karpenter gets the volume with the namespace of the pod, which a real client ignores.
	if _, ok := into.(*corev1.PersistentVolume); ok {
		key.Namespace = ""
	}
	if !c.isFrozen {
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
func (c *cachedClient) candidates(ctx context.Context, list client.ObjectList, options *client.ListOptions) ([]client.Object, error) {
	all, err := c.all(ctx, list)
	if err != nil || options.FieldSelector == nil {
		return all, err
	}
	node, ok := options.FieldSelector.RequiresExactMatch("spec.nodeName")
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

func (c *cachedClient) all(ctx context.Context, like client.ObjectList) ([]client.Object, error) {
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
func isIndexed(list client.ObjectList, options *client.ListOptions) bool {
	_, isPods := list.(*corev1.PodList)
	return options.FieldSelector == nil || isPods
}

func matches(o client.Object, options *client.ListOptions) bool {
	if options.Namespace != "" && o.GetNamespace() != options.Namespace {
		return false
	}
	if options.LabelSelector != nil && !options.LabelSelector.Matches(labels.Set(o.GetLabels())) {
		return false
	}
	return options.FieldSelector == nil || lo.EveryBy(options.FieldSelector.Requirements(), func(requirement fields.Requirement) bool {
		return o.(*corev1.Pod).Spec.NodeName == requirement.Value
	})
}
