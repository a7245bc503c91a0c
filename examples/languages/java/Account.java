import io.github.karpenterconstructs.infra.ClusterReference;
import io.github.karpenterconstructs.infra.ControllerIdentity;
import io.github.karpenterconstructs.infra.ControllerPermissions;
import io.github.karpenterconstructs.infra.Karpenter;
import io.github.karpenterconstructs.infra.PodIdentityOptions;
import java.util.Map;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Environment;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;

/** Karpenter in an AWS account: its roles, policies and interruption queue. */
public final class Account {
  public static void main(String[] args) {
    App app = App.Builder.create().outdir("dist").build();
    Stack stack = new Stack(app, "Account", StackProps.builder()
        .env(Environment.builder().account("111122223333").region("eu-west-1").build())
        .build());
    Karpenter karpenter = Karpenter.Builder.create(stack, "Karpenter")
        .cluster(ClusterReference.Builder.create(stack, "Cluster").clusterName("shop").build())
        .identity(ControllerIdentity.podIdentity(PodIdentityOptions.builder().installAgent(false).build()))
        .permissions(ControllerPermissions.builder().placementGroups(false).build())
        .helmValues(Map.of("settings", Map.of("featureGates", Map.of("nodeOverlay", true))))
        .build();
    app.synth();
    Map<?, ?> settings = (Map<?, ?>) karpenter.getHelmValues().get("settings");
    System.out.println(((Map<?, ?>) settings.get("featureGates")).get("nodeOverlay"));
  }

  private Account() {}
}
