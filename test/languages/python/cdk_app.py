#!/usr/bin/env python3
"""A project as `cdk init app --language python` writes it, with Karpenter in a cluster of aws-eks-v2."""

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from aws_cdk.lambda_layer_kubectl_v34 import KubectlV34Layer
from constructs import Construct
from karpenter_constructs import infra, nodes, plugins


class ShopStack(cdk.Stack):
    def __init__(self, scope: Construct, construct_id: str, **kwargs) -> None:
        super().__init__(scope, construct_id, **kwargs)
        cluster = eks.Cluster(
            self,
            "Cluster",
            version=eks.KubernetesVersion.V1_34,
            kubectl_provider_options=eks.KubectlProviderOptions(kubectl_layer=KubectlV34Layer(self, "Kubectl")),
            default_capacity_type=eks.DefaultCapacityType.NODEGROUP,
            default_capacity=0,
        )
        infra.SystemNodeGroup(self, "System", cluster=cluster)
        karpenter = infra.Karpenter(self, "Karpenter", cluster=cluster)
        node_class = karpenter.add_node_class(
            "al2023",
            ami_selector_terms=[nodes.AmiSelectorTerm.al2023("v20250915")],
        )
        karpenter.add_node_pool(
            "general",
            node_class=node_class,
            requirements=[
                nodes.Requirement.capacity_type().in_(nodes.CapacityType.SPOT, nodes.CapacityType.ON_DEMAND)
            ],
            limits=nodes.NodePoolLimits(cpu=100),
        )
        karpenter.acknowledge_cdk_nag()


app = cdk.App(analytics_reporting=False)
cdk.Validations.of(app).add_plugins(plugins.KarpenterVerdictPlugin())
stack = ShopStack(app, "Shop", env=cdk.Environment(account="111122223333", region="eu-west-1"))
resources = app.synth().get_stack_by_name("Shop").template["Resources"].values()
count = lambda kind: sum(resource["Type"] == f"Custom::AWSCDK-EKS-{kind}" for resource in resources)
print(f"{count('HelmChart')} charts, {count('KubernetesResource')} objects")
