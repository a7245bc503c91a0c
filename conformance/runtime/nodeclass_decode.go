//go:build before11

package main

import awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"

// Before 1.1 the controllers accepted every class that the API server had accepted.
func init() {
	validators["EC2NodeClass"] = func(text []byte) []error {
		return decode(text, func(class *awsv1.EC2NodeClass) []error {
			readAlias(class)
			return nil
		})
	}
}
