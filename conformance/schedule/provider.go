package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/awslabs/operatorpkg/status"
	"github.com/patrickmn/go-cache"
	"github.com/samber/lo"
	"k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	awscache "github.com/aws/karpenter-provider-aws/pkg/cache"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	"github.com/aws/karpenter-provider-aws/pkg/providers/arczonalshift"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/fake"
)

// types are instance types as the AWS provider's own code resolves them for node classes.
type types struct {
	provider *instancetype.DefaultProvider
	caches   []*cache.Cache
	// content of the class that the caches are filled for.
	content string
}

func newTypes(ctx context.Context, facts []fact, s settings) (*types, error) {
	celEnv, err := kubeletcel.NewEnvironment()
	if err != nil {
		return nil, err
	}
	newCache := func() *cache.Cache { return cache.New(cache.NoExpiration, time.Hour) }
	result := &types{caches: []*cache.Cache{newCache(), newCache()}}
	result.provider = instancetype.NewDefaultProvider(
		result.caches[0], result.caches[1], newCache(),
		&ec2API{facts: facts, zones: s.Zones},
		nil,
		&pricing{prices: pricesOf(facts, s.Region, s.SpotPriceRatio)},
		nil, nil,
		awscache.NewUnavailableOfferings(),
		instancetype.NewDefaultResolver(s.Region, celEnv),
		arczonalshift.NewNoopProvider(),
		nil,
		celEnv,
	)
	if err := result.provider.UpdateInstanceTypes(ctx); err != nil {
		return nil, err
	}
	return result, result.provider.UpdateInstanceTypeOfferings(ctx)
}

// list forgets what was worked out for another class: the key of the provider's cache of offerings leaves out the AMI family, so that a
// class can be given what another had in the minutes before.
func (t *types) list(ctx context.Context, class *v1.EC2NodeClass) ([]*cloudprovider.InstanceType, error) {
	if content := string(lo.Must(json.Marshal(class.Spec))); content != t.content {
		for _, each := range t.caches {
			each.Flush()
		}
		t.content = content
	}
	return t.provider.List(ctx, class)
}

// pricing says prices, and has nothing to update.
type pricing struct{ *prices }

func (p *pricing) LivenessProbe(*http.Request) error           { return nil }
func (p *pricing) InstanceTypes() []ec2types.InstanceType      { return lo.Keys(p.onDemand) }
func (p *pricing) UpdateOnDemandPricing(context.Context) error { return nil }
func (p *pricing) UpdateSpotPricing(context.Context) error     { return nil }

// cloud is the part of the cloud provider that scheduling asks; whatever else is asked of it panics.
type cloud struct {
	cloudprovider.CloudProvider
	kube  client.Client
	types *types
	zones []string
	// fakeTypes is how many of Karpenter's own made-up types there are instead; 0 for none.
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
	class.Status.Subnets = subnets(c.zones)
	return c.types.list(ctx, class)
}

// subnets stands for one subnet a zone; zone ids differ by account, and no manifest of ours names one.
func subnets(zones []string) []v1.Subnet {
	return lo.Map(zones, func(zone string, at int) v1.Subnet {
		return v1.Subnet{ID: fmt.Sprintf("subnet-%d", at), Zone: zone, ZoneID: fmt.Sprintf("zone-id-%d", at)}
	})
}
