#!/usr/bin/env python
"""A project as `cdk8s init python-app` writes it, with a newer cdk8s-plus than the one of our examples."""

from cdk8s import App, Chart
from cdk8s_plus_33 import ContainerProps, ContainerResources, Cpu, CpuResources, Deployment
from constructs import Construct
from karpenter_constructs import nodes, workloads


class MyChart(Chart):
    def __init__(self, scope: Construct, id: str):
        super().__init__(scope, id)
        pool = nodes.NodePool.from_node_pool_attributes(self, "Pool", name="shop")
        resources = ContainerResources(cpu=CpuResources(request=Cpu.millis(500)))
        Deployment(
            self,
            "Api",
            replicas=3,
            containers=[ContainerProps(image="api", port_number=80, resources=resources)],
        )
        self.with_(workloads.Resilience(node_pool=pool))


app = App()
chart = MyChart(app, "shop")
manifests = app.synth_yaml()
print(manifests.count("kind: PodDisruptionBudget"), manifests.count("topologySpreadConstraints"))
