//go:build dependencies

// Package conformance imports the dependencies of its commands, so that `go mod tidy` keeps go.mod complete.
package conformance

import (
	_ "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	_ "github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass"
	_ "github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	_ "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	_ "k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	_ "sigs.k8s.io/controller-runtime/pkg/client/fake"
	_ "sigs.k8s.io/karpenter/pkg/apis/v1"
	_ "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	_ "sigs.k8s.io/kustomize/api/krusty"
	_ "sigs.k8s.io/kustomize/kyaml/filesys"
)
