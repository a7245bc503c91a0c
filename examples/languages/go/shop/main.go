// Command shop writes a shop on nodes of its own, with Karpenter's verdict at synth and an assertion on drift.
package main

import (
	"fmt"

	"github.com/aws/jsii-runtime-go"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
	"github.com/cdk8s-team/cdk8s-plus-go/cdk8splus28/v2"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/assertions"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/nodes"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/plugins"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/workloads"
)

func main() {
	defer jsii.Close()

	app := cdk8s.NewApp(nil)
	chart := cdk8s.NewChart(app, jsii.String("shop"), nil)
	addWebServer(chart, newNodePool(chart, newNodeClass(chart)))
	plugins.NewKarpenterVerdict(app, jsii.String("Verdict"), &plugins.KarpenterVerdictProps{Region: jsii.String("eu-west-1")})
	app.Synth()

	karpenter := assertions.KarpenterAssertions_FromChart(chart, &assertions.KarpenterAssertionsProps{Region: jsii.String("eu-west-1")})
	karpenter.HasAllPodsScheduled()
	if err := keepsReady(karpenter, "web", 3); err != nil {
		fmt.Println(err)
	}
}

// keepsReady returns the failure of an assertion, which jsii reports as a panic.
// A test needs no such function: a panic fails it.
func keepsReady(karpenter assertions.KarpenterAssertions, workload string, pods float64) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	karpenter.KeepsReady(jsii.String(workload), jsii.Number(pods), assertions.Scenario_DRIFT)
	return nil
}

func newNodeClass(chart cdk8s.Chart) nodes.EC2NodeClass {
	return nodes.NewEC2NodeClass(chart, jsii.String("NodeClass"), &nodes.EC2NodeClassProps{
		Identity:                   nodes.NodeIdentity_Role(jsii.String("KarpenterNodeRole-shop")),
		AmiSelectorTerms:           &[]nodes.AmiSelectorTerm{nodes.AmiSelectorTerm_Al2023(jsii.String("v20250915"))},
		SubnetSelectorTerms:        &[]nodes.SubnetSelectorTerm{nodes.SubnetSelectorTerm_ByDiscoveryTag(jsii.String("shop"))},
		SecurityGroupSelectorTerms: &[]nodes.SecurityGroupSelectorTerm{nodes.SecurityGroupSelectorTerm_ByDiscoveryTag(jsii.String("shop"))},
		BlockDeviceMappings: &[]*nodes.BlockDevice{{
			DeviceName: jsii.String("/dev/xvda"),
			Ebs:        &nodes.EbsVolume{VolumeSize: cdk8s.Size_Gibibytes(jsii.Number(50)), VolumeType: nodes.VolumeType_GP3},
		}},
		Tags: &map[string]*string{"team": jsii.String("shop")},
	})
}

func newNodePool(chart cdk8s.Chart, nodeClass nodes.EC2NodeClass) nodes.NodePool {
	return nodes.NewNodePool(chart, jsii.String("NodePool"), &nodes.NodePoolProps{
		Metadata:  &cdk8s.ApiObjectMetadata{Name: jsii.String("shop")},
		NodeClass: nodeClass,
		Requirements: &[]nodes.Requirement{
			nodes.Requirement_Zone().In(*nodes.Zone_OfRegion(jsii.String("eu-west-1"), jsii.String("a"), jsii.String("b"), jsii.String("c"))...),
			nodes.Requirement_CapacityType().In(nodes.CapacityType_SPOT(), nodes.CapacityType_ON_DEMAND()),
			nodes.Requirement_InstanceFamily().
				In(nodes.InstanceFamily_M6A(), nodes.InstanceFamily_M7G(), nodes.InstanceFamily_Of(jsii.String("m8g"))).
				WithMinValues(jsii.Number(2)),
		},
		Limits: &nodes.NodePoolLimits{Cpu: jsii.Number(100)},
		Taints: &[]*nodes.Taint{{Key: jsii.String("example.com/shop"), Effect: nodes.TaintEffect_NO_SCHEDULE}},
		Disruption: &nodes.NodePoolDisruption{
			ConsolidateAfter: nodes.Consolidation_After(cdk8s.Duration_Minutes(jsii.Number(5))),
			Budgets: &[]nodes.DisruptionBudget{
				nodes.DisruptionBudget_Percent(jsii.Number(20), nil),
				nodes.DisruptionBudget_Nodes(jsii.Number(0), &nodes.DisruptionBudgetOptions{
					Schedule: cdk8s.Cron_Schedule(&cdk8s.CronOptions{Minute: jsii.String("0"), Hour: jsii.String("9"), WeekDay: jsii.String("1-5")}),
					Duration: cdk8s.Duration_Hours(jsii.Number(8)),
					Reasons:  &[]nodes.DisruptionReason{nodes.DisruptionReason_DRIFTED},
				}),
			},
		},
	})
}

func addWebServer(chart cdk8s.Chart, nodePool nodes.NodePool) {
	web := workloads.NewResilientDeployment(chart, jsii.String("Web"), &workloads.ResilientDeploymentProps{
		Metadata: &cdk8s.ApiObjectMetadata{Name: jsii.String("web")},
		NodePool: nodePool,
		Replicas: jsii.Number(3),
	})
	web.AddContainer(&cdk8splus28.ContainerProps{
		Image:      jsii.String("nginx:1.29"),
		PortNumber: jsii.Number(8080),
		Readiness:  cdk8splus28.Probe_FromHttpGet(jsii.String("/"), nil),
		Resources: &cdk8splus28.ContainerResources{
			Cpu:    &cdk8splus28.CpuResources{Request: cdk8splus28.Cpu_Millis(jsii.Number(500))},
			Memory: &cdk8splus28.MemoryResources{Request: cdk8s.Size_Gibibytes(jsii.Number(1)), Limit: cdk8s.Size_Gibibytes(jsii.Number(1))},
		},
	})
}
