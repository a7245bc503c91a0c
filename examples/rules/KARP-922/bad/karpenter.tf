resource "helm_release" "karpenter" {
  name       = "karpenter"
  namespace  = "kube-system"
  repository = "oci://public.ecr.aws/karpenter"
  chart      = "karpenter"
  version    = "1.8.1"
  values     = [yamlencode({ settings = { clusterName = "demo" } })]
}

resource "kubernetes_manifest" "node_class" {
  manifest = yamldecode(<<-YAML
    apiVersion: karpenter.k8s.aws/v1
    kind: EC2NodeClass
    metadata:
      name: default
    spec:
      role: KarpenterNodeRole-demo
      amiSelectorTerms:
        - alias: al2023@v20251120
      subnetSelectorTerms:
        - tags: { karpenter.sh/discovery: demo }
      securityGroupSelectorTerms:
        - tags: { karpenter.sh/discovery: demo }
  YAML
  )

  depends_on = [helm_release.karpenter]
}
