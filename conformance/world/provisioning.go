package world

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
	*Problem
	// pending are the pending pods, moving are the pods on deleting nodes.
	pending, moving []*corev1.Pod
	options         []scheduling.Options
}

// Provision lets Karpenter's own code validate the pods.
func (p *Problem) Provision(ctx context.Context, s Settings, clk clock.Clock) (*Provisioning, error) {
	pending, err := p.Provisioner.GetPendingPods(ctx)
	if err != nil {
		return nil, err
	}
	moving, err := p.Cluster.DeepCopyNodes().Deleting().CurrentlyReschedulablePods(ctx, p.Kube, clk, Silent{})
	if err != nil {
		return nil, err
	}
	InOrderOfAge(pending)
	InOrderOfAge(moving)
	return &Provisioning{Problem: p, pending: pending, moving: moving, options: OptionsOf(ctx, s)}, nil
}

// OptionsOf are the options with which the provisioner builds the scheduler.
func OptionsOf(ctx context.Context, s Settings) []scheduling.Options {
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
func (p *Provisioning) Pods() []*corev1.Pod { return append(slices.Clone(p.pending), p.moving...) }

// Scheduler is built as in the provisioner.
func (p *Provisioning) Scheduler(ctx context.Context) (*scheduling.Scheduler, error) {
	leaving := sets.New(lo.Map(p.moving, func(pod *corev1.Pod, _ int) apitypes.UID { return pod.UID })...)
	return p.Provisioner.NewScheduler(ctx, p.Pods(), p.Cluster.DeepCopyNodes().Active(), leaving, p.options...)
}
