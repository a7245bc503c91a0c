package main

import (
	"context"
	"fmt"
	"time"

	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/cache"
	"github.com/aws/karpenter-provider-aws/pkg/controllers/interruption"
	"github.com/aws/karpenter-provider-aws/pkg/providers/sqs"
	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	static "sigs.k8s.io/karpenter/pkg/controllers/static/deprovisioning"
)

// notice is the time between EC2's interruption notice and the end of a spot instance.
const notice = 2 * time.Minute

// reclaimed is the time between Karpenter's first deletion in a capacity block and the end of its instances in EC2.
const reclaimed = 10 * time.Minute

// happening is an event that neither Karpenter nor Kubernetes causes.
type happening struct {
	// What is "interrupt", "silence", "zone", "endBlock", "scaleDown", or the kind of the deleted object.
	What string
	// Name is the name of the node, the deleted object, the scaled-down pool or the zone, or the id of the capacity block.
	Name string
}

func (p *player) happen() error {
	for _, each := range p.Happens {
		if err := p.happenTo(each.What, each.Name); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) happenTo(what, name string) error {
	switch what {
	case "interrupt":
		return p.interrupt(name)
	case "silence":
		return p.silence(name, 0)
	case "zone":
		return p.fail(name)
	case "endBlock":
		return p.endBlock(name)
	case "scaleDown":
		pool := &karpv1.NodePool{}
		if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, pool); err != nil {
			return err
		}
		_, err := static.NewController(p.Kube, p.Cluster, p.Cloud, p.cluster.clock, world.Silent{}).Reconcile(p.ctx, pool)
		return err
	case "node":
		return p.remove(&corev1.Node{}, name)
	case "nodeclaim":
		return p.remove(&karpv1.NodeClaim{}, name)
	case "nodepool":
		// Kubernetes deletes the owned objects.
		for _, claim := range some(p.store, func(claim *karpv1.NodeClaim) bool { return claim.Labels[karpv1.NodePoolLabelKey] == name }) {
			if err := p.Kube.Delete(p.ctx, claim); err != nil {
				return err
			}
		}
		return p.remove(&karpv1.NodePool{}, name)
	}
	return fmt.Errorf("%s: nothing is known of it", what)
}

func (p *player) remove(object client.Object, name string) error {
	if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, object); err != nil {
		return err
	}
	return p.Kube.Delete(p.ctx, object)
}

// interrupt sends EC2's interruption notice of a spot instance.
func (p *player) interrupt(name string) error {
	node := &corev1.Node{}
	if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, node); err != nil {
		return err
	}
	queue := queueOf(fmt.Sprintf(`{"version": "0", "id": "1", "detail-type": "EC2 Spot Instance Interruption Warning", "source": "aws.ec2", "time": %q,
		"detail": {"instance-id": %q, "instance-action": "terminate"}}`, p.Now.Format(time.RFC3339), world.Field(node, "spec.instanceID")))
	now := p.cluster.clock.Now()
	p.takenDue[name] = now.Add(notice)
	labels := node.Labels
	p.avoided = append(p.avoided, avoided{instanceType: ec2types.InstanceType(labels[corev1.LabelInstanceTypeStable]), zone: labels[corev1.LabelTopologyZone], until: now.Add(cache.UnavailableOfferingsTTL)})
	_, err := interruption.NewController(p.Kube, p.cluster.clock, p.Cloud, world.Silent{}, queue, nil, p.Unavailable()).Reconcile(p.ctx)
	p.OfferingsChange()
	return err
}

// endBlock ends a capacity block: Karpenter launches nothing into it, and deletes the nodes in it.
func (p *player) endBlock(id string) error {
	for _, class := range some(p.store, everyOne[*v1.EC2NodeClass]) {
		for at := range class.Status.CapacityReservations {
			if class.Status.CapacityReservations[at].ID == id {
				class.Status.CapacityReservations[at].State = v1.CapacityReservationStateExpiring
			}
		}
		p.put(class)
	}
	for _, claim := range some(p.store, func(claim *karpv1.NodeClaim) bool { return claim.Labels[cloudprovider.ReservationIDLabel] == id }) {
		p.takenDue[claim.Status.NodeName] = p.cluster.clock.Now().Add(reclaimed)
		if err := p.Kube.Delete(p.ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// avoided is a spot offering that is marked as unavailable.
type avoided struct {
	instanceType ec2types.InstanceType
	zone         string
	until        time.Time
}

// take ends the instances whose notice is over, and makes avoided offerings available again when their time is over.
func (p *player) take() {
	now := p.cluster.clock.Now()
	for _, node := range all[*corev1.Node](p.store) {
		if at, known := p.takenDue[node.Name]; !known || at.After(now) {
			continue
		}
		delete(p.takenDue, node.Name)
		p.kill(node.Name)
		p.drop(node)
		for _, claim := range some(p.store, func(claim *karpv1.NodeClaim) bool { return claim.Status.NodeName == node.Name }) {
			p.drop(claim)
		}
		p.tell(node.Name + lo.Ternary(p.isLost, " is lost", " is taken away"))
	}
	left := lo.Filter(p.avoided, func(each avoided, _ int) bool { return each.until.After(now) })
	if len(left) < len(p.avoided) {
		// The cache expires by its own clock.
		p.Unavailable().Flush()
		for _, each := range left {
			p.Unavailable().MarkUnavailable(p.ctx, each.instanceType, each.zone, karpv1.CapacityTypeSpot, nil)
		}
		p.avoided = left
		p.OfferingsChange()
		p.isTriggered = true
	}
}

// queueOf is an SQS queue with one message.
type queueOf string

var _ sqs.Provider = queueOf("")

func (queueOf) Name() string { return "queue" }

func (q queueOf) GetSQSMessages(context.Context) ([]*sqstypes.Message, error) {
	return []*sqstypes.Message{{Body: lo.ToPtr(string(q))}}, nil
}

func (queueOf) SendMessage(context.Context, any) (string, error) { panic("nothing is sent") }

func (queueOf) DeleteSQSMessage(context.Context, *sqstypes.Message) error { return nil }
