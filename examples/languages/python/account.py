"""Karpenter in an AWS account: its roles, policies and interruption queue."""

from aws_cdk import App, Environment, Stack
from karpenter_constructs import infra


def main() -> None:
    app = App(outdir="dist")
    stack = Stack(app, "Account", env=Environment(account="111122223333", region="eu-west-1"))
    karpenter = infra.Karpenter(
        stack,
        "Karpenter",
        cluster=infra.ClusterReference(stack, "Cluster", cluster_name="shop"),
        identity=infra.ControllerIdentity.pod_identity(install_agent=False),
        permissions=infra.ControllerPermissions(placement_groups=False),
        helm_values={"settings": {"featureGates": {"nodeOverlay": True}}},
    )
    app.synth()
    print(str(karpenter.helm_values["settings"]["featureGates"]["nodeOverlay"]).lower())


if __name__ == "__main__":
    main()
