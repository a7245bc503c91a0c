import io.github.karpenterconstructs.nodes.*;
import io.github.karpenterconstructs.plugins.KarpenterAssertions;
import io.github.karpenterconstructs.plugins.KarpenterAssertionsProps;
import io.github.karpenterconstructs.plugins.KarpenterVerdict;
import io.github.karpenterconstructs.plugins.Scenario;
import io.github.karpenterconstructs.workloads.ResilientDeployment;
import java.util.List;
import java.util.Map;
import org.cdk8s.*;
import org.cdk8s.plus28.ContainerProps;
import org.cdk8s.plus28.ContainerResources;
import org.cdk8s.plus28.Cpu;
import org.cdk8s.plus28.CpuResources;
import org.cdk8s.plus28.MemoryResources;
import org.cdk8s.plus28.Probe;

public class Shop {
  public static void main(String[] args) {
    App app = new App();
    Chart chart = new Chart(app, "shop");
    EC2NodeClass nodeClass = EC2NodeClass.Builder.create(chart, "NodeClass")
        .role("KarpenterNodeRole-shop")
        .amiAlias(AmiAlias.al2023("v20250915"))
        .subnetSelectorTerms(List.of(SubnetSelectorTerm.byDiscoveryTag("shop")))
        .securityGroupSelectorTerms(List.of(SecurityGroupSelectorTerm.byDiscoveryTag("shop")))
        .blockDeviceMappings(List.of(BlockDevice.builder()
            .deviceName("/dev/xvda")
            .ebs(EbsVolume.builder().volumeSize(Size.gibibytes(50)).volumeType(VolumeType.GP3).build())
            .build()))
        .tags(Map.of("team", "shop"))
        .build();
    NodePool nodePool = NodePool.Builder.create(chart, "NodePool")
        .metadata(ApiObjectMetadata.builder().name("shop").build())
        .nodeClass(nodeClass)
        .requirements(List.of(
            Requirement.zone().in(Zone.ofRegion("eu-west-1", "a", "b", "c").toArray(new Zone[0])),
            Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
            Requirement.instanceFamily().in(InstanceFamily.M6_A, InstanceFamily.M7_G, InstanceFamily.of("m8g")).withMinValues(2)))
        .limits(NodePoolLimits.builder().cpu(100).build())
        .taints(List.of(Taint.builder().key("example.com/shop").effect(TaintEffect.NO_SCHEDULE).build()))
        .disruption(Disruption.builder()
            .consolidateAfter(Duration.minutes(5))
            .budgets(List.of(
                DisruptionBudget.percent(20),
                DisruptionBudget.nodes(0, DisruptionBudgetOptions.builder()
                    .schedule(Cron.schedule(CronOptions.builder().minute("0").hour("9").weekDay("1-5").build()))
                    .duration(Duration.hours(8))
                    .reasons(List.of(DisruptionReason.DRIFTED))
                    .build())))
            .build())
        .build();
    ResilientDeployment web = ResilientDeployment.Builder.create(chart, "Web")
        .metadata(ApiObjectMetadata.builder().name("web").build())
        .nodePool(nodePool)
        .replicas(3)
        .build();
    web.addContainer(ContainerProps.builder()
        .image("nginx:1.29")
        .portNumber(8080)
        .readiness(Probe.fromHttpGet("/"))
        .resources(ContainerResources.builder()
            .cpu(CpuResources.builder().request(Cpu.millis(500)).build())
            .memory(MemoryResources.builder().request(Size.gibibytes(1)).limit(Size.gibibytes(1)).build())
            .build())
        .build());
    KarpenterVerdict.Builder.create(app, "Verdict").region("eu-west-1").build();
    app.synth();

    KarpenterAssertions karpenter = KarpenterAssertions.fromChart(chart, KarpenterAssertionsProps.builder().region("eu-west-1").build());
    karpenter.hasAllPodsScheduled();
    try {
      karpenter.keepsReady("web", 3, Scenario.DRIFT);
    } catch (RuntimeException error) {
      System.out.println(error.getMessage());
    }
  }
}
