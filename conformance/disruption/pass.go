package main

import (
	"context"
	"time"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	classhash "github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass/hash"
	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
	marks "sigs.k8s.io/karpenter/pkg/controllers/nodeclaim/disruption"
	poolhash "sigs.k8s.io/karpenter/pkg/controllers/nodepool/hash"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/state/cost"
)

// pass is one pass of the disruption controller.
type pass struct {
	*oracle.SimulatedCluster
	clock    *clocktesting.FakeClock
	recorder *recorder
	queue    *disruption.Queue
	costs    *cost.ClusterCost
	drifts   map[string]string
	// decided are the commands of the methods that have run.
	decided map[string][]disruption.Command
}

// newPass lets Karpenter read the cluster, and mark the consolidatable NodeClaims.
func newPass(ctx context.Context, env *oracle.Environment, s scenario) (*pass, error) {
	clk := clocktesting.NewFakeClock(s.Now)
	cluster, err := env.NewCluster(ctx, s.ScenarioInput, clk)
	if err != nil {
		return nil, err
	}
	p := &pass{SimulatedCluster: cluster, clock: clk, recorder: &recorder{names: map[string]string{}}, drifts: map[string]string{}, decided: map[string][]disruption.Command{}}
	p.queue = disruption.NewQueue(p.Kube, p.recorder, p.Cluster, clk, p.Provisioner)
	p.costs = cost.NewClusterCost(ctx, p.Cloud, p.Kube)
	if err := p.setBudgetStatus(ctx); err != nil {
		return nil, err
	}
	if err := p.markNodeClaims(ctx); err != nil {
		return nil, err
	}
	for node := range p.Cluster.Nodes() {
		if node.NodeClaim != nil {
			p.recorder.names[node.NodeClaim.Name] = node.Name()
		}
		if lo.Contains(s.Nominated, node.Name()) {
			defer p.Cluster.NominateNodeForPod(ctx, node.ProviderID())
		}
	}
	return p, p.recordBufferPods(ctx, s.Settings)
}

// markNodeClaims runs the NodeClaim controller, which sets Consolidatable and returns the drift that it detects. The
// condition Drifted stays as in the scenario.
func (p *pass) markNodeClaims(ctx context.Context) error {
	if err := p.writeHashes(ctx); err != nil {
		return err
	}
	claims := &karpv1.NodeClaimList{}
	if err := p.Kube.List(ctx, claims); err != nil {
		return err
	}
	controller := marks.NewController(p.clock, p.Kube, p.Cloud)
	for index := range claims.Items {
		claim := &claims.Items[index]
		original := claim.StatusConditions().Get(karpv1.ConditionTypeDrifted)
		if _, err := controller.Reconcile(ctx, claim); err != nil {
			return err
		}
		if drifted := claim.StatusConditions().Get(karpv1.ConditionTypeDrifted); drifted.IsTrue() {
			p.drifts[claim.Name] = drifted.Reason
		}
		if original != nil {
			claim.StatusConditions().Set(*original)
		} else {
			_ = claim.StatusConditions().Clear(karpv1.ConditionTypeDrifted)
		}
		p.Cluster.UpdateNodeClaim(claim)
		// It does not know the cost of a deleted pool.
		if err := p.costs.UpdateNodeClaim(ctx, claim); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return p.refreshNodes(ctx)
}

// writeHashes lets Karpenter write its hash of static fields on pools and classes, and on NodeClaims without one.
func (p *pass) writeHashes(ctx context.Context) error {
	pools, classes := &karpv1.NodePoolList{}, &v1.EC2NodeClassList{}
	if err := p.Kube.List(ctx, pools); err != nil {
		return err
	}
	for index := range pools.Items {
		if _, err := poolhash.NewController(p.Kube, p.Cloud).Reconcile(ctx, &pools.Items[index]); err != nil {
			return err
		}
	}
	if err := p.Kube.List(ctx, classes); err != nil {
		return err
	}
	for index := range classes.Items {
		if _, err := classhash.NewController(p.Kube, &oracle.Certificate).Reconcile(ctx, &classes.Items[index]); err != nil {
			return err
		}
	}
	return nil
}

// refreshNodes updates the nodes: after an update of a NodeClaim Karpenter forgets the disruption cost of its pods
// until the next update of the node or its pods.
func (p *pass) refreshNodes(ctx context.Context) error {
	nodes := &corev1.NodeList{}
	if err := p.Kube.List(ctx, nodes); err != nil {
		return err
	}
	for index := range nodes.Items {
		if err := p.Cluster.UpdateNode(ctx, &nodes.Items[index]); err != nil {
			return err
		}
	}
	return nil
}

// acceptAll accepts every command, because validation is a later step here.
type acceptAll struct{}

func (acceptAll) Validate(_ context.Context, cmd disruption.Command, _ time.Duration) (disruption.Command, error) {
	return cmd, nil
}

// methods returns the methods in the controller's order.
func (p *pass) methods(ctx context.Context) []disruption.Method {
	c := disruption.MakeConsolidation(p.clock, p.Cluster, p.Kube, p.Provisioner, p.Cloud, p.recorder, p.queue)
	unvalidated := disruption.WithValidator(acceptAll{})
	var repair []disruption.Method
	if options.FromContext(ctx).FeatureGates.NodeRepair {
		repair = append(repair, disruption.NewRepair(c))
	}
	return append(repair,
		disruption.NewEmptiness(c, unvalidated),
		disruption.NewStaticDrift(p.Cluster, p.Provisioner, p.Cloud, p.recorder),
		disruption.NewDrift(p.Kube, p.Cluster, p.Provisioner, p.recorder, p.clock),
		disruption.NewMultiNodeConsolidation(c, unvalidated),
		disruption.NewSingleNodeConsolidation(c, unvalidated),
	)
}

// runMethod does the same as Controller.disrupt, up to the queue.
func (p *pass) runMethod(ctx context.Context, method disruption.Method) (methodAnswer, error) {
	p.recorder.remarks = nil
	candidates, totals, err := disruption.GetCandidatesWithTotals(
		ctx, p.Cluster, p.Kube, p.recorder, p.clock, p.Cloud, method.ShouldDisrupt, method.Class(), p.queue, p.costs)
	if err != nil {
		return methodAnswer{}, err
	}
	result := methodAnswer{Method: nameOf(method), Candidates: names(candidates)}
	if setter, ok := method.(disruption.NodePoolTotalsSetter); ok {
		setter.SetNodePoolTotals(totals)
	}
	budgets, err := disruption.BuildDisruptionBudgetMapping(ctx, p.Cluster, p.clock, p.Kube, p.Cloud, p.recorder, method.Reason())
	if err != nil {
		return methodAnswer{}, err
	}
	result.Budgets = lo.Assign(budgets)
	if len(candidates) > 0 {
		commands, err := method.ComputeCommands(ctx, budgets, candidates...)
		if err != nil {
			result.Error = err.Error()
		}
		p.releaseNodeCounts(commands)
		for _, command := range commands {
			if command.Decision() != disruption.NoOpDecision {
				p.decided[result.Method] = append(p.decided[result.Method], command)
				result.Commands = append(result.Commands, commandOf(command))
			}
		}
	}
	result.Remarks = p.recorder.remarks
	return result, nil
}

// releaseNodeCounts returns the reserved node counts of static pools, so that the next method runs as if nothing had
// been decided.
func (p *pass) releaseNodeCounts(commands []disruption.Command) {
	for _, command := range commands {
		for _, replacement := range command.Replacements {
			if replacement.IsStaticNodeClaim {
				p.Cluster.NodePoolState.ReleaseNodeCount(replacement.NodePoolName, 1)
			}
		}
	}
}

func (p *pass) answer(ctx context.Context, only []string) (*answer, error) {
	result := &answer{Drifts: p.drifts}
	for _, method := range p.methods(ctx) {
		if len(only) > 0 && !lo.Contains(only, nameOf(method)) {
			continue
		}
		one, err := p.runMethod(ctx, method)
		if err != nil {
			return nil, err
		}
		result.Methods = append(result.Methods, one)
	}
	return result, nil
}
