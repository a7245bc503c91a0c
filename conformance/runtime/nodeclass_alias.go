package main

import awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"

// readAlias parses the alias, as the AMI controller of every release does first. Like Karpenter, this process crashes
// if an accepted alias cannot be parsed.
func readAlias(class *awsv1.EC2NodeClass) {
	_ = class.Alias()
}
