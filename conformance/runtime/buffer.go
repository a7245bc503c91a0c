//go:build buffer

package main

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/karpenter/pkg/apis/autoscaling/v1beta1"
)

func init() {
	validators["CapacityBuffer"] = func(text []byte) []error {
		return decode(text, func(buffer *v1beta1.CapacityBuffer) []error {
			// The controller creates the pods of a buffer in memory; their number does not affect its validity.
			buffer.Spec.Replicas, buffer.Spec.Percentage, buffer.Spec.Limits = nil, nil, nil
			cluster := &clusterWithEverything{buffer: buffer}
			if err := reconcileBuffer(context.Background(), cluster); err != nil {
				return []error{err}
			}
			for _, condition := range cluster.buffer.Status.Conditions {
				if condition.Type == v1beta1.ReadyForProvisioningCondition && condition.Status != metav1.ConditionTrue {
					return []error{fmt.Errorf("%s: %s", condition.Reason, condition.Message)}
				}
			}
			return nil
		})
	}
}

// clusterWithEverything has the buffer and every object that it refers to, so that only the buffer itself is validated.
type clusterWithEverything struct {
	client.Client
	buffer *v1beta1.CapacityBuffer
}

func (c *clusterWithEverything) Get(_ context.Context, _ client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	if buffer, ok := object.(*v1beta1.CapacityBuffer); ok {
		c.buffer.DeepCopyInto(buffer)
	}
	return nil
}

func (c *clusterWithEverything) Status() client.SubResourceWriter {
	return statusWriter{cluster: c}
}

type statusWriter struct {
	client.SubResourceWriter
	cluster *clusterWithEverything
}

func (w statusWriter) Patch(_ context.Context, object client.Object, _ client.Patch, _ ...client.SubResourcePatchOption) error {
	buffer, ok := object.(*v1beta1.CapacityBuffer)
	if !ok {
		return errors.New("only the status of a buffer is written")
	}
	w.cluster.buffer = buffer.DeepCopy()
	return nil
}

// provisioner only has the method that triggers it.
type provisioner struct{}

func (provisioner) Trigger(types.UID) {}

func (provisioner) TriggerReconcile() {}
