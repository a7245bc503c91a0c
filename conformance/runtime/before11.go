//go:build before11

package main

import "knative.dev/pkg/apis"

// validateBefore11 calls the method as it was while Karpenter was built on knative: a nil pointer that is wrapped is no nil error.
func validateBefore11(object any) error {
	if err := object.(interface{ RuntimeValidate() *apis.FieldError }).RuntimeValidate(); err != nil {
		return err
	}
	return nil
}
