// Command drain plays what becomes of the pods of nodes that are deleted: Karpenter's own controllers of termination and eviction decide, on a
// clock that is set, and Kubernetes is imitated.
//
// Each line of standard input is a scenario in JSON; each line of standard output its answer. The first line says the versions.
package main

import (
	"encoding/json"
	"time"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
)

type scenario struct {
	// Cluster has nodes, their claims, pods and PodDisruptionBudgets.
	Cluster string
	// Deleted are the names of nodes that are deleted, each so many seconds after Now.
	Deleted map[string]int
	Now     time.Time
	// PodStart and PodStop are seconds: from the node of a pod until it is ready, and from the order to end until it is gone, if its grace
	// period is not over before.
	PodStart, PodStop int
	// Horizon is how many seconds are played.
	Horizon int
}

// answer has times in seconds.
type answer struct {
	Asked []asked `json:"asked"`
	// Drained is when EC2 is told to terminate the instance of a node, of those of which it is within the horizon.
	Drained map[string]float64 `json:"drained"`
}

// asked is a pod that has been told to end.
type asked struct {
	Pod string  `json:"pod"`
	At  float64 `json:"at"`
	// Gone is when it has ended; absent where that is not within the horizon.
	Gone *float64 `json:"gone,omitempty"`
}

func main() {
	world.Serve(func(_ *world.World, line []byte) any {
		var s scenario
		if err := json.Unmarshal(line, &s); err != nil {
			return world.Failure{Error: err.Error()}
		}
		result, err := play(s)
		if err != nil {
			return world.Failure{Error: err.Error()}
		}
		return result
	})
}
