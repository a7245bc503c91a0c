package oracle

import (
	"context"
	"slices"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/utils/clock"

	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// Provisioning is one pass of the provisioner.
type Provisioning struct {
	*SimulatedCluster
	// pending are the pending pods, reschedulable are the reschedulable pods on deleting nodes.
	pending, reschedulable []*corev1.Pod
	options                []scheduling.Options
}

// Provision lets Karpenter's own code validate the pods.
func (p *SimulatedCluster) Provision(ctx context.Context, s Settings, clk clock.Clock) (*Provisioning, error) {
	pending, err := p.Provisioner.GetPendingPods(ctx)
	if err != nil {
		return nil, err
	}
	reschedulable, err := p.Cluster.DeepCopyNodes().Deleting().CurrentlyReschedulablePods(ctx, p.Kube, clk, NopRecorder{})
	if err != nil {
		return nil, err
	}
	SortByAge(pending)
	SortByAge(reschedulable)
	return &Provisioning{SimulatedCluster: p, pending: pending, reschedulable: reschedulable, options: SchedulerOptions(ctx, s)}, nil
}

// SchedulerOptions are the options with which the provisioner builds the scheduler.
func SchedulerOptions(ctx context.Context, s Settings) []scheduling.Options {
	result := []scheduling.Options{
		scheduling.DisableReservedCapacityFallback,
		scheduling.NumConcurrentReconciles(max(s.Concurrency, 1)),
		scheduling.MinValuesPolicy(options.FromContext(ctx).MinValuesPolicy),
	}
	if s.PreferencePolicy == string(options.PreferencePolicyIgnore) {
		result = append(result, scheduling.IgnorePreferences)
	}
	return result
}

// Pods are the pods to schedule.
func (p *Provisioning) Pods() []*corev1.Pod {
	return append(slices.Clone(p.pending), p.reschedulable...)
}

// Scheduler is built as in the provisioner.
func (p *Provisioning) Scheduler(ctx context.Context) (*scheduling.Scheduler, error) {
	deleting := sets.New(lo.Map(p.reschedulable, func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	return p.Provisioner.NewScheduler(ctx, p.Pods(), p.Cluster.DeepCopyNodes().Active(), deleting, p.options...)
}
