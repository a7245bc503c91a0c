//go:build controller

package main

import (
	"context"
	"fmt"

	awsv1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	kubeletcel "github.com/aws/karpenter-provider-aws/pkg/cel"
	"github.com/aws/karpenter-provider-aws/pkg/controllers/nodeclass"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	"github.com/aws/karpenter-provider-aws/pkg/providers/launchtemplate"
	"github.com/patrickmn/go-cache"
	"k8s.io/utils/clock"
)

// inAccount makes the subnets, AMIs, … of a class valid, so that only the class itself is validated.
var inAccount = []string{
	awsv1.ConditionTypeAMIsReady, awsv1.ConditionTypeInstanceProfileReady, awsv1.ConditionTypeSecurityGroupsReady, awsv1.ConditionTypeSubnetsReady,
}

func init() {
	environment, err := kubeletcel.NewEnvironment()
	if err != nil {
		panic(err)
	}
	// The gates have their defaults, and dry runs against EC2 are off, as with --dry-run-disabled.
	ctx := options.ToContext(context.Background(), &options.Options{ClusterName: "conformance", FeatureGates: options.DefaultFeatureGates()})
	validators["EC2NodeClass"] = func(text []byte) []error {
		return decode(text, func(class *awsv1.EC2NodeClass) []error {
			readAlias(class)
			for _, condition := range inAccount {
				class.StatusConditions().SetTrue(condition)
			}
			reconciler := nodeclass.NewValidationReconciler(clock.RealClock{}, nil, nil, nil, nil, instanceTypes{}, launchTemplates{},
				cache.New(cache.NoExpiration, 0), environment, true)
			_, err := reconciler.Reconcile(ctx, class)
			if condition := class.StatusConditions().Get(awsv1.ConditionTypeValidationSucceeded); !condition.IsTrue() {
				return []error{fmt.Errorf("%s: %s", condition.Reason, condition.Message)}
			}
			if err != nil {
				return []error{err}
			}
			return nil
		})
	}
}

// instanceTypes is only called for expressions; while their gate is off, no class with an expression gets that far.
type instanceTypes struct{ instancetype.Provider }

func (instanceTypes) ValidateKubeletExpressions(context.Context, instancetype.NodeClass) error {
	return nil
}

// launchTemplates is only called for the cluster's address range, which does not depend on the class.
type launchTemplates struct{ launchtemplate.Provider }

func (launchTemplates) ResolveClusterCIDR(context.Context) error { return nil }
