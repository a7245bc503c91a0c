"""A shop on nodes of its own, with Karpenter's verdict at synth and an assertion on drift."""

from cdk8s import ApiObjectMetadata, App, Chart, Cron, Duration, Size
from cdk8s_plus_28 import ContainerResources, Cpu, CpuResources, MemoryResources, Probe
from karpenter_constructs import assertions, nodes, plugins, workloads


def add_node_class(chart: Chart) -> nodes.EC2NodeClass:
    return nodes.EC2NodeClass(
        chart,
        "NodeClass",
        identity=nodes.NodeIdentity.role("KarpenterNodeRole-shop"),
        ami_selector_terms=[nodes.AmiSelectorTerm.al2023("v20250915")],
        subnet_selector_terms=[nodes.SubnetSelectorTerm.by_discovery_tag("shop")],
        security_group_selector_terms=[nodes.SecurityGroupSelectorTerm.by_discovery_tag("shop")],
        block_device_mappings=[
            nodes.BlockDevice(
                device_name="/dev/xvda",
                ebs=nodes.EbsVolume(volume_size=Size.gibibytes(50), volume_type=nodes.VolumeType.GP3),
            )
        ],
        tags={"team": "shop"},
    )


def add_node_pool(chart: Chart, node_class: nodes.EC2NodeClass) -> nodes.NodePool:
    return nodes.NodePool(
        chart,
        "NodePool",
        metadata=ApiObjectMetadata(name="shop"),
        node_class=node_class,
        requirements=[
            nodes.Requirement.zone().in_(*nodes.Zone.of_region("eu-west-1", "a", "b", "c")),
            nodes.Requirement.capacity_type().in_(nodes.CapacityType.SPOT, nodes.CapacityType.ON_DEMAND),
            nodes.Requirement.instance_family()
            .in_(nodes.InstanceFamily.M6_A, nodes.InstanceFamily.M7_G, nodes.InstanceFamily.of("m8g"))
            .with_min_values(2),
        ],
        limits=nodes.NodePoolLimits(cpu=100),
        taints=[nodes.Taint(key="example.com/shop", effect=nodes.TaintEffect.NO_SCHEDULE)],
        disruption=nodes.NodePoolDisruption(
            consolidate_after=nodes.Consolidation.after(Duration.minutes(5)),
            budgets=[
                nodes.DisruptionBudget.percent(20),
                nodes.DisruptionBudget.nodes(
                    0,
                    schedule=Cron.schedule(minute="0", hour="9", week_day="1-5"),
                    duration=Duration.hours(8),
                    reasons=[nodes.DisruptionReason.DRIFTED],
                ),
            ],
        ),
    )


def add_web_server(chart: Chart, node_pool: nodes.NodePool) -> None:
    web = workloads.ResilientDeployment(
        chart,
        "Web",
        metadata=ApiObjectMetadata(name="web"),
        node_pool=node_pool,
        replicas=3,
    )
    web.add_container(
        image="nginx:1.29",
        port_number=8080,
        readiness=Probe.from_http_get("/"),
        resources=ContainerResources(
            cpu=CpuResources(request=Cpu.millis(500)),
            memory=MemoryResources(request=Size.gibibytes(1), limit=Size.gibibytes(1)),
        ),
    )


def main() -> None:
    app = App()
    chart = Chart(app, "shop")
    add_web_server(chart, add_node_pool(chart, add_node_class(chart)))
    plugins.KarpenterVerdict(app, "Verdict", region="eu-west-1")
    app.synth()

    karpenter = assertions.KarpenterAssertions.from_chart(chart, region="eu-west-1")
    karpenter.has_all_pods_scheduled()
    try:
        karpenter.keeps_ready("web", 3, assertions.Scenario.DRIFT)
    except RuntimeError as error:
        print(error)


if __name__ == "__main__":
    main()
