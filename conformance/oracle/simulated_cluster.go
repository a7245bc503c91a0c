package oracle

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

// ScenarioInput is the input of a scenario.
type ScenarioInput struct {
	Manifests string
	// Cluster is the cluster before the manifests are applied: objects with their status, and the counts of capacity
	// reservations.
	Cluster  string
	Settings Settings
	// Draw is the seed of names and UIDs; 0 numbers them as `check` does.
	Draw uint64
}

// SimulatedCluster is a cluster as Karpenter sees it.
type SimulatedCluster struct {
	Kube        client.Client
	Cloud       cloudprovider.CloudProvider
	Cluster     *state.Cluster
	Provisioner *provisioning.Provisioner
	// Objects are those of the client at the start.
	Objects     []client.Object
	StaticNodes []StaticNode
	// HasFakeTypes is whether instance types are fake, so that they cannot be launched.
	HasFakeTypes bool
	cache        *cachedClient
	types        *instanceTypes
	overlays     *nodeoverlay.InstanceTypeStore
	// failed are the ids of capacity reservations in which launches fail.
	failed map[string]bool
	// launches is the number of launches so far.
	launches int
	draw     *draw
}

// NopRecorder ignores events.
type NopRecorder struct{}

// Publish does nothing.
func (NopRecorder) Publish(...events.Event) {}

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Name: name} }

// maxCachedTypes limits the memory: the instance types of one setting take more than 100 MB.
const maxCachedTypes = 3

// Environment keeps the instance types that scenarios with the same settings share.
type Environment struct {
	// ClientFor creates the client that stores the objects of a cluster; the fake client if absent.
	ClientFor func([]client.Object) client.Client
	facts     []instanceFacts
	types     map[string]*instanceTypes
}

// NewCluster lets Karpenter's own code read the cluster. The clock gives the current time.
func (env *Environment) NewCluster(ctx context.Context, input ScenarioInput, clk clock.Clock) (*SimulatedCluster, error) {
	in, err := newExistingCluster(input.Cluster, input.Settings.Zones)
	if err != nil {
		return nil, err
	}
	in.draw = newDraw(input.Draw)
	all, err := appliedObjects(input.Manifests, in)
	if err != nil {
		return nil, err
	}
	p := &SimulatedCluster{Objects: all, draw: in.draw, HasFakeTypes: input.Settings.FakeTypes > 0}
	if env.ClientFor == nil {
		p.cache = newCachedClient(newClient(all))
		p.Kube = p.cache
	} else {
		p.Kube = env.ClientFor(all)
	}
	if ShufflePods {
		p.Kube = shufflingClient{p.Kube}
	}
	if p.types, err = env.typesFor(ctx, input.Settings, p); err != nil {
		return nil, err
	}
	p.types.api.groups = in.groups
	for id, count := range in.free {
		p.types.reservations.SetAvailableInstanceCount(id, count)
	}
	bare := &cloud{kube: p.Kube, types: p.types, fakeTypes: input.Settings.FakeTypes}
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
	buffered, err := p.virtualPods(ctx)
	if err != nil {
		return nil, err
	}
	p.Provisioner = provisioning.NewProvisioner(p.Kube, NopRecorder{}, p.Cloud, p.Cluster, clk, nil, buffered)
	return p, fillState(ctx, p.Cluster, p.Kube)
}

// SortByAge replaces the order of Karpenter's pod cache, which is undefined.
func SortByAge(pods []*corev1.Pod) {
	sort.Slice(pods, func(a, b int) bool {
		if !pods[a].CreationTimestamp.Equal(&pods[b].CreationTimestamp) {
			return pods[a].CreationTimestamp.Before(&pods[b].CreationTimestamp)
		}
		return pods[a].UID < pods[b].UID
	})
}

// virtualPods reads the capacity buffers, and keeps the virtual pods that Karpenter creates for them.
func (p *SimulatedCluster) virtualPods(ctx context.Context) (*virtualpods.Cache, error) {
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
func (env *Environment) InstanceTypes(ctx context.Context, input ScenarioInput) ([]*cloudprovider.InstanceType, error) {
	all, err := appliedObjects(input.Manifests, &existingCluster{zones: input.Settings.Zones})
	if err != nil {
		return nil, err
	}
	resolved, err := env.typesFor(ctx, input.Settings, nil)
	if err != nil {
		return nil, err
	}
	return resolved.list(ctx, all[0].(*v1.EC2NodeClass))
}

// typesFor resolves instance types once for equal settings. If overlays price types without an EC2 price, the types are
// resolved again after the overlays are read, as Karpenter eventually does.
func (env *Environment) typesFor(ctx context.Context, s Settings, p *SimulatedCluster) (*instanceTypes, error) {
	if options.FromContext(ctx).FeatureGates.NodeOverlay {
		first, err := newInstanceTypes(ctx, env.facts, s, nil)
		if err != nil {
			return nil, err
		}
		store := nodeoverlay.NewInstanceTypeStore()
		unpriced := &cloud{kube: p.Kube, types: first}
		controller := nodeoverlay.NewController(clock.RealClock{}, p.Kube, unpriced, store, state.NewCluster(clock.RealClock{}, p.Kube, unpriced))
		if _, err := controller.Reconcile(ctx, reconcile.Request{}); err != nil {
			return nil, err
		}
		return newInstanceTypes(ctx, env.facts, s, p.Kube)
	}
	key := s.typesKey()
	if env.types[key] == nil {
		if len(env.types) == maxCachedTypes {
			clear(env.types)
		}
		resolved, err := newInstanceTypes(ctx, env.facts, s, nil)
		if err != nil {
			return nil, err
		}
		env.types[key] = resolved
	}
	return env.types[key], nil
}
