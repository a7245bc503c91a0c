import io.github.karpenterconstructs.nodes.*;
import io.github.karpenterconstructs.plugins.KarpenterVerdict;
import java.util.List;
import org.cdk8s.*;
import org.cdk8s.plus28.ContainerProps;
import org.cdk8s.plus28.ContainerResources;
import org.cdk8s.plus28.Cpu;
import org.cdk8s.plus28.CpuResources;
import org.cdk8s.plus28.Deployment;
import org.cdk8s.plus28.MemoryResources;

public class Start {
  public static void main(String[] args) {
    App app = new App();
    Chart chart = new Chart(app, "shop");
    EC2NodeClass nodeClass = EC2NodeClass.Builder.create(chart, "NodeClass")
        .metadata(ApiObjectMetadata.builder().name("general").build())
        .identity(NodeIdentity.role("KarpenterNodeRole-shop"))
        .amiSelectorTerms(List.of(AmiSelectorTerm.al2023("v20250915")))
        .subnetSelectorTerms(List.of(SubnetSelectorTerm.byDiscoveryTag("shop")))
        .securityGroupSelectorTerms(List.of(SecurityGroupSelectorTerm.byDiscoveryTag("shop")))
        .build();
    NodePool.Builder.create(chart, "NodePool")
        .metadata(ApiObjectMetadata.builder().name("general").build())
        .nodeClass(nodeClass)
        .requirements(List.of(
            Requirement.capacityType().in(CapacityType.ON_DEMAND),
            Requirement.instanceFamily().in(InstanceFamily.M7_I),
            Requirement.instanceCpu().lessThanOrEqual(8)))
        .limits(NodePoolLimits.builder().cpu(100).build())
        .build();
    Deployment.Builder.create(chart, "Web")
        .metadata(ApiObjectMetadata.builder().name("web").build())
        .replicas(3)
        .containers(List.of(ContainerProps.builder()
            .image("registry.example/web:1.4")
            .resources(ContainerResources.builder()
                .cpu(CpuResources.builder().request(Cpu.units(8)).build())
                .memory(MemoryResources.builder().request(Size.gibibytes(8)).limit(Size.gibibytes(8)).build())
                .build())
            .build()))
        .build();
    KarpenterVerdict.Builder.create(app, "Verdict").region("eu-west-1").build();
    app.synth();
  }
}
