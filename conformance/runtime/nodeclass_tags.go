//go:build tags

package main

import (
	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/utils"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// From 1.1 to 1.14 spec.kubelet had a schema, and tag keys were the only check of the controllers without AWS.
func init() {
	validators["EC2NodeClass"] = func(text []byte) []error {
		return decode(text, func(class *awsv1.EC2NodeClass) []error {
			readAlias(class)
			if _, err := utils.GetTags(class, &karpv1.NodeClaim{}, "conformance"); err != nil {
				return []error{err}
			}
			return nil
		})
	}
}
