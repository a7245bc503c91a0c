from cdk8s import App, Chart, Size
from cdk8s_plus_28 import ContainerProps, ContainerResources, Cpu, CpuResources, Deployment, MemoryResources
from karpenter_constructs import nodes, plugins

app = App()
chart = Chart(app, "shop")
node_class = nodes.EC2NodeClass(chart, "NodeClass",
    metadata={"name": "general"},
    identity=nodes.NodeIdentity.role("KarpenterNodeRole-shop"),
    ami_selector_terms=[nodes.AmiSelectorTerm.al2023("v20250915")],
    subnet_selector_terms=[nodes.SubnetSelectorTerm.by_discovery_tag("shop")],
    security_group_selector_terms=[nodes.SecurityGroupSelectorTerm.by_discovery_tag("shop")],
)
nodes.NodePool(chart, "NodePool",
    metadata={"name": "general"},
    node_class=node_class,
    requirements=[
        nodes.Requirement.capacity_type().in_(nodes.CapacityType.ON_DEMAND),
        nodes.Requirement.instance_family().in_(nodes.InstanceFamily.M7_I),
        nodes.Requirement.instance_cpu().less_than_or_equal(8),
    ],
    limits=nodes.NodePoolLimits(cpu=100),
)
Deployment(chart, "Web",
    metadata={"name": "web"},
    replicas=3,
    containers=[ContainerProps(
        image="registry.example/web:1.4",
        resources=ContainerResources(
            cpu=CpuResources(request=Cpu.units(8)),
            memory=MemoryResources(request=Size.gibibytes(8), limit=Size.gibibytes(8)),
        ),
    )],
)
plugins.KarpenterVerdict(app, "Verdict", region="eu-west-1")
app.synth()
