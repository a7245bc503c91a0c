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
	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	static "sigs.k8s.io/karpenter/pkg/controllers/static/deprovisioning"
)

// interruptionNotice is the time between EC2's interruption notice and the end of a spot instance.
const interruptionNotice = 2 * time.Minute

// capacityBlockNotice is the time between Karpenter's first deletion in a capacity block and the end of its instances
// in EC2.
const capacityBlockNotice = 10 * time.Minute

// startEvent is an event that neither Karpenter nor Kubernetes causes.
type startEvent struct {
	// What is "interrupt", "silence", "zone", "endBlock", "scaleDown", or the kind of the deleted object.
	What string
	// Name is the name of the node, the deleted object, the scaled-down pool or the zone, or the id of the capacity
	// block.
	Name string
}

func (p *simulator) applyEvents() error {
	for _, event := range p.StartEvents {
		if err := p.applyEvent(event.What, event.Name); err != nil {
			return err
		}
	}
	return nil
}

func (p *simulator) applyEvent(what, name string) error {
	switch what {
	case "interrupt":
		return p.interrupt(name)
	case "silence":
		return p.makeUnreachable(name, 0)
	case "zone":
		return p.failZone(name)
	case "endBlock":
		return p.endCapacityBlock(name)
	case "scaleDown":
		pool := &karpv1.NodePool{}
		if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, pool); err != nil {
			return err
		}
		_, err := static.NewController(p.Kube, p.Cluster, p.Cloud, p.cluster.clock, oracle.NopRecorder{}).Reconcile(p.ctx, pool)
		return err
	case "node":
		return p.deleteObject(&corev1.Node{}, name)
	case "nodeclaim":
		return p.deleteObject(&karpv1.NodeClaim{}, name)
	case "nodepool":
		// Kubernetes deletes the owned objects.
		for _, claim := range copiesOf(p.store, func(claim *karpv1.NodeClaim) bool { return claim.Labels[karpv1.NodePoolLabelKey] == name }) {
			if err := p.Kube.Delete(p.ctx, claim); err != nil {
				return err
			}
		}
		return p.deleteObject(&karpv1.NodePool{}, name)
	}
	return fmt.Errorf("%s: nothing is known of it", what)
}

func (p *simulator) deleteObject(object client.Object, name string) error {
	if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, object); err != nil {
		return err
	}
	return p.Kube.Delete(p.ctx, object)
}

// interrupt sends EC2's interruption notice of a spot instance.
func (p *simulator) interrupt(name string) error {
	node := &corev1.Node{}
	if err := p.Kube.Get(p.ctx, client.ObjectKey{Name: name}, node); err != nil {
		return err
	}
	queue := queueOf(fmt.Sprintf(`{"version": "0", "id": "1", "detail-type": "EC2 Spot Instance Interruption Warning", "source": "aws.ec2", "time": %q,
		"detail": {"instance-id": %q, "instance-action": "terminate"}}`, p.Now.Format(time.RFC3339), oracle.FieldValue(node, "spec.instanceID")))
	now := p.cluster.clock.Now()
	p.terminationsDue[name] = now.Add(interruptionNotice)
	labels := node.Labels
	p.unavailable = append(p.unavailable, unavailableOffering{instanceType: ec2types.InstanceType(labels[corev1.LabelInstanceTypeStable]), zone: labels[corev1.LabelTopologyZone], until: now.Add(cache.UnavailableOfferingsTTL)})
	_, err := interruption.NewController(p.Kube, p.cluster.clock, p.Cloud, oracle.NopRecorder{}, queue, nil, p.UnavailableOfferings()).Reconcile(p.ctx)
	p.InvalidateOfferings()
	return err
}

// endCapacityBlock ends a capacity block: Karpenter launches nothing into it, and deletes the nodes in it.
func (p *simulator) endCapacityBlock(id string) error {
	for _, class := range copiesOf(p.store, always[*v1.EC2NodeClass]) {
		for index := range class.Status.CapacityReservations {
			if class.Status.CapacityReservations[index].ID == id {
				class.Status.CapacityReservations[index].State = v1.CapacityReservationStateExpiring
			}
		}
		p.put(class)
	}
	for _, claim := range copiesOf(p.store, func(claim *karpv1.NodeClaim) bool { return claim.Labels[cloudprovider.ReservationIDLabel] == id }) {
		p.terminationsDue[claim.Status.NodeName] = p.cluster.clock.Now().Add(capacityBlockNotice)
		if err := p.Kube.Delete(p.ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// unavailableOffering is a spot offering that is marked as unavailable.
type unavailableOffering struct {
	instanceType ec2types.InstanceType
	zone         string
	until        time.Time
}

// terminateInstances ends the instances whose notice is over, and makes unavailable offerings available again when
// their time is over.
func (p *simulator) terminateInstances() {
	now := p.cluster.clock.Now()
	for _, node := range listAll[*corev1.Node](p.store) {
		if due, known := p.terminationsDue[node.Name]; !known || due.After(now) {
			continue
		}
		delete(p.terminationsDue, node.Name)
		p.deletePodsOf(node.Name)
		p.remove(node)
		for _, claim := range copiesOf(p.store, func(claim *karpv1.NodeClaim) bool { return claim.Status.NodeName == node.Name }) {
			p.remove(claim)
		}
		p.recordEvent(node.Name + lo.Ternary(p.isZoneOutage, " is lost", " is taken away"))
	}
	remaining := lo.Filter(p.unavailable, func(offering unavailableOffering, _ int) bool { return offering.until.After(now) })
	if len(remaining) < len(p.unavailable) {
		// The cache expires by its own clock.
		p.UnavailableOfferings().Flush()
		for _, offering := range remaining {
			p.UnavailableOfferings().MarkUnavailable(p.ctx, offering.instanceType, offering.zone, karpv1.CapacityTypeSpot, nil)
		}
		p.unavailable = remaining
		p.InvalidateOfferings()
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
