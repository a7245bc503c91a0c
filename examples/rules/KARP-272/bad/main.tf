resource "aws_security_group" "node" {
  name   = "demo-node"
  vpc_id = aws_vpc.this.id

  ingress {
    from_port = 0
    to_port   = 0
    protocol  = "-1"
    self      = true
  }

  tags = {
    "karpenter.sh/discovery" = "demo"
  }
}
