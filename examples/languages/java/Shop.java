import io.github.karpenterconstructs.assertions.KarpenterAssertions;
import io.github.karpenterconstructs.assertions.KarpenterAssertionsProps;
import io.github.karpenterconstructs.assertions.Scenario;
import io.github.karpenterconstructs.nodes.AmiSelectorTerm;
import io.github.karpenterconstructs.nodes.BlockDevice;
import io.github.karpenterconstructs.nodes.CapacityType;
import io.github.karpenterconstructs.nodes.Consolidation;
import io.github.karpenterconstructs.nodes.DisruptionBudget;
import io.github.karpenterconstructs.nodes.DisruptionBudgetOptions;
import io.github.karpenterconstructs.nodes.DisruptionReason;
import io.github.karpenterconstructs.nodes.EC2NodeClass;
import io.github.karpenterconstructs.nodes.EbsVolume;
import io.github.karpenterconstructs.nodes.InstanceFamily;
import io.github.karpenterconstructs.nodes.NodeIdentity;
import io.github.karpenterconstructs.nodes.NodePool;
import io.github.karpenterconstructs.nodes.NodePoolDisruption;
import io.github.karpenterconstructs.nodes.NodePoolLimits;
import io.github.karpenterconstructs.nodes.Requirement;
import io.github.karpenterconstructs.nodes.SecurityGroupSelectorTerm;
import io.github.karpenterconstructs.nodes.SubnetSelectorTerm;
import io.github.karpenterconstructs.nodes.Taint;
import io.github.karpenterconstructs.nodes.TaintEffect;
import io.github.karpenterconstructs.nodes.VolumeType;
import io.github.karpenterconstructs.nodes.Zone;
import io.github.karpenterconstructs.plugins.KarpenterVerdict;
import io.github.karpenterconstructs.workloads.ResilientDeployment;
import java.util.List;
import java.util.Map;
import org.cdk8s.ApiObjectMetadata;
import org.cdk8s.App;
import org.cdk8s.Chart;
import org.cdk8s.Cron;
import org.cdk8s.CronOptions;
import org.cdk8s.Duration;
import org.cdk8s.Size;
import org.cdk8s.plus28.ContainerProps;
import org.cdk8s.plus28.ContainerResources;
import org.cdk8s.plus28.Cpu;
import org.cdk8s.plus28.CpuResources;
import org.cdk8s.plus28.MemoryResources;
import org.cdk8s.plus28.Probe;

/** A shop on nodes of its own, with Karpenter's verdict at synth and an assertion on drift. */
public final class Shop {
  public static void main(String[] args) {
    App app = new App();
    Chart chart = new Chart(app, "shop");
    addWebServer(chart, nodePool(chart, nodeClass(chart)));
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

  private static EC2NodeClass nodeClass(Chart chart) {
    return EC2NodeClass.Builder.create(chart, "NodeClass")
        .identity(NodeIdentity.role("KarpenterNodeRole-shop"))
        .amiSelectorTerms(List.of(AmiSelectorTerm.al2023("v20250915")))
        .subnetSelectorTerms(List.of(SubnetSelectorTerm.byDiscoveryTag("shop")))
        .securityGroupSelectorTerms(List.of(SecurityGroupSelectorTerm.byDiscoveryTag("shop")))
        .blockDeviceMappings(List.of(BlockDevice.builder()
            .deviceName("/dev/xvda")
            .ebs(EbsVolume.builder().volumeSize(Size.gibibytes(50)).volumeType(VolumeType.GP3).build())
            .build()))
        .tags(Map.of("team", "shop"))
        .build();
  }

  private static NodePool nodePool(Chart chart, EC2NodeClass nodeClass) {
    return NodePool.Builder.create(chart, "NodePool")
        .metadata(ApiObjectMetadata.builder().name("shop").build())
        .nodeClass(nodeClass)
        .requirements(List.of(
            Requirement.zone().in(Zone.ofRegion("eu-west-1", "a", "b", "c").toArray(new Zone[0])),
            Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
            Requirement.instanceFamily()
                .in(InstanceFamily.M6_A, InstanceFamily.M7_G, InstanceFamily.of("m8g"))
                .withMinValues(2)))
        .limits(NodePoolLimits.builder().cpu(100).build())
        .taints(List.of(Taint.builder().key("example.com/shop").effect(TaintEffect.NO_SCHEDULE).build()))
        .disruption(NodePoolDisruption.builder()
            .consolidateAfter(Consolidation.after(Duration.minutes(5)))
            .budgets(List.of(
                DisruptionBudget.percent(20),
                DisruptionBudget.nodes(0, DisruptionBudgetOptions.builder()
                    .schedule(Cron.schedule(CronOptions.builder().minute("0").hour("9").weekDay("1-5").build()))
                    .duration(Duration.hours(8))
                    .reasons(List.of(DisruptionReason.DRIFTED))
                    .build())))
            .build())
        .build();
  }

  private static void addWebServer(Chart chart, NodePool nodePool) {
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
  }

  private Shop() {}
}
