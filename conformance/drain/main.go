// Command drain simulates the drain of deleted nodes. Karpenter's own termination and eviction controllers decide on a
// simulated clock; Kubernetes is imitated.
//
// Each line of standard input is a scenario in JSON; each line of standard output is its answer. The first line has the
// versions.
package main

import (
	"encoding/json"
	"time"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

type scenario struct {
	// Cluster has the nodes, NodeClaims, pods and PodDisruptionBudgets.
	Cluster string
	// Deleted has the seconds after Now at which each node is deleted, by node name.
	Deleted map[string]int
	Now     time.Time
	// PodStart is the seconds from a pod's binding until it is ready. PodStop is the seconds of its termination, unless
	// its grace period is shorter.
	PodStart, PodStop int
	// Horizon is the number of simulated seconds.
	Horizon int
}

// answer has all times in seconds.
type answer struct {
	Terminated []terminatedPod `json:"asked"`
	// Drained is when each node's instance is terminated in EC2; only times within the horizon.
	Drained map[string]float64 `json:"drained"`
}

// terminatedPod is a pod that started to terminate.
type terminatedPod struct {
	Pod string  `json:"pod"`
	At  float64 `json:"at"`
	// Deleted is when the pod was deleted; absent if that is not within the horizon.
	Deleted *float64 `json:"gone,omitempty"`
}

func main() {
	oracle.Serve(func(_ *oracle.Environment, line []byte) any {
		var s scenario
		if err := json.Unmarshal(line, &s); err != nil {
			return oracle.Failure{Error: err.Error()}
		}
		result, err := simulate(s)
		if err != nil {
			return oracle.Failure{Error: err.Error()}
		}
		return result
	})
}
