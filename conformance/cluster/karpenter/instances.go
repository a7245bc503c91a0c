package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instance"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

// instances stands for EC2: it always has capacity, and an instance is gone as soon as it is terminated.
type instances struct {
	instance.Provider
	kube client.Client
	// delay is the time from the launch until the node registers.
	delay time.Duration
	mutex sync.Mutex
	byID  map[string]*instance.Instance
}

func newInstances(kube client.Client, delay time.Duration) *instances {
	return &instances{kube: kube, delay: delay, byID: map[string]*instance.Instance{}}
}

func (i *instances) Create(
	ctx context.Context, class *v1.EC2NodeClass, claim *karpv1.NodeClaim, tags map[string]string, types []*cloudprovider.InstanceType,
) (*instance.Instance, error) {
	it, offering := oracle.ChooseLaunch(ctx, claim, types)
	if it == nil {
		return nil, cloudprovider.NewInsufficientCapacityError(fmt.Errorf("no instance type fits the claim"))
	}
	subnet, _ := lo.Find(class.Status.Subnets, func(s v1.Subnet) bool { return s.Zone == offering.Zone() })
	created := &instance.Instance{
		LaunchTime: time.Now(), State: ec2types.InstanceStateNameRunning, ID: fmt.Sprintf("i-%017x", rand.Uint64()>>4), ImageID: oracle.Image,
		Type: ec2types.InstanceType(it.Name), Zone: offering.Zone(), ZoneID: subnet.ZoneID, SubnetID: subnet.ID, CapacityType: offering.CapacityType(),
		SecurityGroupIDs: []string{oracle.SecurityGroup}, Tags: tags, Tenancy: string(ec2types.TenancyDefault),
	}
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.byID[created.ID] = created
	time.AfterFunc(i.delay, func() { i.register(context.WithoutCancel(ctx), created.ID, claim.Name) })
	return created, nil
}

func (i *instances) Get(_ context.Context, id string, _ ...instance.Options) (*instance.Instance, error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if found, ok := i.byID[id]; ok {
		return found, nil
	}
	return nil, cloudprovider.NewNodeClaimNotFoundError(fmt.Errorf("no instance %s", id))
}

func (i *instances) List(context.Context) ([]*instance.Instance, error) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return lo.Values(i.byID), nil
}

func (i *instances) Delete(_ context.Context, id string) error {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	delete(i.byID, id)
	return cloudprovider.NewNodeClaimNotFoundError(fmt.Errorf("instance %s is terminated", id))
}

func (i *instances) CreateTags(context.Context, string, map[string]string) error { return nil }

// register creates the Node as the kubelet of the instance does.
func (i *instances) register(ctx context.Context, id, name string) {
	claim := &karpv1.NodeClaim{}
	if _, err := i.Get(ctx, id); err != nil || i.kube.Get(ctx, client.ObjectKey{Name: name}, claim) != nil {
		return
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName()},
		Spec: corev1.NodeSpec{
			ProviderID: claim.Status.ProviderID,
			Taints:     append(append([]corev1.Taint{karpv1.UnregisteredNoExecuteTaint}, claim.Spec.Taints...), claim.Spec.StartupTaints...),
		},
		Status: corev1.NodeStatus{
			Capacity: claim.Status.Capacity, Allocatable: claim.Status.Allocatable,
			Conditions: []corev1.NodeCondition{{
				Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "KubeletNotReady",
				LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
			}},
		},
	}
	node.Labels = lo.Assign(claim.Labels, map[string]string{corev1.LabelHostname: node.Name})
	if err := i.kube.Create(ctx, node); err != nil {
		log.FromContext(ctx).Error(err, "creating a node")
	}
}

// nodeName is the name that EC2 gives an instance in a subnet of 16,384 addresses.
func nodeName() string {
	return fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", rand.IntN(64), 1+rand.IntN(254))
}
