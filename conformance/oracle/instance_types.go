package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"time"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/awslabs/operatorpkg/status"
	"github.com/patrickmn/go-cache"
	"github.com/samber/lo"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	awscache "github.com/aws/karpenter-provider-aws/pkg/cache"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	awscloud "github.com/aws/karpenter-provider-aws/pkg/cloudprovider"
	"github.com/aws/karpenter-provider-aws/pkg/providers/arczonalshift"
	"github.com/aws/karpenter-provider-aws/pkg/providers/capacityreservation"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"github.com/aws/karpenter-provider-aws/pkg/providers/placementgroup"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/fake"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// maxCachedLists limits the memory, as maxCachedTypes does.
const maxCachedLists = 6

// instanceTypes are instance types as the AWS provider's own code resolves them for node classes.
type instanceTypes struct {
	provider     *instancetype.DefaultProvider
	reservations *capacityreservation.DefaultProvider
	groups       *placementgroup.DefaultProvider
	api          *ec2API
	caches       []*cache.Cache
	unavailable  *awscache.UnavailableOfferings
	// order is that of the facts, by name; without it, lists have a random order.
	order map[string]int
	// lists are the resolved lists, by the inputs that determine them.
	lists map[string][]*cloudprovider.InstanceType
}

// newInstanceTypes resolves instance types; `kube` has the overlays with prices, if given.
func newInstanceTypes(ctx context.Context, facts []instanceFacts, s Settings, kube client.Client) (*instanceTypes, error) {
	celEnv, err := kubeletcel.NewEnvironment()
	if err != nil {
		return nil, err
	}
	newCache := func() *cache.Cache { return cache.New(cache.NoExpiration, time.Hour) }
	api := &ec2API{facts: s.offeredTypes(facts), zones: s.Zones}
	result := &instanceTypes{api: api, caches: []*cache.Cache{newCache(), newCache(), newCache(), newCache()},
		unavailable: awscache.NewUnavailableOfferings(), lists: map[string][]*cloudprovider.InstanceType{}}
	result.groups = placementgroup.NewProvider(api, result.caches[2], result.caches[3])
	result.reservations = capacityreservation.NewProvider(api, clock.RealClock{}, newCache(), newCache())
	result.provider = instancetype.NewDefaultProvider(
		result.caches[0], result.caches[1], newCache(),
		api,
		nil,
		&pricing{prices: pricesOf(facts, s.Region, s.SpotPriceRatio)},
		result.reservations, result.groups,
		result.unavailable,
		instancetype.NewDefaultResolver(s.Region, celEnv),
		arczonalshift.NewNoopProvider(),
		kube,
		celEnv,
	)
	if *isMapOrder {
		result.order = lo.SliceToMap(lo.Range(len(facts)), func(index int) (string, int) { return facts[index].InstanceType, index })
	}
	if err := result.provider.UpdateInstanceTypes(ctx); err != nil {
		return nil, err
	}
	return result, result.provider.UpdateInstanceTypeOfferings(ctx)
}

// UnavailableOfferings are the offerings that are temporarily not used. Call InvalidateOfferings after a change.
func (p *SimulatedCluster) UnavailableOfferings() *awscache.UnavailableOfferings {
	return p.types.unavailable
}

// InvalidateOfferings makes the provider resolve the instance types again.
func (p *SimulatedCluster) InvalidateOfferings() { clear(p.types.lists) }

// list clears the cached offerings of other classes: the key of the provider's cache does not contain the AMI family,
// so that a class could get the offerings of another one.
func (t *instanceTypes) list(ctx context.Context, class *v1.EC2NodeClass) ([]*cloudprovider.InstanceType, error) {
	free := lo.Map(class.Status.CapacityReservations, func(entry v1.CapacityReservation, _ int) int {
		return t.reservations.GetAvailableInstanceCount(entry.ID)
	})
	key := string(lo.Must(json.Marshal([]any{class.Spec, class.Status.Subnets, class.Status.CapacityReservations, free, t.api.groups, options.FromContext(ctx).FeatureGates})))
	if known, ok := t.lists[key]; ok {
		return slices.Clone(known), nil
	}
	for _, entry := range t.caches {
		entry.Flush()
	}
	if len(t.lists) == maxCachedLists {
		clear(t.lists)
	}
	list, err := t.provider.List(ctx, class)
	if t.order != nil {
		sort.Slice(list, func(a, b int) bool { return t.order[list[a].Name] < t.order[list[b].Name] })
	}
	if err == nil {
		t.lists[key] = list
	}
	return slices.Clone(list), err
}

// pricing returns prices, and never updates them.
type pricing struct{ *prices }

func (p *pricing) LivenessProbe(*http.Request) error           { return nil }
func (p *pricing) InstanceTypes() []ec2types.InstanceType      { return lo.Keys(p.onDemand) }
func (p *pricing) UpdateOnDemandPricing(context.Context) error { return nil }
func (p *pricing) UpdateSpotPricing(context.Context) error     { return nil }

// cloud is the part of the cloud provider that scheduling calls; any other call panics.
type cloud struct {
	cloudprovider.CloudProvider
	kube  client.Client
	types *instanceTypes
	// fakeTypes is the number of Karpenter's own fake types that are used instead; 0 for none.
	fakeTypes int
}

func (c *cloud) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1.EC2NodeClass{}}
}

func (c *cloud) Name() string { return "aws" }

func (c *cloud) GetInstanceTypes(ctx context.Context, pool *karpv1.NodePool) ([]*cloudprovider.InstanceType, error) {
	if c.fakeTypes > 0 {
		return fake.InstanceTypes(c.fakeTypes), nil
	}
	class := &v1.EC2NodeClass{}
	if err := c.kube.Get(ctx, client.ObjectKey{Name: pool.Spec.Template.Spec.NodeClassRef.Name}, class); err != nil {
		if errors.IsNotFound(err) {
			return nil, nil
		}
		return nil, err
	}
	return c.types.list(ctx, class)
}

// Certificate stands for the cluster's CA bundle, which is part of the hash of a node class.
var Certificate = "certificate"

// RepairPolicies are the AWS provider's own.
func (c *cloud) RepairPolicies() []cloudprovider.RepairPolicy {
	return awscloud.New(nil, nil, nil, nil, nil, nil, nil, nil, nil, nil).RepairPolicies()
}

// IsDrifted runs the AWS provider's own checks that only need the objects. If they find nothing, it returns the drift
// that the objects record for checks that need AWS.
func (c *cloud) IsDrifted(ctx context.Context, claim *karpv1.NodeClaim) (cloudprovider.DriftReason, error) {
	provider := awscloud.New(cachedTypeProvider{c.types.provider, c.types}, nil, NopRecorder{}, c.kube, nil, nil, c.types.reservations, c.types.groups, nil, &Certificate)
	if reason, err := provider.IsDrifted(ctx, claim); err == nil && reason != "" {
		return reason, nil
	}
	recorded := &karpv1.NodeClaim{}
	if err := c.kube.Get(ctx, client.ObjectKeyFromObject(claim), recorded); err != nil {
		return "", err
	}
	if drifted := recorded.StatusConditions().Get(karpv1.ConditionTypeDrifted); drifted.IsTrue() {
		return cloudprovider.DriftReason(drifted.Reason), nil
	}
	return "", nil
}

// subnets stands for one subnet in each zone. Zone ids differ by account, and no manifest here names one.
func subnets(zones []string) []v1.Subnet {
	return lo.Map(zones, func(zone string, index int) v1.Subnet {
		return v1.Subnet{ID: fmt.Sprintf("subnet-%d", index), Zone: zone, ZoneID: fmt.Sprintf("zone-id-%d", index)}
	})
}
