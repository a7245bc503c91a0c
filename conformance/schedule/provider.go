package main

import (
	"context"
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
)

// types are instance types as the AWS provider's own code resolves them for node classes.
type types struct {
	provider *instancetype.DefaultProvider
}

func newTypes(ctx context.Context, facts []fact, s settings) (*types, error) {
	celEnv, err := kubeletcel.NewEnvironment()
	if err != nil {
		return nil, err
	}
	newCache := func() *cache.Cache { return cache.New(cache.NoExpiration, time.Hour) }
	provider := instancetype.NewDefaultProvider(
		newCache(), newCache(), newCache(),
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
	if err := provider.UpdateInstanceTypes(ctx); err != nil {
		return nil, err
	}
	return &types{provider: provider}, provider.UpdateInstanceTypeOfferings(ctx)
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
}

func (c *cloud) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1.EC2NodeClass{}}
}

func (c *cloud) Name() string { return "aws" }

func (c *cloud) GetInstanceTypes(ctx context.Context, pool *karpv1.NodePool) ([]*cloudprovider.InstanceType, error) {
	class := &v1.EC2NodeClass{}
	if err := c.kube.Get(ctx, client.ObjectKey{Name: pool.Spec.Template.Spec.NodeClassRef.Name}, class); err != nil {
		if errors.IsNotFound(err) {
			return nil, nil
		}
		return nil, err
	}
	class.Status.Subnets = subnets(c.zones)
	return c.types.provider.List(ctx, class)
}

// subnets stands for one subnet a zone; zone ids differ by account, and no manifest of ours names one.
func subnets(zones []string) []v1.Subnet {
	return lo.Map(zones, func(zone string, at int) v1.Subnet {
		return v1.Subnet{ID: fmt.Sprintf("subnet-%d", at), Zone: zone, ZoneID: fmt.Sprintf("zone-id-%d", at)}
	})
}
