package oracle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	awscloud "github.com/aws/karpenter-provider-aws/pkg/cloudprovider"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instance"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/lifecycle"
	static "sigs.k8s.io/karpenter/pkg/controllers/static/provisioning"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
)

// StaticNode is a node that a static pool gets before any pod is scheduled.
type StaticNode struct {
	Claim  *karpv1.NodeClaim
	Launch Launch
}

// namingClient gives claims the names that `check` gives them, because names affect the order of nodes; Karpenter's
// names end randomly.
type namingClient struct {
	client.Client
	draw *draw
	// Claims are created in parallel.
	sync.Mutex
}

func (n *namingClient) Create(ctx context.Context, object client.Object, opts ...client.CreateOption) error {
	n.Lock()
	defer n.Unlock()
	for index := 0; object.GetName() == ""; index++ {
		name := n.draw.name(object.GetGenerateName(), index)
		if n.Get(ctx, keyOf(name), &karpv1.NodeClaim{}) != nil && n.Get(ctx, keyOf(name), &corev1.Node{}) != nil {
			object.SetName(name)
		}
	}
	return n.Client.Create(ctx, object, opts...)
}

// LaunchStaticNodes lets Karpenter's own controller create the missing claims of static pools, launches them in the
// order of their names, and adds their nodes.
func (p *SimulatedCluster) LaunchStaticNodes(ctx context.Context) error {
	pools := &karpv1.NodePoolList{}
	if err := p.Kube.List(ctx, pools); err != nil {
		return err
	}
	for index := range pools.Items {
		pool := &pools.Items[index]
		if pool.Spec.Replicas == nil || !options.FromContext(ctx).FeatureGates.StaticCapacity {
			continue
		}
		before := p.claims(ctx, pool)
		if _, err := static.NewController(&namingClient{Client: p.Kube, draw: p.draw}, p.Cluster, NopRecorder{}, p.Cloud, nil, clock.RealClock{}, nil, nil).Reconcile(ctx, pool); err != nil {
			return err
		}
		missing := lo.Values(lo.OmitByKeys(p.claims(ctx, pool), lo.Keys(before)))
		slices.SortFunc(missing, func(a, b *karpv1.NodeClaim) int {
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), strings.Compare(a.Name, b.Name))
		})
		for _, claim := range missing {
			if err := p.launchStaticNode(ctx, claim, pool); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *SimulatedCluster) claims(ctx context.Context, pool *karpv1.NodePool) map[string]*karpv1.NodeClaim {
	list := &karpv1.NodeClaimList{}
	lo.Must0(p.Kube.List(ctx, list, client.MatchingLabels{karpv1.NodePoolLabelKey: pool.Name}))
	return lo.SliceToMap(list.Items, func(claim karpv1.NodeClaim) (string, *karpv1.NodeClaim) { return claim.Name, &claim })
}

// launchStaticNode launches a claim, and adds its node.
func (p *SimulatedCluster) launchStaticNode(ctx context.Context, claim *karpv1.NodeClaim, pool *karpv1.NodePool) error {
	launch, launched, err := p.Launch(ctx, claim, pool)
	// A claim without a remaining type causes no request to EC2.
	if launch.Failed || len(launch.InstanceTypes) > 0 {
		p.StaticNodes = append(p.StaticNodes, StaticNode{Claim: claim, Launch: launch})
	}
	if err != nil || launched == nil {
		return err
	}
	labels := lo.Assign(launched.Labels, map[string]string{
		karpv1.NodeRegisteredLabelKey: "true", karpv1.NodeInitializedLabelKey: "true", corev1.LabelHostname: launched.Name,
	})
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: launched.Name, Labels: labels},
		Spec:       corev1.NodeSpec{ProviderID: launched.Status.ProviderID, Taints: launched.Spec.Taints},
		Status:     corev1.NodeStatus{Capacity: launched.Status.Capacity, Allocatable: launched.Status.Allocatable},
	}
	if err := p.Kube.Create(ctx, node); err != nil {
		return err
	}
	return p.Cluster.UpdateNode(ctx, node)
}

// Launch launches a claim as the AWS provider does; instead of EC2 it takes the cheapest of the requested types. A
// claim that cannot be launched is deleted, and nil is returned.
func (p *SimulatedCluster) Launch(ctx context.Context, claim *karpv1.NodeClaim, pool *karpv1.NodePool) (Launch, *karpv1.NodeClaim, error) {
	types, err := p.Cloud.GetInstanceTypes(ctx, pool)
	if err != nil {
		return Launch{}, nil, err
	}
	if *isMapOrder {
		p.numberOpenLabels(claim)
	}
	ec2 := &cheapestLauncher{types: types}
	provider := awscloud.New(cachedTypeProvider{p.types.provider, p.types}, ec2, nil, p.Kube, nil, nil, p.types.reservations, p.types.groups, p.overlays, &Certificate)
	launched, err := provider.Create(ctx, claim)
	if err != nil {
		p.Cluster.DeleteNodeClaim(claim.Name)
		return ec2.launch, nil, p.Kube.Delete(ctx, claim)
	}
	claim = lifecycle.PopulateNodeClaimDetails(claim, launched)
	if _, ok := claim.Labels[v1.LabelPlacementGroupPartition]; ok {
		claim.Labels[v1.LabelPlacementGroupPartition] = firstPartition(claim)
	}
	if err := p.Kube.Update(ctx, claim); err != nil {
		return ec2.launch, nil, err
	}
	p.Cluster.UpdateNodeClaim(claim)
	return ec2.launch, claim, nil
}

// FailReservation makes all further launches in a capacity reservation fail, even if instances in it end.
func (p *SimulatedCluster) FailReservation(id string) {
	if p.failed == nil {
		p.failed = map[string]bool{}
	}
	p.failed[id] = true
	p.types.reservations.SetAvailableInstanceCount(id, 0)
}

// ReleaseReservation releases the claim's instance of a capacity reservation.
func (p *SimulatedCluster) ReleaseReservation(claim *karpv1.NodeClaim) {
	if id := claim.Labels[cloudprovider.ReservationIDLabel]; id != "" && !p.failed[id] {
		p.types.reservations.SetAvailableInstanceCount(id, p.types.reservations.GetAvailableInstanceCount(id)+1)
	}
}

// firstPartition stands for the partition that EC2 chooses; Karpenter's hook queries it when the node registers.
func firstPartition(claim *karpv1.NodeClaim) string {
	named := requirements.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...).Get(v1.LabelPlacementGroupPartition).Values()
	if len(named) == 0 {
		return "1"
	}
	return slices.Min(named)
}

// cachedTypeProvider separates the caches of different node classes.
type cachedTypeProvider struct {
	instancetype.Provider
	types *instanceTypes
}

func (l cachedTypeProvider) List(ctx context.Context, class instancetype.NodeClass) ([]*cloudprovider.InstanceType, error) {
	return l.types.list(ctx, class.(*v1.EC2NodeClass))
}

// cheapestLauncher stands for EC2; any other call panics.
type cheapestLauncher struct {
	instance.Provider
	types  []*cloudprovider.InstanceType
	launch Launch
}

func (c *cheapestLauncher) Create(
	ctx context.Context, class *v1.EC2NodeClass, claim *karpv1.NodeClaim, _ map[string]string, _ []*cloudprovider.InstanceType,
) (*instance.Instance, error) {
	c.launch = launchRequestFor(ctx, claim, c.types)
	if c.launch.Failed || len(c.launch.InstanceTypes) == 0 {
		return nil, fmt.Errorf("nothing to launch")
	}
	reqs := withCapacityType(requirements.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...), c.launch.CapacityType)
	it, _ := lo.Find(c.types, func(it *cloudprovider.InstanceType) bool { return it.Name == c.launch.InstanceTypes[0] })
	offering := lo.MinBy(it.Offerings.Launchable().Compatible(reqs), func(a, b *cloudprovider.Offering) bool {
		return a.Price < b.Price || (a.Price == b.Price && a.Zone() < b.Zone())
	})
	result := &instance.Instance{
		ID: "i-" + claim.Name, Type: ec2types.InstanceType(it.Name), Zone: offering.Zone(), CapacityType: c.launch.CapacityType,
		Tenancy: string(ec2types.TenancyDefault),
	}
	// The same as the provider's getEFACountForInstance, which is not exported.
	if _, isRequested := claim.Spec.Resources.Requests[v1.ResourceEFA]; isRequested || class.NetworkInterfaces() != nil {
		result.EFACount = int(it.Capacity.Name(v1.ResourceEFA, resource.DecimalSI).Value())
	}
	if c.launch.CapacityType == karpv1.CapacityTypeReserved {
		result.CapacityReservationDetails = &instance.CapacityReservationDetails{
			ID:            offering.ReservationID(),
			Type:          v1.CapacityReservationType(offering.Requirements.Get(v1.LabelCapacityReservationType).Any()),
			Interruptible: offering.Requirements.Get(v1.LabelCapacityReservationInterruptible).Has("true"),
		}
	}
	return result, nil
}
