resource "aws_eks_cluster" "demo" {
  name     = "demo"
  role_arn = "arn:aws:iam::111122223333:role/demo"
}

resource "aws_eks_addon" "demo" {
  for_each     = toset(["vpc-cni", "coredns", "kube-proxy", "metrics-server"])
  cluster_name = aws_eks_cluster.demo.name
  addon_name   = each.value
}
