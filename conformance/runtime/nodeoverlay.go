//go:build overlay

package main

import (
	"go.uber.org/multierr"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
)

func init() {
	validators["NodeOverlay"] = func(text []byte) []error {
		return decode(text, func(overlay *v1alpha1.NodeOverlay) []error {
			return multierr.Errors(runtimeValidate(overlay))
		})
	}
}
