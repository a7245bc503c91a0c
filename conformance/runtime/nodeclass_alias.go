package main

import awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"

// readAlias is what the controller of AMIs begins with, in every release: this process ends, as Karpenter's does, where an alias
// that the API server took cannot be read.
func readAlias(class *awsv1.EC2NodeClass) {
	_ = class.Alias()
}
