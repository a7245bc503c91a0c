package main

import (
	"context"

	"go.uber.org/multierr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	// This import adds the provider's labels and domains to those of the core.
	_ "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
)

func init() {
	validators["NodePool"] = func(text []byte) []error {
		return decode(text, func(pool *karpv1.NodePool) []error {
			return multierr.Errors(runtimeValidate(pool))
		})
	}
	validators["NodeClaim"] = func(text []byte) []error {
		return decode(text, func(*karpv1.NodeClaim) []error { return nil })
	}
}

// runtimeValidate calls the method, whose signature changed in 1.5.
func runtimeValidate(object any) error {
	switch validator := object.(type) {
	case interface{ RuntimeValidate(context.Context) error }:
		return validator.RuntimeValidate(context.Background())
	case interface{ RuntimeValidate() error }:
		return validator.RuntimeValidate()
	}
	return validateBefore11(object)
}
