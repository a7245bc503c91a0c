package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

type objectKind = reflect.Type

// store imitates the API server: it keeps objects, reports each change, and has a settable clock. Lists are sorted by
// age.
type store struct {
	// Only its schemes and mappings are used.
	client.Client
	sync.Mutex
	clock   clock.PassiveClock
	objects map[objectKind]map[client.ObjectKey]client.Object
	// changes is the number of changes so far.
	changes int
	// createdCounts is the number of created objects by kind.
	createdCounts map[objectKind]int
	// onChange is called with the old and the new object; nil stands for a missing one.
	onChange func(before, after client.Object)
	// onNodeClaimCreated is called with each new NodeClaim.
	onNodeClaimCreated func(*karpv1.NodeClaim)
	// terminatePod terminates a pod within the given seconds; allows is whether PodDisruptionBudgets allow its
	// eviction.
	terminatePod  func(pod *corev1.Pod, grace int64)
	checkEviction func(pod *corev1.Pod) error
	// completeRead completes an object when it is read.
	completeRead func(client.Object)
}

func newStore(all []client.Object, clk clock.PassiveClock) *store {
	s := &store{
		Client: oracle.NewClient(nil), clock: clk, objects: map[objectKind]map[client.ObjectKey]client.Object{}, createdCounts: map[objectKind]int{},
		onChange: func(client.Object, client.Object) {}, completeRead: func(client.Object) {},
	}
	for _, object := range all {
		object.SetResourceVersion("0")
		s.set(object)
	}
	return s
}

func keyOf(o client.Object) client.ObjectKey { return client.ObjectKeyFromObject(o) }

func (s *store) set(o client.Object) {
	kind := reflect.TypeOf(o)
	if s.objects[kind] == nil {
		s.objects[kind] = map[client.ObjectKey]client.Object{}
	}
	s.objects[kind][keyOf(o)] = o
}

// put replaces an object, or deletes it if it is being deleted and has no finalizer left.
func (s *store) put(o client.Object) {
	s.Lock()
	kind := reflect.TypeOf(o)
	before := s.objects[kind][keyOf(o)]
	after := o.DeepCopyObject().(client.Object)
	s.changes++
	after.SetResourceVersion(fmt.Sprint(s.changes))
	if _, isPod := o.(*corev1.Pod); !isPod && after.GetDeletionTimestamp() != nil && len(after.GetFinalizers()) == 0 {
		after = nil
		delete(s.objects[kind], keyOf(o))
	} else {
		s.set(after)
	}
	s.Unlock()
	s.onChange(before, after)
}

// remove deletes an object immediately.
func (s *store) remove(o client.Object) {
	s.Lock()
	kind := reflect.TypeOf(o)
	before := s.objects[kind][keyOf(o)]
	delete(s.objects[kind], keyOf(o))
	s.changes++
	s.Unlock()
	if before != nil {
		s.onChange(before, nil)
	}
}

// listAll are the objects of the kind, oldest first; callers must not change them.
func listAll[T client.Object](s *store) []T {
	s.Lock()
	defer s.Unlock()
	return lo.Map(sortByAge(lo.Values(s.objects[reflect.TypeFor[T]()])), func(o client.Object, _ int) T { return o.(T) })
}

// copiesOf are copies of the matching objects.
func copiesOf[T client.Object](s *store, is func(T) bool) []T {
	return lo.FilterMap(listAll[T](s), func(o T, _ int) (T, bool) {
		if !is(o) {
			return o, false
		}
		return o.DeepCopyObject().(T), true
	})
}

func always[T client.Object](T) bool { return true }

func sortByAge(objects []client.Object) []client.Object {
	slices.SortFunc(objects, func(a, b client.Object) int {
		return cmp.Or(a.GetCreationTimestamp().Compare(b.GetCreationTimestamp().Time), cmp.Compare(a.GetUID(), b.GetUID()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return objects
}

func (s *store) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	s.Lock()
	kind := reflect.TypeOf(into)
	stored, ok := s.objects[kind][key]
	if !ok {
		stored, ok = s.objects[kind][client.ObjectKey{Name: key.Name}]
	}
	s.Unlock()
	if !ok {
		return apierrors.NewNotFound(corev1.Resource(kind.Elem().Name()), key.Name)
	}
	reflect.ValueOf(into).Elem().Set(reflect.ValueOf(stored.DeepCopyObject()).Elem())
	s.completeRead(into)
	return nil
}

func (s *store) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	options := (&client.ListOptions{}).ApplyOptions(opts)
	item := reflect.TypeOf(list).Elem()
	items, _ := item.FieldByName("Items")
	s.Lock()
	objects := sortByAge(lo.Filter(lo.Values(s.objects[reflect.PointerTo(items.Type.Elem())]), func(o client.Object, _ int) bool { return matches(o, options) }))
	s.Unlock()
	return meta.SetList(list, lo.Map(objects, func(o client.Object, _ int) runtime.Object {
		copied := o.DeepCopyObject().(client.Object)
		s.completeRead(copied)
		return copied
	}))
}

func matches(o client.Object, options *client.ListOptions) bool {
	if options.Namespace != "" && o.GetNamespace() != options.Namespace {
		return false
	}
	if options.LabelSelector != nil && !options.LabelSelector.Matches(labels.Set(o.GetLabels())) {
		return false
	}
	if options.FieldSelector == nil {
		return true
	}
	for _, requirement := range options.FieldSelector.Requirements() {
		if oracle.FieldValue(o, requirement.Field) != requirement.Value {
			return false
		}
	}
	return true
}

func (s *store) Create(_ context.Context, o client.Object, _ ...client.CreateOption) error {
	s.Lock()
	claim, isClaim := o.(*karpv1.NodeClaim)
	kind := reflect.TypeOf(o)
	if o.GetName() == "" {
		o.SetName(fmt.Sprintf("%snew-%d", o.GetGenerateName(), s.createdCounts[kind]))
	}
	s.createdCounts[kind]++
	o.SetUID(types.UID(fmt.Sprintf("~%09d", s.createdCounts[kind])))
	o.SetCreationTimestamp(metav1.NewTime(s.clock.Now()))
	s.Unlock()
	s.put(o)
	if isClaim && s.onNodeClaimCreated != nil {
		s.onNodeClaimCreated(claim)
	}
	return nil
}

func (s *store) Update(_ context.Context, o client.Object, _ ...client.UpdateOption) error {
	s.put(o)
	return nil
}

func (s *store) Patch(ctx context.Context, o client.Object, patch client.Patch, _ ...client.PatchOption) error {
	data, err := patch.Data(o)
	if err != nil {
		return err
	}
	s.Lock()
	stored, ok := s.objects[reflect.TypeOf(o)][keyOf(o)]
	s.Unlock()
	if !ok {
		return apierrors.NewNotFound(corev1.Resource(reflect.TypeOf(o).Elem().Name()), o.GetName())
	}
	before, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	var after []byte
	if patch.Type() == types.StrategicMergePatchType {
		after, err = strategicpatch.StrategicMergePatch(before, data, o)
	} else {
		after, err = jsonpatch.MergePatch(before, data)
	}
	if err != nil {
		return err
	}
	result := reflect.New(reflect.TypeOf(o).Elem()).Interface().(client.Object)
	if err := json.Unmarshal(after, result); err != nil {
		return err
	}
	s.put(result)
	reflect.ValueOf(o).Elem().Set(reflect.ValueOf(result.DeepCopyObject()).Elem())
	return nil
}

func (s *store) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	s.Lock()
	stored, ok := s.objects[reflect.TypeOf(o)][keyOf(o)]
	s.Unlock()
	if !ok {
		return apierrors.NewNotFound(corev1.Resource(reflect.TypeOf(o).Elem().Name()), o.GetName())
	}
	if pod, isPod := stored.(*corev1.Pod); isPod {
		s.terminatePod(pod.DeepCopy(), *(&client.DeleteOptions{}).ApplyOptions(opts).GracePeriodSeconds)
		return nil
	}
	if stored.GetDeletionTimestamp() != nil {
		return nil
	}
	deleting := stored.DeepCopyObject().(client.Object)
	deleting.SetDeletionTimestamp(lo.ToPtr(metav1.NewTime(s.clock.Now())))
	s.put(deleting)
	return nil
}

func (s *store) Status() client.SubResourceWriter { return statuses{store: s} }

func (s *store) SubResource(string) client.SubResourceClient { return evictions{store: s} }

// statuses are written with the other fields.
type statuses struct {
	client.SubResourceWriter
	*store
}

func (w statuses) Update(ctx context.Context, o client.Object, _ ...client.SubResourceUpdateOption) error {
	return w.store.Update(ctx, o)
}

func (w statuses) Patch(ctx context.Context, o client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
	return w.store.Patch(ctx, o, patch)
}

func (w statuses) Create(context.Context, client.Object, client.Object, ...client.SubResourceCreateOption) error {
	panic("no status is created")
}
