package world

import (
	"context"
	"sort"

	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	autoscaling "sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/overlay"
	"sigs.k8s.io/karpenter/pkg/controllers/capacitybuffer"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/state/virtualpods"
)

// Given is the input of a scenario.
type Given struct {
	Manifests string
	// Cluster is the cluster before the manifests are applied: objects with their status, and the counts of capacity
	// reservations.
	Cluster  string
	Settings Settings
}

// Problem is a cluster as Karpenter sees it.
type Problem struct {
	Kube        client.Client
	Cloud       cloudprovider.CloudProvider
	Cluster     *state.Cluster
	Provisioner *provisioning.Provisioner
	// The objects that the client held at the start.
	All    []client.Object
	Static []StaticNode
	// MadeUp is whether instance types are invented, so that they cannot be launched.
	MadeUp   bool
	cache    *cached
	types    *types
	overlays *nodeoverlay.InstanceTypeStore
	// failed are the ids of capacity reservations in which launches fail.
	failed map[string]bool
}

// Silent ignores events.
type Silent struct{}

// Publish does nothing.
func (Silent) Publish(...events.Event) {}

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Name: name} }

// mostTypes limits the memory: the instance types of one setting take more than 100 MB.
const mostTypes = 3

// World keeps the instance types that scenarios with the same settings share.
type World struct {
	// Hold creates the client that keeps the objects of a cluster; the fake client if absent.
	Hold  func([]client.Object) client.Client
	facts []fact
	types map[string]*types
}

// NewProblem lets Karpenter's own code read the cluster. The clock gives the current time.
func (w *World) NewProblem(ctx context.Context, g Given, clk clock.Clock) (*Problem, error) {
	in, err := newInCluster(g.Cluster, g.Settings.Zones)
	if err != nil {
		return nil, err
	}
	all, err := objects(g.Manifests, in)
	if err != nil {
		return nil, err
	}
	p := &Problem{All: all, MadeUp: g.Settings.FakeTypes > 0}
	if w.Hold == nil {
		p.cache = newCached(newClient(all))
		p.Kube = p.cache
	} else {
		p.Kube = w.Hold(all)
	}
	if PodsInAnyOrder {
		p.Kube = unordered{p.Kube}
	}
	if p.types, err = w.typesFor(ctx, g.Settings, p); err != nil {
		return nil, err
	}
	p.types.api.groups = in.groups
	for id, count := range in.free {
		p.types.reservations.SetAvailableInstanceCount(id, count)
	}
	bare := &cloud{kube: p.Kube, types: p.types, fakeTypes: g.Settings.FakeTypes}
	p.overlays = nodeoverlay.NewInstanceTypeStore()
	p.Cloud = overlay.Decorate(bare, p.Kube, p.overlays)
	repaired, err := health.NewRepairPolicyMatcher(ctx, p.Cloud)
	if err != nil {
		return nil, err
	}
	p.Cluster = state.NewCluster(clk, p.Kube, p.Cloud, state.WithRepairPolicyMatcher(repaired))
	if options.FromContext(ctx).FeatureGates.NodeOverlay {
		if _, err := nodeoverlay.NewController(clk, p.Kube, bare, p.overlays, p.Cluster).Reconcile(ctx, reconcile.Request{}); err != nil {
			return nil, err
		}
	}
	buffered, err := p.buffered(ctx)
	if err != nil {
		return nil, err
	}
	p.Provisioner = provisioning.NewProvisioner(p.Kube, Silent{}, p.Cloud, p.Cluster, clk, nil, buffered)
	return p, inform(ctx, p.Cluster, p.Kube)
}

// InOrderOfAge replaces the order of Karpenter's pod cache, which is undefined.
func InOrderOfAge(pods []*corev1.Pod) {
	sort.Slice(pods, func(a, b int) bool {
		if !pods[a].CreationTimestamp.Equal(&pods[b].CreationTimestamp) {
			return pods[a].CreationTimestamp.Before(&pods[b].CreationTimestamp)
		}
		return pods[a].UID < pods[b].UID
	})
}

// buffered reads the capacity buffers, and keeps the virtual pods that Karpenter creates for them.
func (p *Problem) buffered(ctx context.Context) (*virtualpods.Cache, error) {
	result := virtualpods.NewVirtualPodCache(p.Kube)
	buffers := &autoscaling.CapacityBufferList{}
	if err := p.Kube.List(ctx, buffers); err != nil {
		return nil, err
	}
	for _, buffer := range buffers.Items {
		request := reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&buffer)}
		if _, err := capacitybuffer.NewController(p.Kube, untriggered{}, result).Reconcile(ctx, request); err != nil {
			return nil, err
		}
	}
	return result, nil
}

type untriggered struct{}

func (untriggered) Trigger(apitypes.UID) {}
func (untriggered) TriggerReconcile()    {}

// InstanceTypes are the provider's instance types for the one node class in the manifests.
func (w *World) InstanceTypes(ctx context.Context, g Given) ([]*cloudprovider.InstanceType, error) {
	all, err := objects(g.Manifests, &inCluster{zones: g.Settings.Zones})
	if err != nil {
		return nil, err
	}
	resolved, err := w.typesFor(ctx, g.Settings, nil)
	if err != nil {
		return nil, err
	}
	return resolved.list(ctx, all[0].(*v1.EC2NodeClass))
}

// typesFor resolves instance types once for equal settings. If overlays price types without an EC2 price, the types are
// resolved again after the overlays are read, as Karpenter eventually does.
func (w *World) typesFor(ctx context.Context, s Settings, p *Problem) (*types, error) {
	if options.FromContext(ctx).FeatureGates.NodeOverlay {
		first, err := newTypes(ctx, w.facts, s, nil)
		if err != nil {
			return nil, err
		}
		store := nodeoverlay.NewInstanceTypeStore()
		unpriced := &cloud{kube: p.Kube, types: first}
		controller := nodeoverlay.NewController(clock.RealClock{}, p.Kube, unpriced, store, state.NewCluster(clock.RealClock{}, p.Kube, unpriced))
		if _, err := controller.Reconcile(ctx, reconcile.Request{}); err != nil {
			return nil, err
		}
		return newTypes(ctx, w.facts, s, p.Kube)
	}
	key := s.ofTypes()
	if w.types[key] == nil {
		if len(w.types) == mostTypes {
			clear(w.types)
		}
		resolved, err := newTypes(ctx, w.facts, s, nil)
		if err != nil {
			return nil, err
		}
		w.types[key] = resolved
	}
	return w.types[key], nil
}
