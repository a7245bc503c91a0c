package main

import (
	"github.com/aws/jsii-runtime-go"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
	"github.com/cdk8s-team/cdk8s-plus-go/cdk8splus28/v2"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/nodes"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/plugins"
)

func main() {
	defer jsii.Close()
	app := cdk8s.NewApp(nil)
	chart := cdk8s.NewChart(app, jsii.String("shop"), nil)
	nodeClass := nodes.NewEC2NodeClass(chart, jsii.String("NodeClass"), &nodes.EC2NodeClassProps{
		Metadata:                   &cdk8s.ApiObjectMetadata{Name: jsii.String("general")},
		Identity:                   nodes.NodeIdentity_Role(jsii.String("KarpenterNodeRole-shop")),
		AmiSelectorTerms:           &[]nodes.AmiSelectorTerm{nodes.AmiSelectorTerm_Al2023(jsii.String("v20250915"))},
		SubnetSelectorTerms:        &[]nodes.SubnetSelectorTerm{nodes.SubnetSelectorTerm_ByDiscoveryTag(jsii.String("shop"))},
		SecurityGroupSelectorTerms: &[]nodes.SecurityGroupSelectorTerm{nodes.SecurityGroupSelectorTerm_ByDiscoveryTag(jsii.String("shop"))},
	})
	nodes.NewNodePool(chart, jsii.String("NodePool"), &nodes.NodePoolProps{
		Metadata:  &cdk8s.ApiObjectMetadata{Name: jsii.String("general")},
		NodeClass: nodeClass,
		Requirements: &[]nodes.Requirement{
			nodes.Requirement_CapacityType().In(nodes.CapacityType_ON_DEMAND()),
			nodes.Requirement_InstanceFamily().In(nodes.InstanceFamily_M7I()),
			nodes.Requirement_InstanceCpu().LessThanOrEqual(jsii.Number(8)),
		},
		Limits: &nodes.NodePoolLimits{Cpu: jsii.Number(100)},
	})
	cdk8splus28.NewDeployment(chart, jsii.String("Web"), &cdk8splus28.DeploymentProps{
		Metadata: &cdk8s.ApiObjectMetadata{Name: jsii.String("web")},
		Replicas: jsii.Number(3),
		Containers: &[]*cdk8splus28.ContainerProps{{
			Image: jsii.String("registry.example/web:1.4"),
			Resources: &cdk8splus28.ContainerResources{
				Cpu:    &cdk8splus28.CpuResources{Request: cdk8splus28.Cpu_Units(jsii.Number(8))},
				Memory: &cdk8splus28.MemoryResources{Request: cdk8s.Size_Gibibytes(jsii.Number(8)), Limit: cdk8s.Size_Gibibytes(jsii.Number(8))},
			},
		}},
	})
	plugins.NewKarpenterVerdict(app, jsii.String("Verdict"), &plugins.KarpenterVerdictProps{Region: jsii.String("eu-west-1")})
	app.Synth()
}
