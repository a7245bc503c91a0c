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

// Given is what a scenario tells.
type Given struct {
	Manifests string
	// Cluster is what is there before the manifests are applied: objects with their status, and the counts of capacity reservations.
	Cluster  string
	Settings Settings
}

// Problem is a cluster as Karpenter sees it.
type Problem struct {
	Kube        client.Client
	Cloud       cloudprovider.CloudProvider
	Cluster     *state.Cluster
	Provisioner *provisioning.Provisioner
	// All that the client held at first.
	All    []client.Object
	Static []StaticNode
	// MadeUp instance types are launched nowhere.
	MadeUp   bool
	cache    *cached
	types    *types
	overlays *nodeoverlay.InstanceTypeStore
	// failed are the capacity reservations, by id, that nothing is launched of any more.
	failed map[string]bool
}

// Silent takes no notice of events.
type Silent struct{}

// Publish does nothing.
func (Silent) Publish(...events.Event) {}

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Name: name} }

// mostTypes bounds the memory: resolved under one setting, instance types take more than 100 MB.
const mostTypes = 3

// World keeps what scenarios have in common: instance types resolved under the same settings.
type World struct {
	// Hold is where the objects of a cluster are kept; a client that is not real if absent.
	Hold  func([]client.Object) client.Client
	facts []fact
	types map[string]*types
}

// NewProblem has Karpenter's own code read the cluster. The clock is what it takes for now.
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

// InOrderOfAge stands for the order of the cache that pods are read from, which is none.
func InOrderOfAge(pods []*corev1.Pod) {
	sort.Slice(pods, func(a, b int) bool {
		if !pods[a].CreationTimestamp.Equal(&pods[b].CreationTimestamp) {
			return pods[a].CreationTimestamp.Before(&pods[b].CreationTimestamp)
		}
		return pods[a].UID < pods[b].UID
	})
}

// buffered reads the capacity buffers, and keeps the pods that Karpenter makes up for them.
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

// InstanceTypes are those that the provider makes of the one node class in the manifests.
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

// typesFor resolves instance types once for equal settings. Where overlays price types that EC2 has no price of, they are resolved anew
// when the overlays are known, as Karpenter does in time.
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
