// Command account writes the template of Karpenter in an AWS account: its roles, policies and interruption queue.
package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/karpenter-constructs/karpenter-constructs-go/karpenterconstructs/infra"
)

func main() {
	defer jsii.Close()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String("dist")})
	stack := awscdk.NewStack(app, jsii.String("Account"), &awscdk.StackProps{
		Env: &awscdk.Environment{Account: jsii.String("111122223333"), Region: jsii.String("eu-west-1")},
	})
	karpenter := infra.NewKarpenter(stack, jsii.String("Karpenter"), &infra.KarpenterProps{
		Cluster:     infra.NewClusterReference(stack, jsii.String("Cluster"), &infra.ClusterReferenceProps{ClusterName: jsii.String("shop")}),
		Identity:    infra.ControllerIdentity_PodIdentity(&infra.PodIdentityOptions{InstallAgent: jsii.Bool(false)}),
		Permissions: &infra.ControllerPermissions{PlacementGroups: jsii.Bool(false)},
		HelmValues: &map[string]any{
			"settings": map[string]any{"featureGates": map[string]any{"nodeOverlay": true}},
		},
	})
	app.Synth(nil)
	settings := (*karpenter.HelmValues())["settings"].(map[string]any)
	fmt.Println(settings["featureGates"].(map[string]any)["nodeOverlay"])
}
