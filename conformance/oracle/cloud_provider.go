package oracle

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	awscloud "github.com/aws/karpenter-provider-aws/pkg/cloudprovider"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instance"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/events"
	requirements "sigs.k8s.io/karpenter/pkg/scheduling"
)

// NewCloudProvider is the AWS provider's own, with the instance types of the catalogue; `ec2` stands for EC2.
func NewCloudProvider(
	ctx context.Context, catalogue string, s Settings, kube client.Client, recorder events.Recorder,
	store *nodeoverlay.InstanceTypeStore, ec2 instance.Provider,
) (*awscloud.CloudProvider, error) {
	registerProviderLabels()
	facts, err := readFacts(catalogue)
	if err != nil {
		return nil, err
	}
	types, err := newInstanceTypes(ctx, facts, s, nil)
	if err != nil {
		return nil, err
	}
	provider := &sharedTypeProvider{Provider: types.provider, types: types}
	return awscloud.New(provider, ec2, recorder, kube, nil, nil, types.reservations, types.groups, store, &Certificate), nil
}

// registerProviderLabels does what the provider's operator does when it starts.
func registerProviderLabels() {
	// The provider's value; Karpenter's fake cloud provider has added its own label.
	cloudprovider.ReservationIDLabel = v1.LabelCapacityReservationID
	karpv1.NormalizedLabels["topology.ebs.csi.aws.com/zone"] = corev1.LabelTopologyZone
}

// sharedTypeProvider lists instance types for controllers that run in parallel.
type sharedTypeProvider struct {
	instancetype.Provider
	mutex sync.Mutex
	types *instanceTypes
}

func (s *sharedTypeProvider) List(ctx context.Context, class instancetype.NodeClass) ([]*cloudprovider.InstanceType, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.types.list(ctx, class.(*v1.EC2NodeClass))
}

// ChooseLaunch is the type and offering that EC2 launches for a claim: the cheapest type that the provider requests, in
// a random one of the zones with its price. It is nil if the provider requests nothing.
func ChooseLaunch(ctx context.Context, claim *karpv1.NodeClaim, types []*cloudprovider.InstanceType) (*cloudprovider.InstanceType, *cloudprovider.Offering) {
	launch := launchRequestFor(ctx, claim, types)
	if launch.Failed || len(launch.InstanceTypes) == 0 {
		return nil, nil
	}
	reqs := withCapacityType(requirements.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...), launch.CapacityType)
	it, _ := lo.Find(types, func(it *cloudprovider.InstanceType) bool { return it.Name == launch.InstanceTypes[0] })
	offerings := lo.Filter(it.Offerings.Launchable().Compatible(reqs), func(offering *cloudprovider.Offering, _ int) bool {
		return offering.Price == launch.UsdPerHour
	})
	return it, offerings[rand.IntN(len(offerings))]
}

// CompleteClass gives a node class the status of an account in which everything that it selects exists.
func CompleteClass(class *v1.EC2NodeClass, zones []string) {
	class.Status.Subnets = subnets(zones)
	class.Status.SecurityGroups = []v1.SecurityGroup{{ID: SecurityGroup}}
	class.Status.AMIs = []v1.AMI{{ID: Image, Requirements: []corev1.NodeSelectorRequirement{{
		Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: []string{karpv1.ArchitectureAmd64, karpv1.ArchitectureArm64},
	}}}}
	class.Status.InstanceProfile = "profile"
	// As in the provider's main function: a class is then only ready with the condition of reservations.
	v1.CapacityReservationsEnabled = true
	for _, condition := range class.StatusConditions().List() {
		class.StatusConditions().SetTrue(condition.Type)
	}
}

// SecurityGroup and Image are what every instance has.
const (
	SecurityGroup = "sg-1"
	Image         = "ami-1"
)
