// Command karpenter runs Karpenter with all of its controllers and the AWS provider's own cloud provider. Only EC2 is
// imitated: an instance becomes a Node object some time after its launch, and the program `record` makes it ready.
package main

import (
	"encoding/json"
	"os"
	"time"

	"github.com/samber/lo"

	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider/overlay"
	"sigs.k8s.io/karpenter/pkg/controllers"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

// The environment has the settings, because Karpenter's operator parses the arguments.
const (
	catalogueVariable = "ORACLE_CATALOGUE"
	settingsVariable  = "ORACLE_SETTINGS"
	delayVariable     = "ORACLE_NODE_DELAY"
)

func main() {
	var settings oracle.Settings
	lo.Must0(json.Unmarshal([]byte(os.Getenv(settingsVariable)), &settings))
	ctx, op := operator.NewOperator()
	// The AWS provider's own main function does the same.
	v1.CapacityReservationsEnabled = true
	instances := newInstances(op.GetClient(), lo.Must(time.ParseDuration(os.Getenv(delayVariable))))
	bare := lo.Must(oracle.NewCloudProvider(
		ctx, os.Getenv(catalogueVariable), settings, op.GetClient(), op.EventRecorder, op.InstanceTypeStore, instances,
	))
	cloud := overlay.Decorate(bare, op.GetClient(), op.InstanceTypeStore)
	repaired := lo.Must(health.NewRepairPolicyMatcher(ctx, cloud))
	cluster := state.NewCluster(op.Clock, op.GetClient(), cloud, state.WithRepairPolicyMatcher(repaired))
	op.WithControllers(ctx, controllers.NewControllers(
		ctx, op.Manager, op.Clock, op.GetClient(), op.EventRecorder, cloud, bare, cluster, op.InstanceTypeStore, op.PredictionStore,
	)...).Start(ctx)
}
