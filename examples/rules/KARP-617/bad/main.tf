module "karpenter" {
  source       = "terraform-aws-modules/eks/aws//modules/karpenter"
  version      = "~> 21.0"
  cluster_name = "prod"
}

resource "kubectl_manifest" "class" {
  yaml_body = <<-YAML
    apiVersion: karpenter.k8s.aws/v1
    kind: EC2NodeClass
    metadata:
      name: default
    spec:
      role: Karpenter-prod
      amiSelectorTerms:
        - alias: al2023@v20250801
      subnetSelectorTerms:
        - tags: { karpenter.sh/discovery: prod }
      securityGroupSelectorTerms:
        - tags: { karpenter.sh/discovery: prod }
  YAML
}
