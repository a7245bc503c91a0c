package oracle

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	autoscaling "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

// creationTime is the creation time of every pod: with equal times, the uids decide the order of the queue, and they
// follow the manifests.
var creationTime = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))

var scheme = func() *runtime.Scheme {
	result := runtime.NewScheme()
	lo.Must0(clientgoscheme.AddToScheme(result))
	for _, group := range []struct {
		version schema.GroupVersion
		kinds   []runtime.Object
	}{
		{schema.GroupVersion{Group: "karpenter.sh", Version: "v1"}, []runtime.Object{
			&karpv1.NodePool{}, &karpv1.NodePoolList{}, &karpv1.NodeClaim{}, &karpv1.NodeClaimList{},
		}},
		{schema.GroupVersion{Group: "karpenter.sh", Version: "v1alpha1"}, []runtime.Object{&v1alpha1.NodeOverlay{}, &v1alpha1.NodeOverlayList{}}},
		{schema.GroupVersion{Group: autoscaling.Group, Version: "v1beta1"}, []runtime.Object{
			&autoscaling.CapacityBuffer{}, &autoscaling.CapacityBufferList{},
		}},
		{schema.GroupVersion{Group: "karpenter.k8s.aws", Version: "v1"}, []runtime.Object{&v1.EC2NodeClass{}, &v1.EC2NodeClassList{}}},
	} {
		result.AddKnownTypes(group.version, group.kinds...)
		metav1.AddToGroupVersion(result, group.version)
	}
	return result
}()

var decoder = serializer.NewCodecFactory(scheme).UniversalDeserializer()

// DecodeObjects reads documents as the API server does.
func DecodeObjects(text string) ([]client.Object, error) {
	documents, err := splitDocuments(text)
	if err != nil {
		return nil, err
	}
	result := make([]client.Object, len(documents))
	for index, raw := range documents {
		if result[index], err = decode(raw); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// NewClient holds objects, and has a status subresource for NodeClaims, as the API server has.
func NewClient(all []client.Object) client.Client {
	return builder(all).WithStatusSubresource(&karpv1.NodeClaim{}).Build()
}

// newClient holds the objects, and answers as the API server does.
func newClient(all []client.Object) client.Client {
	return builder(all).Build()
}

func builder(all []client.Object) *fake.ClientBuilder {
	result := fake.NewClientBuilder().WithScheme(scheme).WithObjects(all...).
		WithStatusSubresource(&v1alpha1.NodeOverlay{}, &autoscaling.CapacityBuffer{})
	for _, index := range indices {
		result = result.WithIndex(index.of, index.field, func(o client.Object) []string { return []string{FieldValue(o, index.field)} })
	}
	return result
}

// indices are the fields that Karpenter uses as selectors.
var indices = []struct {
	of    client.Object
	field string
}{
	{&corev1.Pod{}, "spec.nodeName"},
	{&storagev1.VolumeAttachment{}, "spec.nodeName"},
	{&karpv1.NodeClaim{}, "spec.nodeClassRef.group"},
	{&karpv1.NodeClaim{}, "spec.nodeClassRef.kind"},
	{&karpv1.NodeClaim{}, "spec.nodeClassRef.name"},
	{&karpv1.NodeClaim{}, "status.providerID"},
	{&corev1.Node{}, "spec.providerID"},
}

// FieldValue is the value of one of the indices.
func FieldValue(object client.Object, field string) string {
	switch o := object.(type) {
	case *corev1.Pod:
		return o.Spec.NodeName
	case *corev1.Node:
		if field == "spec.instanceID" {
			return instanceID(o.Spec.ProviderID)
		}
		return o.Spec.ProviderID
	case *storagev1.VolumeAttachment:
		return o.Spec.NodeName
	case *karpv1.NodeClaim:
		switch field {
		case "spec.nodeClassRef.group":
			return o.Spec.NodeClassRef.Group
		case "spec.nodeClassRef.kind":
			return o.Spec.NodeClassRef.Kind
		case "spec.nodeClassRef.name":
			return o.Spec.NodeClassRef.Name
		case "status.instanceID":
			return instanceID(o.Status.ProviderID)
		}
		return o.Status.ProviderID
	}
	panic(fmt.Sprintf("no index of %T", object))
}

func instanceID(providerID string) string {
	return providerID[strings.LastIndex(providerID, "/")+1:]
}

// ShufflePods lists pods in random order, because Karpenter's cache has none. The deterministic build lists them by
// age.
var ShufflePods = false

type shufflingClient struct{ client.Client }

func (u shufflingClient) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if err := u.Client.List(ctx, list, opts...); err != nil {
		return err
	}
	if pods, ok := list.(*corev1.PodList); ok && *isMapOrder {
		slices.SortFunc(pods.Items, func(a, b corev1.Pod) int {
			return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.UID, b.UID))
		})
	} else if ok {
		rand.Shuffle(len(pods.Items), func(a, b int) { pods.Items[a], pods.Items[b] = pods.Items[b], pods.Items[a] })
	}
	return nil
}
